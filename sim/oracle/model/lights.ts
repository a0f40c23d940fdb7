// The reference model of DMX runs: where each timeline stands, and what sync answers.
import type { Command } from '../../../src/engine/commands/commands.js'
import { take } from '../../world/lists.js'
import type { RuleName } from '../rules.js'
import type { DmxEvent } from '../../world/engine-observer.js'
import { ok, refused, type Answer } from './commands/answer.js'
import { framesOf, type ModelButton } from './shapes.js'
import type { ModelState } from './state.js'

export interface Timeline {
  readonly id: string
  readonly button: string
  readonly title: string
  /** Its media, itself, or from the first message on an external clock (3.5). */
  sync: 'internal' | 'chasing' | 'freewheel'
  heardAt: number
  /** The last drift, and the largest of those that no seek was meant by. */
  last: number | null
  worst: number | null
  loop: boolean
  frames: number
  state: 'initializing' | 'running' | 'held'
  position: number
  since: number
  sequence: number
}

type SyncAsk = Extract<Command, { kind: 'sync' }>

const RETENTION = framesOf(600_000)
const QUIET = framesOf(1_000)
/** Closer to the threshold nobody can tell a fraction of a frame: what was answered decides. */
const BLUR = 1e-7

/** Within a loop, in frames from the first: of ms, a place half a loop away would be blurred. */
const toldFrames = ({ loop, frames }: Timeline, positionMs: number): number => {
  const told = positionMs * 48
  if (!loop) return told
  return Number.isFinite(told) ? told % frames : (positionMs % (frames / 48)) * 48
}

export class ModelLights {
  readonly live = new Map<string, Timeline>()
  /** By their ids, in order of their ends. */
  readonly ended = new Map<string, { readonly button: string; readonly at: number }>()

  constructor(private readonly state: ModelState) {}

  start(button: ModelButton, follows: 'media' | 'itself'): void {
    const { lights } = button
    if (!this.state.scenario.dmxAllowed || lights === null || lights.durationMs === null) return
    this.end(button.id)
    const { observer, now } = this.state
    const birth = take(observer.lightBirths, (one) => one.buttonId === button.id && one.at === now)
    this.state.judge.hold('3.5/start', birth !== null, () => `no DMX run began for b${button.n}`)
    const id = birth!.dmxExecutionId
    this.state.judge.hold('1/dmx-id-apart', !this.state.known.has(id), () =>
      `${id} was given before`)
    const line: Timeline = {
      id, button: button.id, title: `b${button.n}`, loop: lights.loop,
      frames: framesOf(lights.durationMs), state: 'initializing', position: 0,
      since: this.state.now, sequence: -1, sync: 'internal', heardAt: 0, last: null, worst: null,
    }
    this.live.set(button.id, line)
    if (follows === 'media') this.#expect(line, 'initializing', '3.5/start')
    else this.#begin(line)
  }

  sounds(button: string): void {
    const line = this.#lineOf(button)
    if (line?.state === 'initializing') this.#begin(line)
  }

