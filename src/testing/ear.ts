// What a test player sounded: each stretch of each source, as the mixer really put it out.
import { add, framesToMs, type Frame } from '../clock/frame.js'
import { stereo } from '../engine/sound/mixer.js'
import type { DirectPlayer } from './direct-player.js'
import type { StagedMedia } from './staged-media.js'

/** One source that sounded without a break, with a gain that went straight to another. */
export interface Heard {
  readonly buttonId: string
  readonly title: string
  readonly executionId: string
  /** The media as the show names it. */
  readonly media: string
  /** On the player's clock, in milliseconds since it was made. */
  readonly fromMs: number
  readonly toMs: number
  /** In the source. */
  readonly mediaFromMs: number
  readonly mediaToMs: number
  /** 1 is the level of the source; the button's own level is in it. */
  readonly gainFrom: number
  readonly gainTo: number
}

interface Stretch {
  readonly stream: number
  readonly buttonId: string
  readonly title: string
  readonly executionId: string
  readonly path: string
  readonly from: Frame
  readonly position: Frame
  readonly gainFrom: number
  to: Frame
  gainTo: number
}

interface Sounding {
  readonly buttonId: string
  readonly path: string
  readonly position: Frame
  readonly gain: number
}

/** No more sources than this are told apart at one time; the engine has its own, lower bounds. */
const TURNS_MAX = 2_048
/** A gain is measured within so many frames of its boundary. */
const ROUND = 10_000

export class Ear {
  readonly #stretches: Stretch[] = []
  readonly #block = stereo(TURNS_MAX)

  constructor(
    private readonly player: DirectPlayer,
    private readonly media: StagedMedia,
  ) {}

  /** Moves the player to `to`, in whose way nothing happens by itself, and notes what sounds. */
  move(to: Frame): void {
    const from = this.player.engine.now
    if (this.media.streams === 0) {
      this.player.advance(to - from)
      return
    }
    // Before it moves: by its end a run may be over, and its button may have another.
    const runs = new Map(this.player.readModel.live().map((view) => [view.buttonId, view]))
    const first = this.#listen(to)
    const left = to - this.player.engine.now
    const turns = Math.min(this.media.streams, left)
    this.player.advance(left - turns)
    const last = turns > 0 ? this.#listen(to) : first
    for (const [stream, at] of first) {
      const gainTo = last.get(stream)?.gain ?? at.gain
      const { executionId = '', title = '' } = runs.get(at.buttonId) ?? {}
      this.#add({
        stream, buttonId: at.buttonId, title, executionId, path: at.path, from,
        position: at.position, gainFrom: at.gain, to, gainTo,
      })
    }
  }

  /** Each stretch in the order of its beginning. */
  report(nameOf: (path: string) => string): Heard[] {
    return this.#stretches
      .filter((it) => it.gainFrom > 0 || it.gainTo > 0)
      .map((it) => ({
        buttonId: it.buttonId,
        title: it.title,
        executionId: it.executionId,
        media: nameOf(it.path),
        fromMs: wholeMs(it.from),
        toMs: wholeMs(it.to),
        mediaFromMs: wholeMs(it.position),
        mediaToMs: wholeMs(add(it.position, it.to - it.from)),
        gainFrom: rounded(it.gainFrom),
        gainTo: rounded(it.gainTo),
      }))
      .sort((a, b) => a.fromMs - b.fromMs)
  }

  /** Renders one frame for each open stream, at most up to `to`; answers those that were read. */
  #listen(to: Frame): ReadonlyMap<number, Sounding> {
    const { engine } = this.player
    const from = engine.now
    const count = Math.min(this.media.listen(), to - from, TURNS_MAX)
    this.player.render(this.#block, 0, count)
    const found = new Map<number, Sounding>()
    for (const { stream, at, position, turn } of this.media.heard()) {
      if (found.has(stream.stream)) continue
      const { buttonId, path } = stream
      const gain = this.#block.left[turn] ?? 0
      found.set(stream.stream, { buttonId, path, position: add(position, from - at), gain })
    }
    return found
  }

  /** Joined to the stretch before it where nothing changed between them. */
  #add(next: Stretch): void {
    const before = this.#stretches.findLast((it) => it.stream === next.stream)
    if (before !== undefined && goesOn(before, next)) {
      before.to = next.to
      before.gainTo = next.gainTo
    } else this.#stretches.push(next)
  }
}

const goesOn = (a: Stretch, b: Stretch): boolean => {
  const joined = a.to === b.from && a.position + (a.to - a.from) === b.position
  if (!joined || a.executionId !== b.executionId) return false
  const slope = (it: Stretch): number => (it.gainTo - it.gainFrom) / (it.to - it.from)
  const same = Math.abs(slope(a) - slope(b)) * (b.to - b.from) < 1 / ROUND
  return same && Math.abs(a.gainTo - b.gainFrom) < 1 / ROUND
}

const wholeMs = (frames: Frame): number => Math.round(framesToMs(frames))
const rounded = (gain: number): number => Math.round(gain * ROUND) / ROUND
