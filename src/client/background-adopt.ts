// After a reload of the page: the bed that plays or is paused is taken over, with what was due.
import type { BedList } from './background-list.js'
import type { BackgroundMemory } from './background-options.js'
import { runningAs, type Adopt } from './background-phase.js'
import { lookAtRun } from './background-run.js'
import type { StatusItem } from './wire.js'

export const carryOutAdopt = async (list: BedList, intent: Adopt): Promise<void> => {
  const memory = rememberedOf(list, intent)
  const { active, paused } = await list.calls.status(list.signal)
  if (list.adopting !== intent) return
  const found = foundOf(list, [...paused, ...active], memory)
  list.index = memory?.index ?? found?.index ?? 0
  // A wish that came meanwhile is a later one than what is remembered.
  if (list.intent === null) list.wantsPause = memory?.isPaused ?? found?.isPaused ?? false
  if (memory?.isDue === true && (found === null || found.executionId === memory.executionId)) {
    becomeDueAgain(list, memory, found)
  } else if (found !== null) {
    list.index = found.index
    await takeOver(list, found.executionId)
  } else if (memory !== null && memory.executionId !== null) {
    await takeOver(list, memory.executionId)
    // What ended long ago is nothing to go on from.
    if (list.isDue && !list.isFresh(memory.atMs)) list.halt('late', null)
  }
  list.settle(intent)
}

/** The list may be another one than before the reload: a bed that it does not have is forgotten. */
const rememberedOf = ({ options }: BedList, { memory }: Adopt): BackgroundMemory | null =>
  memory === null || options.beds[memory.index] === undefined ? null : memory

/** The bed was about to start when the page went; with the key of then it starts but once. */
const becomeDueAgain = (list: BedList, memory: BackgroundMemory, old: Found | null): void => {
  const { key, isPaused, atMs } = memory
  if (!isPaused && !list.isFresh(atMs)) list.halt('late', null)
  else {
    const back = old === null ? null : { running: runningAs(old), index: old.index }
    const by = list.now + list.lateMs
    list.phase = { kind: 'due', index: list.index, by, back, key }
  }
}

const takeOver = async (list: BedList, executionId: string): Promise<void> => {
  const run = { buttonId: list.bed, executionId }
  const phase = runningAs(run)
  list.phase = phase
  await lookAtRun(list, phase)
}

interface Found {
  readonly index: number
  readonly buttonId: string
  readonly executionId: string
  readonly isPaused: boolean
}

/** The run of a bed that is there; of several the one that is remembered, else the latest. */
const foundOf = (
  list: BedList, items: readonly StatusItem[], memory: BackgroundMemory | null,
): Found | null => {
  const beds = list.options.beds.map((bed) => bed.toLowerCase())
  const ours = items.flatMap(({ id, executionId, state }): Found[] => {
    if (executionId === null || state === 'fading_out' || !beds.includes(id)) return []
    // The run that the button had before the start which is remembered is none of ours.
    if (executionId === memory?.before && executionId !== memory.executionId) return []
    const place = memory?.index ?? -1
    const index = beds[place] === id ? place : beds.indexOf(id)
    const isPaused = state === 'paused' || state === 'pausing'
    return [{ index, buttonId: id, executionId, isPaused }]
  })
  return ours.find((it) => it.executionId !== memory?.executionId && memory?.isDue === true)
    ?? ours.find((it) => it.executionId === memory?.executionId) ?? ours.at(-1) ?? null
}
