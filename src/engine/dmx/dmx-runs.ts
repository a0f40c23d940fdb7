// DMX runs: every run of a timeline from start to end, and the external clock's say in it.
import { earlier, frame, FRAMES_PER_SECOND, framesToMs, type Frame } from '../../clock/frame.js'
import type { SyncAnswer } from '../../contract/schemas.js'
import type { EndReason } from '../../contract/vocabulary.js'
import type { Button, TimelineRef } from '../catalogue.js'
import type { EngineEvent } from '../events.js'
import { Retention } from '../retention.js'
import { completesAt, dmxViewOf, positionAt, type DmxRun, type DmxView } from './dmx-run.js'
import {
  correctionOf, noteMessage, quietAt, syncRefusal, type SyncMessage, type SyncReply,
} from './sync.js'

type DmxEvent = Extract<EngineEvent, { kind: 'dmx' }>

export interface DmxStart {
  readonly dmxExecutionId: string
  readonly button: Pick<Button, 'id' | 'title'>
  readonly timeline: TimelineRef
  /** One that follows its media is prepared until the media sounds; the others run at once. */
  readonly follows: 'media' | 'itself'
}

/** Ended runs remembered at most, so that a client in a tight loop of starts cannot fill memory. */
const ENDED_MAX = 65_536
/**
 * What completed, or ended with its media, is told to the lamps for so long: more than any output
 * is behind.
 */
const HEARD_OUT_FRAMES = 2 * FRAMES_PER_SECOND
/** Lamps that are late by `dmx.offsetMs` may have yet to see so many ends: more than a show has. */
const UNSEEN_MAX = 256

/** Synchronous, with time as an argument that never goes back. It sets no alarm: see `nextDue`. */
export class DmxRuns {
  readonly #emit: (event: DmxEvent) => void
  /** Live runs by button, in order of their starts: a button has at most one. */
  readonly #live = new Map<string, DmxRun>()
  /** The buttons of ended runs: late messages are told apart (decisions 5). */
  readonly #ended: Retention<string>
  /** Those that completed, or ended with their media, as they ended. */
  #heardOut: readonly DmxView[] = []
  /** The last of them, however long ago: a stop makes dark what lamps still show of them. */
  #unseen: readonly DmxView[] = []
  #serial = 0
  #revision = 0

  constructor(emit: (event: DmxEvent) => void, retention: Frame) {
    this.#emit = emit
    this.#ended = new Retention(retention)
  }

  /** Rises whenever a view changed in more than the passing of time. */
  get revision(): number {
    return this.#revision
  }

