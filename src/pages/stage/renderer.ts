// At each animation frame: what is on, on which element, and with what weight on the screen.
import { nowMs } from '../../client/time.js'
import type { LiveChange, LiveParts } from '../../contract/live.js'
import { assignWants, FORESEEN } from './assignment.js'
import { Deck } from './deck/deck.js'
import {
  addTransition, BLACK, completed, settledAt, targetOf, weightsAt, type Transitions,
} from './dissolve.js'
import type { ElementTraits } from './deck/element-traits.js'
import type { DeckListener, Part } from './deck/part.js'
import { StageImages, type StageImage } from './images.js'
import {
  NOTHING_TOLD, picturesAt, withChange, withState, type Picture, type Told, type VideoPicture,
} from './pictures.js'
import type { Layer, Screen } from './screen.js'
import type { Look, ShowLook } from './show-look.js'
import type { StageTime } from './timing.js'
import { heardMsAt, wantsAt, type VideoWant } from './wants.js'

/** Browsers allow few connections and decoders. */
const DECKS = 4
/** So long what goes stays for what comes; then what is below is seen. */
const PATIENCE_MS = 500
/** Nobody wants it for so long: its file is given back. */
const REST_AFTER_MS = 5_000
/** What was foreseen and is farther than this from what is heard stands ready anew first. */
const ASTRAY_MS = 500

interface Chosen {
  readonly key: string | null
  /** The picture, where it is one that came, rather than one that was uncovered. */
  readonly picture: Picture | null
}

export class Renderer {
  readonly decks: readonly Deck[]
  readonly #images: StageImages
  readonly #idleSince = new Map<Deck, number>()
  /** When a picture was first asked for, that is not there yet. */
  readonly #waiting = new Map<string, number>()
  #told: Told = NOTHING_TOLD
  #transitions: Transitions = BLACK
  /** What was chosen to be seen, and is on still. */
  readonly #known = new Set<string>()
  #pictures: readonly Picture[] = []
  #seen: ReadonlyMap<string, string> = new Map()
  #last: VideoPicture | null = null
  #goneSince: number | null = null
  isAlone = true

  constructor(
    private readonly screen: Screen,
    private readonly time: StageTime,
    private readonly look: () => ShowLook,
    listener: DeckListener,
    traits: ElementTraits,
  ) {
    const add = (element: HTMLElement): void => screen.add(element)
    this.decks = Array.from({ length: DECKS }, () => new Deck(time, traits, listener, add))
    this.#images = new StageImages(add)
  }

  state(state: LiveParts, at: number, isAnew: boolean): void {
    if (isAnew) this.#forget()
    this.#told = withState(this.#told, state, at)
    const now = nowMs()
    for (const deck of this.decks) deck.beginAnew(now)
  }

  change(change: LiveChange): void {
    this.#told = withChange(this.#told, change)
  }

  seenAgain(): void {
    const now = nowMs()
    this.frame(now)
    for (const deck of this.decks) deck.seenAgain(now)
  }

