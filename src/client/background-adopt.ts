// After a reload of the page: the bed that plays or is paused is taken over, with what was due.
import type { BedList } from './background-list.js'
import type { BackgroundMemory } from './background-options.js'
import { rests, runningAs, type Adopt, type Back } from './background-phase.js'
import { lookAtRun } from './background-run.js'
import { unlessRefused } from './failure.js'
import type { StatusItem } from './wire.js'

export const carryOutAdopt = async (list: BedList, intent: Adopt): Promise<void> => {
  const { active, paused } = await list.calls.status(list.signal)
  const items = [...paused, ...active]
  const memory = await rememberedOf(list, intent, items)
  if (list.adopting !== intent) return
  const ours = oursOf(list, items, memory)
  const found = foundOf(list, ours, memory)
  list.index = memory?.index ?? found?.index ?? 0
  // A wish that came meanwhile is a later one than what is remembered.
  if (list.intent === null) list.wantsPause = memory?.isPaused ?? found?.isPaused ?? false
  if (memory?.isDue === true && (found === null || found.executionId === memory.executionId)) {
    becomeDueAgain(list, memory, found)
  } else if (found !== null) {
    // Somebody resumed it, or another page went on: the silence that is remembered is over.
    if (list.intent === null && found.isPlaying) list.wantsPause = false
    await takeOver(list, found, gaveWayTo(found, ours, memory))
  } else if (memory !== null && memory.executionId !== null) {
    await lookAt(list, memory.executionId)
    // What ended long ago is nothing to go on from.
    if (list.isDue && !list.isFresh(memory.atMs)) list.halt('late', null)
    // Another page may have gone on since, and rest by now.
    const resting = ours.at(-1)
    const isOver = list.phase.kind === 'halted' && list.phase.reason !== 'explicit_stop'
    if (isOver && resting !== undefined) await takeOver(list, resting)
  }
  list.settle(intent)
}

/** The list may be another one than before the reload: what is not of its bed is forgotten. */
const rememberedOf = async (
  { options, calls, signal }: BedList, { memory }: Adopt, items: readonly StatusItem[],
): Promise<BackgroundMemory | null> => {
  const bed = options.beds[memory?.index ?? -1]?.toLowerCase()
  if (memory === null || bed === undefined) return null
  const { executionId, isDue } = memory
  // Of a bed that is due the run before it is remembered.
  if (executionId === null || isDue) return memory
  const found = items.find((it) => it.executionId === executionId)?.id
  const id = found
    ?? (await unlessRefused(calls.execution({ buttonId: bed, executionId }, signal)))?.buttonId
  return id === undefined || id === bed ? memory : null
}

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

const takeOver = async (
  list: BedList, { index, executionId }: Found, back: Back | null = null,
): Promise<void> => {
  list.index = index
  await lookAt(list, executionId, back)
}

/** What sounds until a bed does that was on its way when the page was loaded again. */
const gaveWayTo = (
  found: Found, ours: readonly Found[], memory: BackgroundMemory | null,
): Back | null => {
  const isOnItsWay = !found.isPlaying && !found.isPaused
  // Where it replaces nothing it sounds beside what it was to take the place of.
  const before = memory?.isDue === true ? memory.executionId : memory?.back
  const old = ours.filter((it) =>
    it !== found && it.isPlaying && (isOnItsWay || it.executionId === before)).at(-1)
  return old === undefined ? null : { running: runningAs(old), index: old.index }
}

const lookAt = async (
  list: BedList, executionId: string, back: Back | null = null,
): Promise<void> => {
  const run = { buttonId: list.bed, executionId }
  const phase = runningAs(run, back)
  list.phase = phase
  await lookAtRun(list, phase)
}

interface Found {
  readonly index: number
  readonly buttonId: string
  readonly executionId: string
  readonly isPaused: boolean
  readonly isPlaying: boolean
}

const oursOf = (
  list: BedList, items: readonly StatusItem[], memory: BackgroundMemory | null,
): Found[] => {
  const beds = list.options.beds.map((bed) => bed.toLowerCase())
  return items.flatMap((item): Found[] => {
    const { id, executionId, state } = item
    if (executionId === null || state === 'fading_out' || !beds.includes(id)) return []
    // The run that the button had before the start which is remembered is none of ours.
    if (executionId === memory?.before && executionId !== memory.executionId) return []
    const place = memory?.index ?? -1
    const index = beds[place] === id ? place : beds.indexOf(id)
    const isPlaying = state === 'playing'
    return [{ index, buttonId: id, executionId, isPaused: rests(item), isPlaying }]
  })
}

/**
 * The run of a bed that is there; of several the one that is remembered, else the latest. A bed
 * that rests may have done so since long before: what is remembered comes first, if anything is.
 */
const foundOf = (
  list: BedList, ours: readonly Found[], memory: BackgroundMemory | null,
): Found | null => {
  const { executionId = null, isDue = false, key = null, index } = memory ?? {}
  const mine = ours.find((it) => it.executionId === executionId)
  const others = ours.filter((it) => it !== mine)
  const sounding = others.filter((it) => !it.isPaused).at(-1)
  if (executionId === null && !isDue) return others.at(-1) ?? null
  // A start that was sent may have made a run that rests by now.
  const made = sounding ?? others.find((it) => key !== null && it.index === index)
  return (isDue ? made : undefined) ?? mine ?? sounding ?? null
}