  start(now: Frame, start: DmxStart): void {
    this.settle(now)
    const { dmxExecutionId, button: { id: buttonId, title }, timeline, follows } = start
    if (timeline.durationFrames === null) throw new Error('a timeline that is bad makes no run')
    if (this.#live.has(buttonId)) throw new Error('a button has at most one DMX run')
    const run: DmxRun = {
      dmxExecutionId, buttonId, title, follows,
      timelineId: timeline.timelineId,
      startedSerial: (this.#serial += 1),
      loop: timeline.loop,
      duration: timeline.durationFrames,
      state: 'initializing',
      playhead: { at: now, position: frame(0), rate: 0 },
      sync: 'internal',
      sequence: -1, lastMessageAt: null, lastDriftMs: null, worstDriftMs: null,
    }
    this.#live.set(buttonId, run)
    if (follows === 'itself') this.#begin(now, run)
    else this.#tell(now, run, 'initializing')
  }

  /** The media left `starting` and sounds. */
  mediaSounds(now: Frame, buttonId: string): void {
    this.settle(now)
    const run = this.#live.get(buttonId)
    if (run?.state === 'initializing') this.#begin(now, run)
  }

  /** The media is paused; one that was paused while it started holds its timeline at the start. */
  hold(now: Frame, buttonId: string): void {
    this.settle(now)
    const run = this.#live.get(buttonId)
    if (run === undefined || run.state === 'held' || run.follows === 'external') return
    this.#place(run, now, positionAt(run, now), false)
    this.#tell(now, run, 'held')
  }

  /** The media goes on. */
  release(now: Frame, buttonId: string): void {
    this.settle(now)
    const run = this.#live.get(buttonId)
    if (run?.state !== 'held' || run.follows === 'external') return
    this.#place(run, now, run.playhead.position, true)
    this.#tell(now, run, 'released')
  }

  /**
   * The run of media ended, or begins to fade for good; or an image went. At a natural end, or
   * where it is replaced, the lamps see it when that is heard: those of what follows take over.
   */
  endWithMedia(now: Frame, buttonId: string, reason: EndReason): void {
    this.settle(now)
    const run = this.#live.get(buttonId)
    this.end(now, buttonId)
    if (run === undefined || reason === 'explicit_stop' || reason === 'playback_error') return
    this.#hearOut(run)
  }

  /** A stop, a restart, a failure: at once (3.5). */
  end(now: Frame, buttonId: string): void {
    this.settle(now)
    const run = this.#live.get(buttonId)
    if (run !== undefined) this.#finish(now, run, 'ended')
  }

  /**
   * A stop is accepted, or a panic (`buttonId` null): lamps that are late show no more of what had
   * ended by itself either (3.5).
   */
  darken(now: Frame, buttonId: string | null): void {
    this.settle(now)
    const isMeant = (view: DmxView): boolean => buttonId === null || view.buttonId === buttonId
    const darkened = this.#unseen.filter(isMeant)
    if (darkened.length === 0) return
    this.#unseen = this.#unseen.filter((view) => !isMeant(view))
    this.#tellLamps(now, darkened.map((view) => {
      const playhead = { ...view.playhead, at: now }
      return { ...view, state: 'darkened', playhead }
    }))
    this.#touch()
  }

  /**
   * The show was replaced. Lamps go by what a file says now, so its length and loop hold from now
   * on too. What names another file, or one that cannot be used, is for the next start.
   */
  reread(now: Frame, timelineOf: (buttonId: string) => TimelineRef | null): void {
    this.settle(now)
    for (const run of this.#live.values()) {
      const timeline = timelineOf(run.buttonId)
      if (timeline?.timelineId !== run.timelineId || timeline.durationFrames === null) continue
      const { loop, durationFrames: duration } = timeline
      if (run.loop === loop && run.duration === duration) continue
      const here = { ...run.playhead, at: now, position: positionAt(run, now) }
      const position = positionAt({ playhead: here, loop, duration }, now)
      run.loop = loop
      run.duration = duration
      run.playhead = { ...here, position }
      this.#touch()
    }
  }

  /** One message of the external clock; one that is refused changes nothing. */
  sync(now: Frame, message: SyncMessage): SyncReply {
    if (!Number.isFinite(message.positionMs) || message.positionMs < 0) {
      throw new RangeError('a position is finite and not negative')
    }
    this.settle(now)
    const run = this.#live.get(message.buttonId)
    const refusal = syncRefusal(run, message, (id) => this.#ownerOf(id))
    if (refusal !== null) return { ok: false, refusal }
    return { ok: true, body: this.#accept(now, run as DmxRun, message) }
  }

  /** The next frame at which something happens by itself: a completion, a clock gone quiet. */
  nextDue(): Frame | null {
    let due: Frame | null = null
    for (const run of this.#live.values()) {
      const own = dueOf(run)
      if (own !== null && (due === null || own < due)) due = own
    }
    return due
  }

  /** Does what is due at or before `now`, each thing at its own frame. At most two for each run. */
  settle(now: Frame): void {
    for (let due = this.nextDue(); due !== null && due <= now; due = this.nextDue()) {
      for (const run of [...this.#live.values()]) {
        if (dueOf(run) !== due) continue
        if (completesAt(run) === due) this.#finish(due, run, 'completed')
        else this.#freewheel(due, run)
      }
    }
    // A message at the last frame of ten minutes still finds its run.
    this.#ended.forget(frame(now - 1), ENDED_MAX)
  }

  /** The button's live run. */
  runOf(buttonId: string): DmxView | null {
    const run = this.#live.get(buttonId)
    return run === undefined ? null : dmxViewOf(run)
  }

  /** Every live run, in order of the starts. */
  views(): readonly DmxView[] {
    return Array.from(this.#live.values(), dmxViewOf)
  }

  /** What lamps need: live runs, and those that completed or ended with their media just now. */
  lamps(): readonly DmxView[] {
    return [...this.views(), ...this.#heardOut]
  }

  /** The button that a run's id belongs to, live or ended not long ago. */
  #ownerOf(executionId: string): string | null {
    for (const run of this.#live.values()) {
      if (run.dmxExecutionId === executionId) return run.buttonId
    }
    return this.#ended.get(executionId)
  }

  #accept(now: Frame, run: DmxRun, message: SyncMessage): SyncAnswer {
    const correction = correctionOf(run, now, message)
    const { position, past, turned, corrected, driftMs } = correction
    const { executionId, sequence, isPlaying } = message
    const wasChasing = run.sync === 'chasing'
    noteMessage(run, now, message, driftMs)
    this.#touch()
    if (!wasChasing) this.#tell(now, run, 'chasing')
    if (corrected) this.#place(run, now, position, isPlaying)
    if (past) this.#finish(now, run, 'completed')
    else if (turned) this.#tell(now, run, isPlaying ? 'released' : 'held')
    else if (corrected) this.#tell(now, run, 'corrected')
    const positionMs = framesToMs(position)
    return { executionId, sequence, corrected, positionMs, driftMs, isPlaying }
  }

  #begin(now: Frame, run: DmxRun): void {
    this.#place(run, now, frame(0), true)
    this.#tell(now, run, 'started')
  }

  #place(run: DmxRun, at: Frame, position: Frame, moving: boolean): void {
    run.state = moving ? 'running' : 'held'
    run.playhead = { at, position, rate: moving ? 1 : 0 }
    this.#touch()
  }

  #freewheel(at: Frame, run: DmxRun): void {
    run.sync = 'freewheel'
    this.#tell(at, run, 'freewheel')
  }

  #finish(at: Frame, run: DmxRun, change: 'completed' | 'ended'): void {
    const position = positionAt(run, at)
    run.state = 'ended'
    run.playhead = { at, position, rate: 0 }
    this.#live.delete(run.buttonId)
    this.#ended.keep(run.dmxExecutionId, run.buttonId, at)
    if (change === 'completed') this.#hearOut(run)
    this.#tell(at, run, change)
  }

  #hearOut(run: DmxRun): void {
    const view = dmxViewOf(run)
    this.#unseen = [...this.#unseen, view].slice(-UNSEEN_MAX)
    this.#tellLamps(run.playhead.at, [view])
  }

  #tellLamps(now: Frame, views: readonly DmxView[]): void {
    const since = now - HEARD_OUT_FRAMES
    const kept = this.#heardOut.filter(({ playhead }) => playhead.at > since)
    this.#heardOut = [...kept, ...views]
  }

  #tell(at: Frame, run: DmxRun, change: DmxEvent['change']): void {
    this.#touch()
    const { dmxExecutionId, buttonId } = run
    const positionMs = framesToMs(positionAt(run, at))
    this.#emit({ kind: 'dmx', at, dmxExecutionId, buttonId, change, positionMs })
  }

  #touch(): void {
    this.#revision += 1
  }
}

const dueOf = (run: DmxRun): Frame | null => {
  const end = completesAt(run)
  const quiet = quietAt(run)
  return end === null || quiet === null ? end ?? quiet : earlier(end, quiet)
}