  /** Another daemon counts its frames anew: by them, a dissolve of before would begin in hours. */
  #forget(): void {
    this.#told = NOTHING_TOLD
    this.#transitions = completed(this.#transitions)
    this.#last = null
  }

  /** From below. */
  get on(): readonly Picture[] {
    return this.#pictures
  }

  /** Nothing is on, and nothing is seen. */
  get isBlack(): boolean {
    return this.#pictures.length === 0 && targetOf(this.#transitions) === null
  }

  /** What cannot be shown, and why. */
  get errors(): readonly { readonly buttonId: string; readonly message: string }[] {
    return this.#pictures.flatMap((picture) => {
      const message = this.#errorOf(picture)
      return message === null ? [] : [{ buttonId: picture.buttonId, message }]
    })
  }

  #errorOf({ key, kind, buttonId }: Picture): string | null {
    const look = this.look().of(buttonId)
    if (look !== null && look.notShown !== null) return look.notShown
    if (kind === 'video') return this.decks.find((deck) => deck.key === key)?.error ?? null
    return this.#images.errorOf(this.look().sourceOf(buttonId))
  }

  frame(now: number): void {
    const frame = this.time.frameAt(now + this.time.leadMs)
    if (frame === null) return
    this.#pictures = picturesAt(this.#told, frame, this.isAlone)
    const sight = {
      told: this.#told, look: this.look(), frame, isAlone: this.isAlone, seen: this.#seen,
      last: this.#last,
    }
    this.#assign(wantsAt(sight, this.#pictures), now)
    this.#last = this.#pictures.findLast((picture) => picture.kind === 'video') ?? this.#last
    this.#choose(frame, now)
    this.#draw(frame, now)
  }

  #assign(wants: readonly VideoWant[], now: number): void {
    const assigned = assignWants(this.decks, wants)
    for (const [n, deck] of this.decks.entries()) {
      const want = assigned[n] as VideoWant | null
      if (want === null) this.#idle(deck, now)
      else this.#serve(deck, want, now)
    }
  }

  #idle(deck: Deck, now: number): void {
    const since = this.#idleSince.get(deck) ?? now
    this.#idleSince.set(deck, since)
    deck.play(now - since > REST_AFTER_MS ? { kind: 'rest' } : { kind: 'freeze' }, now)
  }

  #serve(deck: Deck, want: VideoWant, now: number): void {
    this.#idleSince.delete(deck)
    const part = this.#partOf(want)
    // The daemon looks into a file while it is played already.
    const look = this.look().of(want.buttonId)
    deck.frameDuration.told = look?.frameMs ?? null
    // A spare of a file that was replaced meanwhile is of the new one.
    const isOfOther = want.key.startsWith(FORESEEN) && deck.source !== want.source
    if (deck.key !== want.key || isOfOther || deck.isStale(now, this.isAlone)) {
      if (isAstray(deck, part, now)) deck.play({ kind: 'park', positionMs: want.positionMs }, now)
      const isNear = deck.source === want.source && deck.error === null
        && Math.abs(deck.positionMs - want.positionMs) < 1
      const from = isNear ? want.positionMs : this.#placeToMeet(want, part, now)
      deck.take(want.key, want.buttonId, want.source, from, look?.beginsMs ?? null)
    }
    deck.play(part, now)
  }

  /** One that is under way is met a little ahead: so long it takes until its frame is there. */
  #placeToMeet(want: VideoWant, part: Part, now: number): number {
    const heard = part.kind === 'run' ? part.heardMs(now) : null
    if (heard === null || heard <= want.positionMs) return want.positionMs
    return heard + this.decks[0]!.expectedSeekMs
  }

  #partOf({ doing, positionMs }: VideoWant): Part {
    switch (doing.kind) {
      case 'run': {
        const { executionId, pass, endMs } = doing
        const heardMs = (at: number): number | null => {
          const past = this.#told.videos.get(executionId)
          const frame = this.time.frameAt(at)
          if (past === undefined || frame === null) return null
          return heardMsAt(past, pass, frame, this.isAlone)
        }
        return { kind: 'run', heardMs, endMs }
      }
      case 'foresee': {
        const heardMs = (at: number): number | null => {
          const begins = this.time.momentOf(doing.at)
          return begins === null ? null : positionMs + at - begins
        }
        return { kind: 'run', heardMs, endMs: Number.POSITIVE_INFINITY }
      }
      case 'hold':
        return { kind: 'hold', positionMs }
      case 'park':
        return { kind: 'park', positionMs }
      case 'freeze':
        return { kind: 'freeze' }
    }
  }

  /** What is to be seen from now on: the topmost that is there, or is waited for no longer. */
  #choose(frame: number, now: number): void {
    this.#transitions = settledAt(this.#transitions, frame)
    const chosen = this.#topmost(now)
    const target = targetOf(this.#transitions)
    if (chosen === null || chosen.key === target) return
    const { picture } = chosen
    const hasCome = picture !== null && this.#hasCome(picture)
    const frames = this.#dissolveFrames(target, picture, hasCome)
    const at = hasCome && picture.cameAt <= frame ? picture.cameAt : frame
    this.#transitions = addTransition(this.#transitions, { to: chosen.key, at, frames })
    if (picture === null) return
    this.#known.add(showingOf(picture.key))
    if (hasCome && picture.kind === 'image') this.#imageFor(picture, now).begin()
  }

  /** It came, or came back on top, since the last change; else it was uncovered. */
  #hasCome({ key, cameAt }: Picture): boolean {
    const on = new Set(this.#pictures.map((picture) => showingOf(picture.key)))
    for (const known of this.#known) if (!on.has(known)) this.#known.delete(known)
    const last = this.#transitions.at(-1)?.at ?? Number.NEGATIVE_INFINITY
    return !this.#known.has(showingOf(key)) || cameAt > last
  }

  /**
   * The End of a list's video is met by the clock, and what follows it may be told a little later:
   * where the output has no latency, it always is.
   */
  #awaitsNext(now: number): boolean {
    const last = this.#last
    const isGone = last !== null && last.key === targetOf(this.#transitions)
      && !this.#pictures.some(({ key }) => key === last.key)
    if (!isGone) {
      this.#goneSince = null
      return false
    }
    const { next, executionId } = last.place.run
    const endReason = this.#told.videos.get(executionId)?.at(-1)?.run.endReason ?? 'natural_end'
    if (next === null || endReason !== 'natural_end') return false
    if (this.#pictures.some(({ buttonId }) => buttonId === next)) return false
    this.#goneSince ??= now
    return now - this.#goneSince < PATIENCE_MS
  }

  /** Null: what is seen stays for what is coming. */
  #topmost(now: number): Chosen | null {
    if (this.#awaitsNext(now)) return null
    const wanted = new Set(this.#pictures.map(({ key }) => key))
    for (const key of this.#waiting.keys()) if (!wanted.has(key)) this.#waiting.delete(key)
    // Of all that is on, since an image is decoded while a video covers it, not once that ends.
    const states = this.#pictures.map((picture) => this.#stateOf(picture, now))
    for (const [n, { key }] of this.#pictures.entries()) {
      if (states[n] === 'there') this.#waiting.delete(key)
    }
    for (const [n, picture] of [...this.#pictures.entries()].reverse()) {
      const { key } = picture
      const state = states[n]
      if (state === 'there') return { key, picture }
      if (state === 'never') continue
      const since = this.#waiting.get(key) ?? now
      this.#waiting.set(key, since)
      if (now - since < PATIENCE_MS) return null
    }
    return { key: null, picture: null }
  }

  #stateOf(picture: Picture, now: number): 'there' | 'coming' | 'never' {
    const look = this.look().of(picture.buttonId)
    if (look !== null && look.notShown !== null) return 'never'
    const shown = picture.kind === 'image'
      ? this.#imageFor(picture, now)
      : this.decks.find(({ key }) => key === picture.key)
    if (shown === undefined) return 'coming'
    if (shown.error !== null) return 'never'
    return shown.isShowable ? 'there' : 'coming'
  }

  /** One that is seen already stays so, whatever becomes of its file. */
  #imageFor({ key, buttonId }: Picture, now: number): StageImage {
    const source = this.look().sourceOf(buttonId)
    return this.#seen.has(key)
      ? this.#images.shown(buttonId, source, now)
      : this.#images.get(buttonId, source, now)
  }

  /** How what comes comes; where nothing comes, how what goes goes. A seam of a loop is a cut. */
  #dissolveFrames(from: string | null, to: Picture | null, hasCome: boolean): number {
    const gone = this.#pictures.every(({ key }) => key !== from)
    const goes = gone ? this.#lookOfKey(from)?.dissolveFrames ?? 0 : 0
    if (to === null) return goes
    if (to.kind === 'video' && from !== null && showingOf(from) === showingOf(to.key)) return 0
    const comes = hasCome ? this.look().of(to.buttonId)?.dissolveFrames ?? 0 : 0
    return Math.max(comes, goes)
  }

  #lookOfKey(key: string | null): Look | null {
    const buttonId = key === null ? undefined : this.#seen.get(key)
    return buttonId === undefined ? null : this.look().of(buttonId)
  }

  #draw(frame: number, now: number): void {
    const layers: Layer[] = []
    const seen = new Map<string, string>()
    for (const { key, weight } of weightsAt(this.#transitions, frame)) {
      const deck = this.decks.find((one) => one.key === key)
      const buttonId = deck?.buttonId ?? this.#imageOf(key)
      if (buttonId === null) continue
      const look = this.look()
      const element = deck?.seen
        ?? this.#images.shown(buttonId, look.sourceOf(buttonId), now).element
      layers.push({ element, weight, fit: look.of(buttonId)?.fit ?? 'contain' })
      seen.set(key, buttonId)
    }
    this.#seen = seen
    this.screen.show(layers)
    // One that is on is kept while it is decoded too: a large one would begin anew for ever.
    const on = this.#pictures.map(({ buttonId }) => this.look().sourceOf(buttonId))
    this.#images.trim(({ source, element }) =>
      on.includes(source) || layers.some((layer) => layer.element === element))
  }

  #imageOf(key: string): string | null {
    const [buttonId, at] = key.split('@')
    return buttonId === undefined || at === undefined ? null : buttonId
  }
}

/** It ran as it was foreseen, e.g. in a page that draws nothing, and came at another moment. */
const isAstray = ({ key, atMs }: Deck, part: Part, now: number): boolean => {
  if (key?.startsWith(FORESEEN) !== true || part.kind !== 'run') return false
  const heard = part.heardMs(now)
  return heard !== null && Math.abs(heard - atMs) > ASTRAY_MS
}

/** All passes of a loop are one showing. */
const showingOf = (key: string): string => key.split('/')[0] ?? key