  /** What ends at this very frame has ended, and is neither held nor ended once more. */
  #lineOf(button: string): Timeline | undefined {
    this.settle()
    return this.live.get(button)
  }

  #begin(line: Timeline): void {
    this.#put(line, 0, true)
    this.#expect(line, 'started', '3.5/start')
  }

  hold(button: string): void {
    const line = this.#lineOf(button)
    if (line === undefined || line.state === 'held') return
    if (line.sync !== 'internal') {
      return this.state.judge.sometimes('an external clock owns a timeline whose media pauses')
    }
    this.#put(line, this.at(line), false)
    this.#expect(line, 'held', '3.5/follows')
  }

  release(button: string): void {
    const line = this.#lineOf(button)
    if (line?.state !== 'held' || line.sync !== 'internal') return
    this.#put(line, line.position, true)
    this.#expect(line, 'released', '3.5/follows')
  }

  end(button: string): void {
    const line = this.#lineOf(button)
    if (line !== undefined) this.#gone(line, 'ended', '3.5/follows')
  }

  /** The show was replaced: its length and its loop hold from now on, where they are known. */
  reread(): void {
    this.settle()
    for (const line of this.live.values()) {
      const saved = this.state.show.buttons.get(line.button)?.lights ?? null
      if (saved === null || saved.durationMs === null) continue
      line.position = this.at(line)
      line.since = this.state.now
      line.loop = saved.loop
      line.frames = framesOf(saved.durationMs)
      line.position = this.at(line)
    }
  }

  /** The next frame at which a timeline does something by itself; Infinity where none will. */
  nextDue(): number {
    let due = Infinity
    for (const line of this.live.values()) due = Math.min(due, endOf(line), quietAt(line))
    return due
  }

  settle(): void {
    for (const line of [...this.live.values()]) {
      if (endOf(line) === this.state.now) {
        this.state.judge.sometimes('a timeline completes by itself')
        this.#gone(line, 'completed', '3.5/completes')
      } else if (quietAt(line) === this.state.now) {
        line.sync = 'freewheel'
        this.#expect(line, 'freewheel', 'D5/sync-state')
      }
    }
  }

  /** Where a timeline stands: wrapped where it loops, else at most its end. */
  at(line: Timeline): number {
    const reached = line.position + (line.state === 'running' ? this.state.now - line.since : 0)
    return line.loop ? reached % line.frames : Math.min(reached, line.frames)
  }

  sync(ask: SyncAsk): Answer {
    const line = this.live.get(ask.buttonId)
    const saved = this.state.show.buttons.get(ask.buttonId)?.lights ?? null
    if (line === undefined && saved === null) {
      return refused(422, 'media_file_missing', 'D5/sync-refusals')
    }
    const error = this.#refusal(line, ask)
    if (error !== null) return refused(409, error, 'D5/sync-refusals')
    const { executionId, sequence, isPlaying } = ask
    const followed = this.#follow(line!, ask)
    return ok({ executionId, sequence, isPlaying, ...followed }, '3.5/sync-answer')
  }

  #refusal(line: Timeline | undefined, ask: SyncAsk): string | null {
    if (line?.id !== ask.executionId) {
      const ended = this.ended.get(ask.executionId)
      const since = this.state.now - RETENTION
      const remembered = ended !== undefined && ended.at >= since ? ended.button : null
      const other = [...this.live.values()].find((one) => one.id === ask.executionId)?.button
      const owner = remembered ?? other ?? null
      return owner !== null && owner !== ask.buttonId ? 'stale_execution' : 'dmx_not_active'
    }
    if (line.state === 'initializing') {
      this.state.judge.sometimes('a sync while initializing')
      return 'dmx_initializing'
    }
    if (ask.sequence <= line.sequence) {
      this.state.judge.sometimes('a stale sequence')
      return 'dmx_stale_sequence'
    }
    return null
  }

  #follow(line: Timeline, ask: SyncAsk) {
    const lasts = line.frames / 48
    const here = this.at(line)
    const told = toldFrames(line, ask.positionMs)
    let drift = (here - told) / 48
    if (line.loop && drift >= lasts / 2) drift -= lasts
    else if (line.loop && drift < -lasts / 2) drift += lasts
    this.state.judge.sometimes('a drift across the wrap of a loop',
      line.loop && Math.abs(here - told) > line.frames / 2)
    const turned = ask.isPlaying !== (line.state === 'running')
    const past = !line.loop && ask.positionMs >= lasts
    const far = Math.abs(Math.abs(drift) - 100) < BLUR && !Number.isInteger(drift)
      ? this.state.said?.['corrected'] === true
      : Math.abs(drift) > 100
    if (Math.abs(drift) === 100) this.state.judge.sometimes('a drift of exactly 100 ms')
    if (far && Math.abs(drift) < 101.5) this.state.judge.sometimes('a drift just above 100 ms')
    const corrected = past || turned || ask.forceSeek || far
    this.#chase(line, ask, drift)
    if (past) {
      this.state.judge.sometimes('a timeline is told past its end')
      this.#put(line, line.frames, ask.isPlaying)
      this.#gone(line, 'completed', '3.5/completes')
      return { driftMs: drift, positionMs: lasts, corrected }
    }
    if (corrected) {
      const landed = Math.round(told)
      const inside = landed < line.frames ? landed : line.loop ? 0 : line.frames - 1
      this.#put(line, inside, ask.isPlaying)
      const change = turned ? (ask.isPlaying ? 'released' : 'held') : 'corrected'
      this.#expect(line, change, '3.5/drift')
    }
    return { driftMs: drift, positionMs: this.at(line) / 48, corrected }
  }

  #chase(line: Timeline, { sequence, forceSeek }: SyncAsk, drift: number): void {
    line.sequence = sequence
    line.heardAt = this.state.now
    line.last = drift
    if (!forceSeek && Math.abs(drift) >= Math.abs(line.worst ?? 0)) line.worst = drift
    const before = line.sync
    line.sync = 'chasing'
    if (before !== 'chasing') this.#expect(line, 'chasing', 'D5/sync-state')
  }

  #put(line: Timeline, position: number, moving: boolean): void {
    line.state = moving ? 'running' : 'held'
    line.position = position
    line.since = this.state.now
  }

  #gone(line: Timeline, change: 'completed' | 'ended', rule: RuleName): void {
    // Its end and its media's end at one frame: which comes first is told nowhere.
    const tie = endOf(line) === this.state.now
    this.live.delete(line.button)
    this.ended.set(line.id, { button: line.button, at: this.state.now })
    const heard = this.state.observer.lights.next(line.id)?.change
    const told = tie && (heard === 'completed' || heard === 'ended') ? heard : change
    this.#expect(line, told, rule)
  }

  #expect(line: Timeline, change: DmxEvent['change'], rule: RuleName): void {
    const heard = this.state.observer.lights.take(line.id)
    this.state.judge.hold(rule, heard?.change === change && heard.at === this.state.now, () =>
      `the timeline of ${line.button} should tell ${change} now; ` +
      (heard === undefined ? 'it tells nothing' : `it tells ${heard.change} at ${heard.at}`))
    const ms = this.at(line) / 48
    this.state.judge.hold('3.5/position', Math.abs(heard!.positionMs - ms) < 1e-6, () =>
      `the timeline stands at ${ms} ms, told as ${heard!.positionMs}`)
  }
}

const endOf = ({ state, loop, since, frames, position }: Timeline): number =>
  state === 'running' && !loop ? since + frames - position : Infinity

/** An external clock that was silent for a second leaves its timeline to itself. */
const quietAt = (line: Timeline): number =>
  line.sync === 'chasing' ? line.heardAt + QUIET : Infinity
