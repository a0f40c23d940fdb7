// The start of a bed: sent once whatever becomes of its answer, and taken back when it is too late.
import { LOOK_UP, type BedList } from './background-list.js'
import { NotStartedError } from './background-options.js'
import {
  backOf, dueAgain, dueAnew, hasSounded, rests, runningAs, type Back, type Due, type Intent,
  type Resume, type Starting, type Stray, type Wish,
} from './background-phase.js'
import { endBack, lookAtRun } from './background-run.js'
import { codeOf, failureOf, newKey, outcomeOf, unlessRefused } from './failure.js'

type StopWish = Extract<Wish, { kind: 'stop' }>

/** Looks at the button before a start, so that it can be told afterwards whether it happened. */
export const prepare = async (list: BedList, due: Due): Promise<void> => {
  const { index, by, back, key } = due
  const buttonId = list.options.beds[index] as string
  list.index = index
  list.tell()
  const before = await list.calls.liveRunOf(buttonId, list.signal)
  if (list.phase !== due) return
  list.phase = {
    kind: 'starting', index, by, back, buttonId, key: key ?? newKey(), before, isSent: false,
  }
  list.tell()
}

/** Silence holds, and yet another page begins the bed: that is music which somebody wants. */
export const lookForBed = async (list: BedList, due: Due): Promise<void> => {
  const { index, back } = due
  const bed = list.options.beds[index] as string
  const { active } = await list.calls.status(list.signal)
  const found = active.find(({ id, state }) => id === bed.toLowerCase() && state === 'playing')
  const executionId = found?.executionId ?? null
  if (executionId === null || executionId === back?.running.run.executionId) return
  if (list.phase !== due || list.intent !== null) return
  list.follow({ running: runningAs({ buttonId: bed, executionId }), index })
  list.wantsPause = false
}

/** Sends a start, or finds out what became of one whose answer was lost. */
export const goOnStarting = async (list: BedList, start: Starting): Promise<void> => {
  const { buttonId, key, isSent } = start
  if (isSent) {
    const made = await runMadeBy(list, start)
    if (list.phase !== start) return
    if (made !== null) return began(list, start, made)
  }
  // For silence it is given up; should it have happened, there is a bed to be paused.
  if (list.wantsPause && (!isSent || await list.calls.burn(buttonId, key, list.signal))) {
    if (list.phase === start) list.phase = isSent ? dueAnew(start) : dueAgain(start)
    return
  }
  start.isSent = true
  try {
    const leftMs = list.wantsPause ? Infinity : start.by - list.now
    const { executionId } = await list.calls.start(start, leftMs)
    // Taken back meanwhile: it is looked for and stopped.
    if (list.phase === start) await began(list, start, executionId)
  } catch (error) {
    if (!isSent && outcomeOf(error) === 'not_sent') start.isSent = false
    if (list.phase !== start) return
    if (codeOf(error) !== 'idempotency_conflict') throw error
    // Another page gave it up.
    list.phase = dueAnew(start)
  }
}

/** The run that a start made, if it happened: the button has another one than before it. */
const runMadeBy = async (list: BedList, { buttonId, before }: Starting): Promise<string | null> => {
  const live = await list.calls.liveRunOf(buttonId, list.signal)
  return live === before ? null : live
}

const began = async (
  list: BedList, start: Starting, executionId: string | null,
): Promise<void> => {
  if (executionId === null) {
    list.halt('refused', null)
    return
  }
  const { buttonId, index, next } = start
  const back = await soundingOf(list, start.back)
  if (list.phase !== start) return
  list.heard()
  list.follow({ running: runningAs({ buttonId, executionId }, back), index })
  if (next !== undefined) list.becomeDue(next.index, next.by)
}

/** What sounds until a start does. A bed that is not ready yet would come later, in its place. */
const soundingOf = async (list: BedList, back: Back | null): Promise<Back | null> => {
  if (back === null) return null
  const { running } = back
  if (!hasSounded(running)) {
    const looked = list.calls.execution(running.run, list.signal)
    running.execution = await unlessRefused(looked) ?? running.execution
  }
  if (hasSounded(running) && running.execution?.endReason === null) {
    // Nobody had the time to see it sound: what it took the place of is over too.
    await endBack(list, running)
    return back
  }
  await unlessRefused(list.calls.stop(running.run, 0))
  return running.back
}

/** The deadline of a start has come: it is given up, and taken back where it may have happened. */
export const isLate = (list: BedList): boolean => {
  const { intent } = list
  if (deadlineMs(list) > 0) return false
  if (intent?.kind === 'resume') {
    giveUpResume(list, intent)
    return true
  }
  list.intent = null
  // First: what the app asks for when it is told is none of it. So it is below.
  list.asked.answer(notStarted(list))
  giveUp(list, 'halted')
  list.tell()
  return true
}

