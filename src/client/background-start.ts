// The start of a bed: sent once whatever becomes of its answer, and taken back when it is too late.
import { LOOK_UP, type BedList } from './background-list.js'
import { NotStartedError } from './background-options.js'
import {
  backOf, dueAgain, hasSounded, runningAs, type Back, type Due, type Intent, type Resume,
  type Starting, type Withdrawing,
} from './background-phase.js'
import { newKey, outcomeOf, unlessRefused } from './failure.js'

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

/**
 * Silence holds, and yet the bed may begin: by another page, or by a start of ours that was not
 * answered. The first is music that somebody wants, the second is paused.
 */
export const lookForBed = async (list: BedList, due: Due): Promise<void> => {
  const { index, back, isSent } = due
  const bed = list.options.beds[index] as string
  const { active } = await list.calls.status(list.signal)
  const found = active.find(({ id, state }) => id === bed.toLowerCase() && state === 'playing')
  const executionId = found?.executionId ?? null
  if (executionId === null || executionId === back?.running.run.executionId) return
  if (list.phase !== due || list.intent !== null) return
  list.follow({ running: runningAs({ buttonId: bed, executionId }), index })
  list.wantsPause = isSent === true
  if (isSent === true) list.intent = { kind: 'pause', fadeOutMs: 0, key: newKey(), refusal: null }
}

/** Sends a start, or finds out what became of one whose answer was lost. */
export const goOnStarting = async (list: BedList, start: Starting): Promise<void> => {
  if (start.isSent) {
    const made = await runMadeBy(list, start)
    if (list.phase !== start) return
    if (made !== null) return began(list, start, made)
  }
  if (list.wantsPause) {
    list.phase = dueAgain(start)
    return
  }
  const wasSent = start.isSent
  start.isSent = true
  try {
    const executionId = await list.calls.start(start, start.by - list.now)
    // Taken back meanwhile: it is looked for and stopped.
    if (list.phase === start) await began(list, start, executionId)
  } catch (error) {
    if (!wasSent && outcomeOf(error) === 'not_sent') start.isSent = false
    if (list.phase === start) throw error
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
  list.held = null
  list.heard()
  list.follow({ running: runningAs({ buttonId, executionId }, back), index })
  if (next !== undefined) list.becomeDue(next.index, next.by)
}

/** What sounds until a start does. A bed that is not ready yet would come later, in its place. */
const soundingOf = async (list: BedList, back: Back | null): Promise<Back | null> => {
  if (back === null || hasSounded(back.running)) return back
  const { running } = back
  const looked = list.calls.execution(running.run, list.signal)
  running.execution = await unlessRefused(looked) ?? running.execution
  if (hasSounded(running) && running.execution?.endReason === null) return back
  await list.calls.stop(running.run, 0)
  return running.back
}

/** The deadline of a start has come: it is given up, and taken back where it may have happened. */
export const isLate = (list: BedList): boolean => {
  const { phase, intent } = list
  if (deadlineMs(list) > 0) return false
  if (intent?.kind === 'resume') {
    giveUpResume(list, intent)
    return true
  }
  if (intent !== null && intent.kind !== 'start') return false
  const isSent = phase.kind === 'starting' && phase.isSent
  list.intent = null
  // First: what the app asks for when it is told is none of it. So it is below.
  list.asked.answer(new NotStartedError(isSent ? 'not_answered' : 'not_sent', list.refusal))
  giveUp(list, 'halted')
  return true
}

/** How long it may take yet to start or to go on; for ever where nothing is to. */
export const deadlineMs = ({ phase, intent, isDue, now }: BedList): number => {
  if (intent?.kind === 'resume') return Math.max(0, intent.by - now)
  return phase.kind === 'starting' || (isDue && phase.kind === 'due')
    ? Math.max(0, phase.by - now)
    : Infinity
}

/** Should it have happened, or happen yet, the silence that there was is made again. */
const giveUpResume = (list: BedList, { wasQuiet, isSent }: Resume): void => {
  list.intent = null
  list.wantsPause = wasQuiet
  if (wasQuiet && isSent) {
    list.held = { kind: 'pause', fadeOutMs: 0, key: newKey(), refusal: null }
    list.strayUntil = list.now + list.lateMs
  }
  const error = new NotStartedError(isSent ? 'not_answered' : 'not_sent', list.refusal)
  list.asked.answer(error, (asked) => asked.kind !== 'adopt')
  list.tell()
}

const giveUp = (list: BedList, as: Withdrawing['as']): void => {
  const start = list.phase
  if (start.kind === 'starting' && start.isSent) {
    list.phase = { kind: 'withdrawing', start, until: list.now + list.lateMs, as }
    list.index = start.back?.index ?? list.index
  // What is looked after already is not touched by a start that was not begun yet.
  } else if (start.kind !== 'running' && start.kind !== 'withdrawing') end(list, as, backOf(start))
  list.tell()
}

/** A start that did not happen changed nothing: what played before it plays on. */
const end = (list: BedList, as: Withdrawing['as'], back: Back | null): void => {
  if (back !== null) list.follow(back)
  else if (as === 'halted') list.halt('late', list.refusal)
  else list.phase = { kind: 'stopped' }
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
  list.looking.abort(LOOK_UP)
}

/** A start that was given up is stopped should it have happened, and be it in a minute. */
export const withdraw = async (list: BedList, phase: Withdrawing): Promise<number> => {
  const { buttonId } = phase.start
  const made = await runMadeBy(list, phase.start)
  if (made !== null) {
    await list.calls.stop({ buttonId, executionId: made }, 0)
  } else if (list.now < phase.until) {
    return list.pollMs
  }
  // One that happened took the place of what played before.
  if (list.phase === phase) end(list, phase.as, made === null ? phase.start.back : null)
  return 0
}
