// The run of a bed: paused, resumed, looked at, and what its end means for the list (4.1, 4.2).
import type { BedList } from './background-list.js'
import {
  rests, type Back, type Intent, type Pause, type Run, type Running,
} from './background-phase.js'
import type { HaltReason } from './background-options.js'
import type { CartwallError } from './error.js'
import { codeOf, failureOf, outcomeOf, unlessRefused } from './failure.js'
import type { Execution } from './wire.js'

type PauseOrResume = Extract<Intent, { kind: 'pause' | 'resume' }>

export const pauseOrResume = async (
  list: BedList, intent: PauseOrResume, phase: Running,
): Promise<void> => {
  const { run } = phase
  if (intent.refusal !== null) return refused(list, intent, phase, intent.refusal)
  try {
    const { back } = phase
    if (intent.kind === 'pause' && back !== null) await pausePredecessor(list, back, intent)
    const seen = intent.kind === 'pause'
      ? await list.calls.pause(run, intent.fadeOutMs, intent.key)
      : await list.calls.resume(run, intent, intent.by - list.now)
    list.settle(intent)
    phase.isPutAside = false
    takeReading(list, phase, seen)
  } catch (error) {
    if (outcomeOf(error) === 'not_answered') {
      intent.sentFor = run
      if (list.intent !== intent) list.mayStray(intent)
    }
    if (failureOf(error) !== 'refused') throw error
    intent.refusal = error as CartwallError
    await refused(list, intent, phase, intent.refusal)
  }
}

/** What would give way to a bed that does not sound yet. What cannot be paused is silent. */
const pausePredecessor = async (
  list: BedList, back: Back, { fadeOutMs, key }: Pause,
): Promise<void> => {
  const { running } = back
  const paused = list.calls.pause(running.run, fadeOutMs, `${key}-back`)
  running.execution = await unlessRefused(paused) ?? running.execution
}

/** Over, gone or not ours any more. It is looked at, and never started again instead (4.2.4). */
const refused = async (
  list: BedList, intent: PauseOrResume, phase: Running, error: CartwallError,
): Promise<void> => {
  // A look that is cut short is taken again, with the refusal in mind.
  await lookAtRun(list, phase)
  const isLatest = list.intent === intent
  list.settle(intent)
  if (list.phase.kind === 'halted') list.phase = { ...list.phase, error }
  else if (list.phase !== phase || !isLatest) return
  // It goes on as it did, and so does what the app wanted before.
  else list.wantsPause = rests(phase.execution)
  // First: what the app asks for when it is told is none of it.
  list.asked.answer(error)
  list.tell()
}

export const lookAtRun = async (list: BedList, phase: Running): Promise<void> => {
  const { signal } = list
  try {
    const seen = await list.calls.execution(phase.run, signal)
    // The service stops what plays when it ends in order: that run is lost, nobody stopped it.
    if (seen.endReason === 'explicit_stop') {
      const { state } = await list.calls.status(signal)
      if (state === 'shutting_down') return
    }
    const back = await leftBy(list, phase, seen)
    if (list.phase !== phase) return
    if (back !== null) {
      list.follow(back)
      list.gaveWay = seen.endReason as HaltReason
    } else if (seen.state !== 'starting') await endBack(list, phase)
    if (list.phase === phase) takeReading(list, phase, seen)
  } catch (error) {
    if (codeOf(error) !== 'execution_not_found') throw error
    await lost(list, phase)
  }
}

/** The bed sounds: what was to give way to it is over, also where it replaces nothing. */
export const endBack = async (list: BedList, phase: Running): Promise<void> => {
  if (phase.back === null) return
  const { run, execution, isPutAside } = phase.back.running
  const old = await unlessRefused(list.calls.execution(run, list.signal))
  // One that rested before is not kept by its own wish: nobody would end it.
  const isLeft = rests(old) && rests(execution) && !isPutAside
  if (old?.state === 'playing' || isLeft) await unlessRefused(list.calls.stop(run, undefined))
  phase.back = null
}

/** What the bed was to take the place of, as it was: the bed ended before it sounded. */
const leftBy = async (
  list: BedList, { back }: Running, { endReason }: Execution,
): Promise<Back | null> => {
  if (back === null || endReason === null || endReason === 'natural_end') return null
  const { run, execution } = back.running
  const old = await list.calls.execution(run, list.signal)
  return old.state === 'playing' || (rests(old) && rests(execution)) ? back : null
}

/** The service does not know the run: no reason to move on, but one to ask (4.2.3). */
const lost = async (list: BedList, phase: Running): Promise<void> => {
  const { buttonId, executionId } = phase.run
  const status = await list.calls.status(list.signal)
  if (list.phase !== phase) return
  const items = [...status.active, ...status.paused]
  const other = items.find(({ id }) => id === buttonId.toLowerCase())
  if (other !== undefined && other.executionId !== executionId) list.halt('superseded', null)
  else if (list.options.whenLost !== 'start') list.halt('lost', null)
  else if (status.state === 'ready') list.scheduleAfter(phase.run, list.index, list.afterHeard(0))
}

/** What the run is by now: it is kept, and its end moves the list on or halts it. */
const takeReading = (list: BedList, phase: Running, execution: Execution): void => {
  const before = phase.execution
  const { state, endReason } = execution
  if (state === 'completed' && endReason === 'natural_end') {
    // It was put aside and ended in that fade: the next one waits as it would have done.
    if (phase.isPutAside) list.wantsPause = true
    advance(list, endedAt(list, before, execution), phase.run)
    return
  }
  phase.execution = execution
  if (endReason === null) {
    list.heard()
    // Not by us, or it would be the wish that holds: whoever resumed it wants music.
    if (state === 'playing' && rests(before)) {
      phase.isPutAside = false
      if (list.intent === null) list.wantsPause = false
    }
  } else list.halt(endReason === 'natural_end' ? 'lost' : endReason, null)
}

/** A bed came to its natural end, perhaps while the service was away, or the page slept. */
const advance = (list: BedList, since: number, run: Run): void => {
  const { beds, wrap } = list.options
  const next = list.index + 1 < beds.length ? list.index + 1 : 0
  if (next > 0 || wrap === true) list.scheduleAfter(run, next, since)
  else list.phase = { kind: 'finished' }
}

/** When it ended, as near as can be known: it cannot have been before it was due to. */
const endedAt = (list: BedList, before: Execution | null, ended: Execution): number => {
  const end = ended.endMs ?? ended.durationMs
  return list.afterHeard(Math.max(0, end - (before?.positionMs ?? ended.startMs)))
}
