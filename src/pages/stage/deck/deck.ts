// One video element: it stands ready at a place, starts so that its first frame meets what is
// heard, follows, holds a still, and says what it has on the screen.
import { after, nowMs, type Cancel } from '../../../client/time.js'
import { FORESEEN } from '../assignment.js'
import type { StageTime } from '../timing.js'
import { begunAnew, cannotKeepUp, FOLLOW, follow, newFollower, type Follower } from './follower.js'
import { DeckElements } from './deck-elements.js'
import type { ElementTraits } from './element-traits.js'
import { FrameDuration } from './frame-duration.js'
import type { DeckListener, Part, Running } from './part.js'
import { Retry } from './retry.js'
import { StartLatency } from './start-latency.js'

/** A place is met within this; a little is added, so that rounding does not show the one before. */
const INTO_FRAME_MS = 0.5
const START_SOON_MS = 20
/** How far ahead it stands is put right by a seek, which is seen by nobody, but takes its time. */
const READY_WITHIN_MS = 8
/** So long before its End it is stopped: by 2 Chromium showed what lies beyond in half of all. */
const CHOSEN_REFRESHES = 3

export class Deck {
  readonly #elements: DeckElements
  key: string | null = null
  buttonId: string | null = null
  source: string | null = null
  readonly frameDuration = new FrameDuration()
  /** Where it stands, or began; whether it has moved since. */
  #placeMs = 0
  #hasMoved = false
  /** Its still was sought. */
  #isExact = false
  /** Where it was last sent. */
  #targetMs = 0
  #part: Part = { kind: 'rest' }
  /** The first frame of its place is there. */
  #hasFrame = false
  #shownMs: number | null = null
  #follower: Follower
  readonly #startLatency = new StartLatency()
  #isRunning = false
  #cancelStart: Cancel | null = null
  #error: string | null = null
  readonly #retry = new Retry()

