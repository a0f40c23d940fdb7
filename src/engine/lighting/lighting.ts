// The look of the lamps: every lit run at a frame, merged into universes, the latest start winning.
import type { Frame } from '../../clock/frame.js'
import { positionAt, type DmxView, type TimelinePlayhead } from '../dmx/dmx-run.js'
import { SLOTS, cursorsOf, evaluate, type CompiledTimeline, type Cursors } from './timeline.js'

/** A run as the lamps know it. They look at a moment that is past, so its playheads are kept. */
interface LitRun {
  view: DmxView
  /** Rising in time; the last is the present one. */
  readonly playheads: TimelinePlayhead[]
  timeline: CompiledTimeline | null
  cursors: Cursors
  /**
   * It completed, or ended with its media, and lives here until the delayed lamps have seen its
   * end; else null.
   */
  endsAt: number | null
}

export interface LightingOptions {
  /** What a channel does that no active run defines (decisions 5). */
  readonly onStop: 'blackout' | 'hold'
  readonly offsetFrames: number
}

/** Playheads kept of one run: far more than a client sends in the delay of a sound output. */
const PLAYHEADS_MAX = 256

/** Universes live for ever once they are known, so that a lamp is never left without a sender. */
export class Lighting {
  readonly #options: LightingOptions
  readonly #universes = new Map<number, Uint8Array>()
  readonly #driven = new Set<number>()
  readonly #runs = new Map<string, LitRun>()
  #timelines: ReadonlyMap<string, CompiledTimeline> = new Map()
  #latency = 0
  #ends = 0

  constructor(options: LightingOptions) {
    this.#options = options
  }

  /** Every known universe with its 512 slots, as the last `render` left them. */
  get universes(): ReadonlyMap<number, Uint8Array> {
    return this.#universes
  }

  /** The universes that an active run defined channels of in the last `render`. */
  get driven(): ReadonlySet<number> {
    return this.#driven
  }

  /** How many runs have left the lamps so far: stopped, or their end was seen. */
  get ends(): number {
    return this.#ends
  }

  /**
   * The timelines of the show, by the names that views use. With blackout their universes are
   * known, and dark, from now on; with hold a lamp keeps what it has until a run lights it.
   */
  setTimelines(timelines: ReadonlyMap<string, CompiledTimeline>): void {
    this.#timelines = timelines
    if (this.#options.onStop === 'blackout') {
      for (const timeline of timelines.values()) this.#know(timeline)
    }
    // A run goes on with the timeline it has where the new show does not know its name.
    for (const run of this.#runs.values()) this.#equip(run)
  }

  /**
   * The live runs as they are now, those that completed or ended with their media (`ended`, at
   * their playhead; `darkened` at once), and the delay of the sound that some of them follow.
   * Answers whether lamps go by anything else than before: a message that corrects nothing, or news
   * of sound alone, is nothing to them. Nor is a delay that is another one, which the next tick
   * shows: a sound server's estimate trembles, and would use up what may leave between two ticks.
   */
  update(views: readonly DmxView[], latencyFrames: number, now: Frame): boolean {
    let isOther = false
    this.#latency = latencyFrames
    const live = new Set(views.map((view) => view.dmxExecutionId))
    for (const [id, run] of this.#runs) {
      if (live.has(id) || run.endsAt !== null) continue
      if (!this.#lingers(run, now)) this.#leave(id)
      isOther = true
    }
    for (const view of views) {
      if (view.state === 'running' || view.state === 'held') {
        isOther = this.#follow(view, now) || isOther
      }
      if (view.state === 'ended') isOther = this.#heardOut(view) || isOther
      if (view.state === 'darkened') isOther = this.#leave(view.dmxExecutionId) || isOther
    }
    return isOther
  }

  /** Ends every run at once, whatever the delayed lamps have not seen yet. */
  extinguish(): void {
    this.#runs.clear()
  }

  /** Merges the looks of the moment `now` into the universes. */
  render(now: Frame): void {
    this.#leaveEnded(now)
    this.#driven.clear()
    if (this.#options.onStop === 'blackout') {
      for (const slots of this.#universes.values()) slots.fill(0)
    }
    for (const run of this.#inOrderOfStart()) this.#light(run, this.#seenBy(run, now))
  }

  /**
   * Those whose end is seen are gone. What they leave to a lamp that holds is the look of their
   * end, e.g. a fade's last keyframe: the tick before may have been 24 ms short of it.
   */
  #leaveEnded(now: Frame): void {
    for (const run of this.#inOrderOfStart()) {
      if (run.endsAt === null || this.#seenBy(run, now) < run.endsAt) continue
      this.#leave(run.view.dmxExecutionId)
      if (this.#options.onStop === 'hold') this.#light(run, run.endsAt as Frame)
    }
  }

  #leave(dmxExecutionId: string): boolean {
    const isGone = this.#runs.delete(dmxExecutionId)
    if (isGone) this.#ends += 1
    return isGone
  }

  /** Whether what the lamps show changes with time alone. */
  moving(now: Frame): boolean {
    for (const run of this.#runs.values()) {
      const last = run.playheads.at(-1)
      if (last === undefined) continue
      const seen = now - this.#delayOf(run.view)
      if (last.rate === 1 || last.at > seen || (run.endsAt ?? seen) > seen) return true
    }
    return false
  }

  /** The next frame after `now` at which a run starts, jumps or ends for the delayed lamps. */
  nextTurn(now: Frame): Frame | null {
    let next: number | null = null
    for (const run of this.#runs.values()) {
      const delay = this.#delayOf(run.view)
      const turns: number[] = run.playheads.map(({ at }) => at)
      if (run.endsAt !== null) turns.push(run.endsAt)
      for (const at of turns) {
        const seen = at + delay
        if (seen > now && (next === null || seen < next)) next = seen
      }
    }
    return next as Frame | null
  }

  #light(run: LitRun, at: Frame): void {
    const { timeline } = run
    const playhead = playheadAt(run.playheads, at)
    if (timeline === null || playhead === null) return
    const position = positionIn(timeline, run.view, playhead, at)
    if (position === null) return
    const into = Array.from(timeline.universes, (universe) => this.#slotsOf(universe))
    for (const universe of timeline.universes) this.#driven.add(universe)
    evaluate(timeline, run.cursors, position, into)
  }

  /** The moment of the engine that lamps show of a run at `now`. */
  #seenBy({ view }: LitRun, now: Frame): Frame {
    return (now - this.#delayOf(view)) as Frame
  }

  /** What follows its own media waits for the sound; the rest does not (decisions 5). */
  #delayOf(view: DmxView): number {
    const { offsetFrames } = this.#options
    return view.follows === 'media' ? this.#latency + offsetFrames : offsetFrames
  }

  /** A run that completed by itself goes on until the delayed lamps have seen its end. */
  #lingers(run: LitRun, now: Frame): boolean {
    const last = run.playheads.at(-1)
    if (last === undefined || last.rate === 0 || run.view.loop) return false
    const endsAt = last.at + run.view.duration - last.position
    if (endsAt > now) return false
    run.endsAt = endsAt
    return true
  }

  #heardOut(view: DmxView): boolean {
    const run = this.#runs.get(view.dmxExecutionId)
    if (run === undefined || run.endsAt !== null) return false
    run.view = view
    run.playheads.push(view.playhead)
    run.endsAt = view.playhead.at
    return true
  }

  /** Whether lamps see it otherwise from now on than they would have. */
  #follow(view: DmxView, now: Frame): boolean {
    const known = this.#runs.get(view.dmxExecutionId)
    const run = known ?? {
      view, playheads: [], timeline: null, cursors: new Uint32Array(0), endsAt: null,
    }
    const isDelayed = this.#delayOf(run.view) !== this.#delayOf(view)
    run.view = view
    if (known === undefined) {
      this.#runs.set(view.dmxExecutionId, run)
      this.#equip(run)
    }
    const { playheads } = run
    const last = playheads.at(-1)
    const { at, position, rate } = view.playhead
    const isMoved = last?.at !== at || last.position !== position || last.rate !== rate
    if (isMoved) playheads.push(view.playhead)
    const seen = now - this.#delayOf(view)
    while (playheads.length > 1 && (playheads[1] as TimelinePlayhead).at <= seen) playheads.shift()
    if (playheads.length > PLAYHEADS_MAX) leaveOut(playheads)
    return isMoved || isDelayed
  }