const notStarted = ({ phase, refusal }: BedList, isStopped = false): NotStartedError => {
  const isSent = phase.kind === 'starting' && phase.isSent
  return new NotStartedError(isSent ? 'not_answered' : 'not_sent', refusal, isStopped)
}

/** How long it may take yet to start or to go on; for ever where silence is what is wanted. */
export const deadlineMs = ({ phase, intent, isDue, now }: BedList): number => {
  const isStarting = phase.kind === 'starting' || (isDue && phase.kind === 'due')
  let by = isStarting ? phase.by : Infinity
  if (intent?.kind === 'resume') by = intent.by
  else if (intent !== null && intent.kind !== 'start') by = Infinity
  return Math.max(0, by - now)
}

/** The silence that there was stays, or is made again should it have gone on. */
const giveUpResume = (list: BedList, intent: Resume): void => {
  const { wasQuiet, sentFor } = intent
  list.intent = null
  list.wantsPause = wasQuiet
  list.mayStray(intent, async () => {
    if (!wasQuiet || sentFor === null || list.intent?.kind === 'resume') return
    await unlessRefused(list.calls.pause(sentFor, 0, newKey()))
  })
  const error = new NotStartedError(sentFor === null ? 'not_sent' : 'not_answered', list.refusal)
  list.asked.answer(error, (asked) => asked.kind !== 'adopt')
  list.tell()
}

/** A start that did not happen changed nothing: what played before it plays on. */
const giveUp = (list: BedList, as: 'halted' | 'stopped'): void => {
  const { phase } = list
  // What is looked after already is not touched by a start that was not begun yet.
  if (phase.kind === 'running') return
  if (phase.kind === 'starting' && phase.isSent) {
    const { buttonId, key } = phase
    list.strays.push({ buttonId, key, undo: () => undoStart(list, phase) })
  }
  const back = backOf(phase)
  if (back !== null) list.follow(back)
  else if (as === 'halted') list.halt('late', list.refusal)
  else list.phase = { kind: 'stopped' }
}

/** It arrived all the same: exactly the run that it made is stopped. */
const undoStart = async (list: BedList, start: Starting): Promise<void> => {
  const { buttonId, back } = start
  const answer = await unlessRefused(list.calls.start(start, Infinity))
  const { executionId = null } = answer?.result === 'accepted' ? answer : {}
  if (executionId !== null) await unlessRefused(list.calls.stop({ buttonId, executionId }, 0))
  const isBack = back !== null && list.phase === back.running
  if (!isBack) return
  await lookAtRun(list, back.running)
  // It took the place of what played before.
  if (list.phase.kind === 'halted') list.halt('late', null)
}

/** The app's signal: unless the bed plays already, it is not to play. */
export const takeBack = (list: BedList, intent: Intent, reason: unknown): void => {
  const { kind } = list.phase
  // A later one that took its place is none of the signal's business.
  const isOurs = list.latestStart === intent
  if (isOurs && list.intent !== intent && kind !== 'due' && kind !== 'starting') return
  if (list.intent === intent) list.intent = null
  // Nor does one begin later whose place it took itself.
  list.asked.answer(reason, (asked) => asked === intent || (isOurs && asked.kind === 'start'))
  if (isOurs) giveUp(list, 'stopped')
  list.tell()
  list.looking.abort(LOOK_UP)
}

/** What was given up never happens any more, or it did and is undone. */
export const settleStray = async (list: BedList, stray: Stray): Promise<void> => {
  const { buttonId, key, undo } = stray
  if (!(await list.calls.burn(buttonId, key, list.signal))) await undo?.()
  list.strays = list.strays.filter((it) => it !== stray)
}

export const carryOutStop = async (list: BedList, intent: StopWish): Promise<void> => {
  const superseded = notStarted(list, true)
  giveUp(list, 'stopped')
  const { phase } = list
  const isLatest = list.intent === intent
  try {
    if (phase.kind === 'running') {
      const before = phase.back?.running.run
      if (before !== undefined) await list.calls.stop(before, intent.fadeOutMs)
      await list.calls.stop(phase.run, intent.fadeOutMs)
    }
    list.phase = { kind: 'stopped' }
    list.asked.drop(superseded, (asked) => asked.kind === 'start' && asked !== list.intent)
  } catch (error) {
    if (failureOf(error) !== 'refused') throw error
    // It plays on, and is looked after as before.
    if (phase.kind === 'running' && isLatest) list.wantsPause = rests(phase.execution)
    list.asked.answer(error, (asked) => isLatest || asked === intent)
  }
  list.settle(intent)
}