  constructor(
    private readonly time: StageTime,
    private readonly traits: ElementTraits,
    private readonly listener: DeckListener,
    add: (element: HTMLVideoElement) => void,
  ) {
    this.#follower = newFollower(0, traits.seekMs)
    this.#elements = new DeckElements(add, {
      loaded: () => this.#sought(this.#targetMs),
      arrived: () => this.#arrived(),
      failed: () => this.#failed(),
      frame: (now, displayAt, mediaMs) => this.#frame(now, displayAt, mediaMs),
    })
  }

  get element(): HTMLVideoElement {
    return this.#elements.current
  }

  get atMs(): number {
    return this.#elements.atMs
  }

  /** What belongs on the screen. */
  get seen(): HTMLVideoElement {
    return this.#elements.seen
  }

  /** Where it stands ready; one that has moved on does not, unless it was foreseen. */
  get positionMs(): number {
    return this.#hasMoved && this.key?.startsWith(FORESEEN) !== true ? Number.NaN : this.#placeMs
  }

  /** Its picture may be put on the screen. */
  get isShowable(): boolean {
    return (this.#hasFrame || this.#elements.isBridged) && this.#error === null
  }

  get error(): string | null {
    return this.#error
  }

  /** It is to be taken anew: it failed, and may be had by now, or comes no more for what moves. */
  isStale(now: number, isAlone: boolean): boolean {
    if (this.#error !== null) return this.#retry.isDue(now)
    const isStill = this.#part.kind === 'hold' && this.#hasFrame
    return !isAlone && !isStill && this.#elements.hasStalled(now)
  }

  get isLate(): boolean {
    return this.#isRunning && cannotKeepUp(this.#follower)
  }

  get part(): Part['kind'] {
    return this.#part.kind
  }

  /** How long it may take until the frame of a place is there. */
  get expectedSeekMs(): number {
    return 2 * this.traits.seekMs
  }

  get rate(): number {
    return this.#follower.rate
  }

  /** Takes another file, or another place in the same one, for a new key. */
  take(
    key: string, buttonId: string, source: string, positionMs: number, beginsMs: number | null,
  ): void {
    const hasStalled = this.#elements.hasStalled(nowMs())
    const isSame = this.source === source && this.#error === null && !hasStalled
    // One that was foreseen may run already, at its very place.
    const isFit = !this.#isRunning || this.key?.startsWith(FORESEEN) === true
    const isThere = isSame && isFit && Math.abs(this.positionMs - positionMs) < 1
    const isAgain = key === this.key
    this.#retry.begun(isAgain)
    if (!isAgain) this.#elements.endBridge()
    this.key = key
    this.buttonId = buttonId
    if (isThere) return
    this.#part = { kind: 'rest' }
    this.#halt()
    if (hasStalled) this.#elements.renew(isAgain && this.#hasFrame)
    this.#hasFrame = false
    this.#error = null
    this.#standAt(positionMs)
    if (isSame) return this.#sought(this.#readyAt(positionMs))
    this.#elements.load(source, this.source === source, beginsMs)
    this.source = source
    this.frameDuration.begun()
    this.#targetMs = this.#readyAt(positionMs)
  }

  /** Gives its file back. */
  rest(): void {
    this.key = null
    this.buttonId = null
    this.#part = { kind: 'rest' }
    this.#elements.endBridge()
    if (this.source === null) return
    this.#halt()
    this.source = null
    this.#hasFrame = false
    this.#error = null
    this.#elements.unload()
  }

  /** Called with every animation frame. */
  play(part: Part, now: number): void {
    const before = this.#part.kind
    this.#part = part
    this.#elements.look(now)
    // A resume that is paused again before it is heard: its start may wait for its last 20 ms.
    if (part.kind !== 'run') this.#clearTimer()
    switch (part.kind) {
      case 'rest':
        return this.rest()
      case 'park':
        return this.#park(part.positionMs)
      case 'freeze':
        if (this.#isRunning) this.#halt()
        return
      case 'hold':
        return this.#hold(part.positionMs, before === 'hold')
      case 'run':
        return this.#run(part, now)
    }
  }

  /** Without a daemon, or after a return: what was measured before says nothing. */
  beginAnew(now: number): void {
    this.#follower = begunAnew(this.#follower, now)
    this.#retry.soon(now)
  }

  /** The page is seen again. Browsers hold videos that nobody sees: it is not waited for frames. */
  seenAgain(now: number): void {
    this.beginAnew(now)
    if (!this.#isRunning || this.#part.kind !== 'run') return
    const heard = this.#part.heardMs(now)
    if (heard === null || Math.abs(heard - this.atMs) < FOLLOW.seekFromEarly) return
    this.#seek(this.#part, this.traits.seekMs)
  }

  /** Once more, where a frame's duration was told, or a start's latency learnt, in the meantime. */
  #park(positionMs: number): void {
    const readyMs = this.#readyAt(positionMs)
    const isThere = !this.#hasMoved && Math.abs(this.#placeMs - positionMs) < 1
    if (isThere && Math.abs(this.#targetMs - readyMs) < READY_WITHIN_MS) return
    this.#halt()
    this.#hasFrame = false
    this.#standAt(positionMs)
    this.#sought(readyMs)
  }

  /**
   * A press is heard before an element can start, 30 ms later, say: so it stands so far ahead of
   * its place, in the frame that is seen there.
   */
  #readyAt(positionMs: number): number {
    return this.frameDuration.withinFrame(positionMs, this.traits.startMs)
  }

  #standAt(positionMs: number): void {
    this.#placeMs = positionMs
    this.#hasMoved = false
  }

  #hold(positionMs: number, isHeld: boolean): void {
    if (isHeld && Math.abs(this.#placeMs - positionMs) < 1) return
    if (this.#isRunning) this.#halt()
    this.#standAt(positionMs)
    this.#isExact = false
    if (this.#shownMs === null) this.#seekStill()
    else this.#checkStill(this.#shownMs)
  }

  /** One more frame may come after the pause: it is looked at as well. */
  #checkStill(shownMs: number): void {
    if (Math.abs(shownMs - this.#placeMs) > this.frameDuration.ofStillMs / 2) this.#seekStill()
  }

  /** Once. The frame nearest to the place is the one whose middle lies beyond it. */
  #seekStill(): void {
    if (this.#isExact) return
    this.#isExact = true
    this.#sought(this.#placeMs + this.frameDuration.ofStillMs * 0.45)
  }

  #run({ heardMs, endMs }: Running, now: number): void {
    if (this.#isRunning) return this.#keepRunning(endMs, now)
    if (!this.#elements.isThere) return
    const heard = heardMs(now)
    if (heard === null) return
    const wait = this.atMs - heard - this.traits.startMs
    if (wait > START_SOON_MS) return
    if (wait > 0) {
      this.#cancelStart ??= after(wait, () => this.#start(nowMs()))
      return
    }
    if (wait > -FOLLOW.seekFromEarly) return this.#start(now)
    const to = heard + this.#follower.seekTook
    this.#start(now)
    this.#startLatency.ended()
    this.#follower = { ...this.#follower, seekingSince: now, seeks: [now] }
    this.#sought(Math.min(to, this.#lastMs(endMs)))
  }

  #lastMs(endMs: number): number {
    return endMs - CHOSEN_REFRESHES * this.time.refreshMs
  }

  #start(now: number): void {
    this.#clearTimer()
    this.#isRunning = true
    this.#hasMoved = true
    this.#startLatency.begun(now, this.atMs)
    this.#follower = begunAnew({ ...this.#follower, ...this.traits.learnt }, now)
    this.element.playbackRate = 1
    this.#elements.play()
  }

  #keepRunning(endMs: number, now: number): void {
    this.#elements.keepRunning(this.#follower.rate, this.#lastMs(endMs))
    const since = this.#follower.seekingSince
    // A seek that never came to its end, e.g. at the very end of the file.
    if (since !== null && now - since > FOLLOW.seekPauseMost) this.beginAnew(now)
  }

  #halt(): void {
    this.#clearTimer()
    this.#isRunning = false
    this.#startLatency.ended()
    this.#follower = newFollower(0, this.traits.seekMs)
    if (!this.element.paused) this.element.pause()
    if (this.element.playbackRate !== 1) this.element.playbackRate = 1
  }

  #sought(ms: number): void {
    this.#targetMs = ms
    if (!this.#elements.seek(ms + INTO_FRAME_MS)) return
    this.#shownMs = null
    this.frameDuration.sought()
  }

  #arrived(): void {
    if (!this.#elements.isThere) return
    this.#hasFrame = true
    this.#elements.endBridge()
  }

  #failed(): void {
    if (this.source === null) return
    this.#error = this.element.error?.message ?? 'it cannot be played'
    this.#isRunning = false
    this.#retry.failed(nowMs())
  }

  #clearTimer(): void {
    this.#cancelStart?.()
    this.#cancelStart = null
  }

  #frame(now: number, displayAt: number, mediaMs: number): void {
    this.time.expected(now, displayAt)
    this.#shownMs = mediaMs
    if (this.element.seeking) return
    this.#arrived()
    this.frameDuration.shown(mediaMs)
    if (this.#part.kind === 'hold') this.#checkStill(mediaMs)
    if (this.#isRunning) this.#seen(displayAt, mediaMs)
  }

  /** The error is measured on frames: where the element says it is, nobody sees. */
  #seen(shownAt: number, mediaMs: number): void {
    const part = this.#part
    if (part.kind !== 'run') return
    const heard = part.heardMs(shownAt)
    if (heard === null) return
    const startTook = this.#startLatency.tookBy(shownAt, mediaMs)
    if (startTook !== null) this.traits.startTook(startTook)
    const error = heard - mediaMs
    this.listener.frame(error)
    const frameMs = this.frameDuration.ms
    const motion = this.traits.motionOf(frameMs, this.time.refreshMs)
    const { next, advice } = follow(this.#follower, shownAt, error, motion)
    this.traits.followed(this.#follower, next, frameMs)
    this.#follower = next
    if (advice.kind === 'rate') this.element.playbackRate = advice.rate
    if (advice.kind === 'seek') this.#seek(part, advice.ahead)
  }

  #seek({ heardMs, endMs }: Running, ahead: number): void {
    const now = nowMs()
    const heard = heardMs(now)
    if (heard === null) return
    this.#follower = { ...this.#follower, seekingSince: now }
    this.listener.seek()
    this.element.playbackRate = 1
    this.#sought(Math.max(0, Math.min(heard + ahead, this.#lastMs(endMs))))
  }
}
