// What a test player sounded: each stretch of each source, as the mixer really put it out.
import { add, framesToMs, type Frame } from '../clock/frame.js'
import { stereo } from '../engine/sound/mixer.js'
import type { RunView } from '../engine/runs/run-view.js'
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
  /** The fade that goes on in it, if any: in one of them it sounds in one stretch. */
  readonly shape: string
  readonly from: Frame
  readonly position: Frame
  readonly first: Measure
  to: Frame
  last: Measure
}

/** A gain as the mixer put it out, and at which frame. */
interface Measure {
  readonly at: Frame
  readonly gain: number
}

interface Sounding extends Measure {
  readonly buttonId: string
  readonly path: string
  readonly position: Frame
}

/** No more sources than this are told apart at one time; the engine has its own, lower bounds. */
const TURNS_MAX = 2_048
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
      const run = runs.get(at.buttonId)
      const passes = [...first.values()].filter((it) => it.buttonId === at.buttonId).length
      this.#add({
        stream, buttonId: at.buttonId, title: run?.title ?? '', executionId: run?.executionId ?? '',
        path: at.path, shape: run === undefined ? '' : `${passes} ${shapeOf(run, from)}`,
        from, position: at.position, first: at, to, last: last.get(stream) ?? at,
      })
    }
  }

  /** The next frame after now at which a fade ends; no stretch goes beyond it. */
  nextTurn(to: Frame): Frame {
    const { now } = this.player.engine
    let next = to
    for (const { ramp: { end } } of this.player.readModel.live()) {
      if (end > now && end < next) next = end
    }
    return next
  }

  /** Each stretch in the order of its beginning, in which they were noted. */
  report(nameOf: (path: string) => string): Heard[] {
    return this.#stretches
      .filter((it) => it.first.gain > 0 || it.last.gain > 0)
      .map((it) => ({
        buttonId: it.buttonId,
        title: it.title,
        executionId: it.executionId,
        media: nameOf(it.path),
        fromMs: wholeMs(it.from),
        toMs: wholeMs(it.to),
        mediaFromMs: wholeMs(it.position),
        mediaToMs: wholeMs(add(it.position, it.to - it.from)),
        gainFrom: rounded(gainAt(it, it.from)),
        gainTo: rounded(gainAt(it, it.to)),
      }))
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
      const place = add(position, from - at)
      found.set(stream.stream, { buttonId, path, position: place, at: add(from, turn), gain })
    }
    return found
  }

  /** Joined to the stretch before it where nothing changed between them. */
  #add(next: Stretch): void {
    const before = this.#stretches.findLast((it) => it.stream === next.stream)
    if (before !== undefined && goesOn(before, next)) {
      before.to = next.to
      before.last = next.last
    } else this.#stretches.push(next)
  }
}

const goesOn = (a: Stretch, b: Stretch): boolean => {
  const joined = a.to === b.from && a.position + (a.to - a.from) === b.position
  return joined && a.shape === b.shape
}

/**
 * The pass that a run is in, and the fade that goes on at this frame. A loop that blends into
 * itself for half of its range goes from one overlap into the next: what rose in the one falls in
 * the other.
 */
const shapeOf = ({ playhead, ramp }: RunView, at: Frame): string => {
  const fade = ramp.begin <= at && at < ramp.end ? `${ramp.begin}-${ramp.end}` : ''
  return `${playhead.at} ${fade}`
}

/** The streams are measured in turn, a few frames off a boundary: the line is drawn on to it. */
const gainAt = ({ first, last }: Stretch, at: Frame): number => {
  if (last.at === first.at) return first.gain
  const slope = (last.gain - first.gain) / (last.at - first.at)
  return Math.max(0, first.gain + slope * (at - first.at))
}

const wholeMs = (frames: Frame): number => Math.round(framesToMs(frames))
const rounded = (gain: number): number => Math.round(gain * ROUND) / ROUND
