// What can be made plainer in a scenario, one thing at a time. A scenario is a tree of settings,
// lists and numbers: each is tried at its plain value, without an item, or rounder.
import {
  PLAIN_BUTTON, PLAIN_FILE, PLAIN_LIST, PLAIN_SCENARIO, type Op, type Scenario,
} from '../scenario/scenario.js'

export type Candidates = (scenario: Scenario) => readonly Scenario[]
type Settings = Readonly<Record<string, unknown>>

const except = (own: Settings, ...names: readonly string[]): Settings =>
  Object.fromEntries(Object.entries(own).filter(([key]) => !names.includes(key)))

/** What is plain, by where it stands; of these settings the others are what a thing is. */
const PLAIN: Readonly<Record<string, Settings>> = {
  scenario: except(PLAIN_SCENARIO, 'seed', 'note'), lists: PLAIN_LIST,
  buttons: except(PLAIN_BUTTON, 'kind', 'file'), files: except(PLAIN_FILE, 'frames'),
  ops: { again: false, run: 'live', fadeMs: null, busyFor: 0, forceSeek: false },
}

/** A piece that stands under this name; what takes away most comes first. */
const plainer = (piece: unknown, name: string): readonly unknown[] => {
  if (typeof piece === 'number') return rounder(piece, ROUND[name] ?? [piece])
  if (typeof piece !== 'object' || piece === null) return []
  if (Array.isArray(piece)) {
    const items: readonly unknown[] = piece
    const shorter = name === 'edits' ? items.map((_, at) => items.toSpliced(at, 1)) : []
    return [...shorter, ...items.flatMap((item, at) =>
      plainer(item, name).map((other) => items.with(at, other)))]
  }
  const own = piece as Settings
  const inside = Object.entries(own).flatMap(([key, value]) =>
    plainer(value, key).map((other) => ({ ...own, [key]: other })))
  return [...(name === 'ops' ? plainerOps(own as Op) : []), ...plainOf(own, name), ...inside]
}

/** An operation that only lets time pass is a `wait`; a restart of nothing is a play. */
const plainerOps = (op: Op): readonly Op[] => [
  ...(op.op === 'wait' ? [] : [{ gap: op.gap, op: 'wait' } as const]),
  ...(op.op === 'restart' ? [{ ...op, op: 'play' } as const] : []),
]

/** Its settings at their plain values: all at once, then one by one. Options go altogether. */
const plainOf = (own: Settings, name: string): readonly Settings[] => {
  const keys = Object.keys(own)
  if (name === 'options') {
    const one = keys.map((key) => except(own, key))
    return keys.length > 1 ? [{}, ...one] : one
  }
  const plain = Object.entries(PLAIN[name] ?? {})
    .filter(([key, value]) => keys.includes(key) && own[key] !== value)
  const one = plain.map(([key, value]) => ({ ...own, [key]: value }))
  return plain.length > 1 ? [{ ...own, ...Object.fromEntries(plain) }, ...one] : one
}

/** Numbers that a person can read: these first, then whole seconds, tenths, milliseconds. */
const ROUND: Readonly<Record<string, readonly number[]>> = {
  gap: [0, 48_000, 480_000], frames: [480_000],
}
const STEPS = [48_000, 4_800, 48] as const

/** Rounder than `value`; a value that is as round as any of them stays. */
const rounder = (value: number, first: readonly number[]): readonly number[] => {
  const known = first.indexOf(value)
  const found = known >= 0 ? first.slice(0, known) : first.filter((one) => one < value)
  for (const step of known >= 0 ? [] : STEPS) {
    if (value % step === 0) break
    for (const count of [Math.floor(value / step), Math.ceil(value / step)]) {
      if (count > 0) found.push(count * step)
    }
  }
  return found
}

type Kind = 'file' | 'list' | 'button'

/** The same scenario with another number wherever something is named. */
const renamed = (scenario: Scenario, what: Kind, rename: (n: number) => number): Scenario =>
  JSON.parse(JSON.stringify(scenario), (key, value: unknown) =>
    key === what && typeof value === 'number' ? rename(value) : value) as Scenario

/** Without one of those that nothing names; what names a later one names it anew. */
const fewer = (what: Kind): Candidates => (scenario) => {
  const named = new Set<number>()
  renamed(scenario, what, (n) => named.add(n).size)
  const { files, lists } = scenario
  const places = { file: files, list: lists, button: lists.flatMap(({ buttons }) => buttons) }[what]
  const gone = [...places.keys()].filter((n) => !named.has(n) &&
    (what !== 'list' || lists[n]!.buttons.length === 0))
  return places.length === 1 ? [] : gone.map((n) => without(scenario, what, n))
}

const without = (scenario: Scenario, what: Kind, gone: number): Scenario => {
  const moved = renamed(scenario, what, (n) => n > gone ? n - 1 : n)
  if (what === 'file') return { ...moved, files: moved.files.toSpliced(gone, 1) }
  if (what === 'list') return { ...moved, lists: moved.lists.toSpliced(gone, 1) }
  let n = -1
  const lists = moved.lists.map((own) =>
    ({ ...own, buttons: own.buttons.filter(() => (n += 1) !== gone) }))
  return { ...moved, lists }
}

export const PLAINER: readonly Candidates[] = [
  fewer('button'), fewer('list'), fewer('file'),
  (scenario) => plainer(scenario, 'scenario') as readonly Scenario[],
]