  #equip(run: LitRun): void {
    const timeline = this.#timelines.get(run.view.timelineId) ?? run.timeline
    if (timeline === run.timeline || timeline === null) return
    run.timeline = timeline
    run.cursors = cursorsOf(timeline)
    this.#know(timeline)
  }

  #know(timeline: CompiledTimeline): void {
    for (const universe of timeline.universes) this.#slotsOf(universe)
  }

  #slotsOf(universe: number): Uint8Array {
    const known = this.#universes.get(universe)
    if (known !== undefined) return known
    const slots = new Uint8Array(SLOTS)
    this.#universes.set(universe, slots)
    return slots
  }

  /** Of those that define a channel the latest start wins: so it writes last. */
  #inOrderOfStart(): LitRun[] {
    return [...this.#runs.values()].sort((a, b) => a.view.startedSerial - b.view.startedSerial)
  }
}

/**
 * Where the run is in its timeline. One that was edited to a shorter one is here before the run
 * knows of its length: a loop comes round already, any other is over (null).
 */
const positionIn = (
  { durationFrames }: CompiledTimeline, { loop, duration }: DmxView, playhead: TimelinePlayhead,
  at: Frame,
): number | null => {
  const reached = positionAt({ playhead, loop, duration }, at)
  if (loop) return reached % durationFrames
  return reached <= durationFrames ? reached : null
}

/** One goes: where the two beside it are nearest. Lamps show the first; the last is the present. */
const leaveOut = (playheads: TimelinePlayhead[]): void => {
  const gapWithout = (index: number): number =>
    (playheads[index + 1] as TimelinePlayhead).at - (playheads[index - 1] as TimelinePlayhead).at
  let nearest = 1
  for (let index = 2; index < playheads.length - 1; index += 1) {
    if (gapWithout(index) < gapWithout(nearest)) nearest = index
  }
  playheads.splice(nearest, 1)
}

/** The playhead in force at `at`; null before the first: the lamps do not know the run yet. */
const playheadAt = (
  playheads: readonly TimelinePlayhead[], at: number,
): TimelinePlayhead | null => {
  for (let index = playheads.length - 1; index >= 0; index -= 1) {
    const head = playheads[index] as TimelinePlayhead
    if (head.at <= at) return head
  }
  return null
}
