// What can be made plainer in a scenario: each way, as a list of candidates.
import {
  PLAIN_BUTTON, PLAIN_FILE, PLAIN_LIST, PLAIN_SCENARIO, type FileSpec, type Op, type Scenario,
} from '../scenario/scenario.js'

export type Candidates = (scenario: Scenario) => readonly Scenario[]

/** The list with one of its items made plainer, in each way for each of them. */
const each = <Item>(
  items: readonly Item[], plainer: (item: Item) => readonly Item[],
): readonly (readonly Item[])[] =>
  items.flatMap((item, at) => plainer(item).map((other) => items.with(at, other)))

const except = <Spec extends object>(
  spec: Spec, names: readonly (keyof Spec & string)[],
): Partial<Spec> => {
  const without: readonly string[] = names
  const rest = Object.entries(spec).filter(([key]) => !without.includes(key))
  return Object.fromEntries(rest) as Partial<Spec>
}

/** Each setting of an object at its plain value: first all of them at once, then one by one. */
const plainOf = <Spec extends object>(spec: Spec, plain: Partial<Spec>): readonly Spec[] => {
  const keys = (Object.keys(plain) as (keyof Spec)[]).filter((key) => spec[key] !== plain[key])
  const one = keys.map((key) => ({ ...spec, [key]: plain[key] }))
  return keys.length > 1 ? [{ ...spec, ...plain }, ...one] : one
}

// Operations

const plainerOps: Candidates = (scenario) =>
  each(scenario.ops, plainerOp).map((ops) => ({ ...scenario, ops }))

/** What is plain of an operation, where it has such a field. */
const PLAIN_OP = { again: false, run: 'live', fadeMs: null, busyFor: 0, forceSeek: false }

/** An operation that only lets time pass is a `wait`; a restart of nothing is a play. */
const plainerOp = (op: Op): readonly Op[] => {
  const found: Op[] = []
  if (op.op !== 'wait') found.push({ gap: op.gap, op: 'wait' })
  if (op.op === 'restart') found.push({ ...op, op: 'play' })
  if ('options' in op && Object.keys(op.options).length > 0) {
    const less = Object.keys(op.options).map((key) => except(op.options, [key as never]))
    found.push({ ...op, options: {} }, ...less.map((options) => ({ ...op, options })))
  }
  const own = Object.entries(PLAIN_OP).filter(([key]) => key in op)
  found.push(...plainOf<Op>(op, Object.fromEntries(own)))
  if (op.op === 'swap') {
    op.edits.forEach((_, n) => found.push({ ...op, edits: op.edits.toSpliced(n, 1) }))
  }
  return found
}

/** Gaps that a person can read: none, a second, ten, whole ones, tenths, milliseconds. */
const rounderGaps: Candidates = (scenario) =>
  each(scenario.ops, (op) => rounder(op.gap, [0, 48_000, 480_000]).map((gap) => ({ ...op, gap })))
    .map((ops) => ({ ...scenario, ops }))

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

// The show

/** All that can go at once, then each alone: most of it seldom matters. */
const allFirst = (fewer: Candidates): Candidates => (scenario) => {
  const one = fewer(scenario)
  if (one.length < 2) return one
  let all = scenario
  for (let bound = one.length; bound > 0; bound -= 1) {
    const [next] = fewer(all)
    if (next === undefined) break
    all = next
  }
  return [all, ...one]
}

/** Where one of them goes, what names a button, a list or a file behind it names it anew. */
const renumbered = (
  scenario: Scenario, what: 'button' | 'list' | 'file', gone: number,
): Scenario => {
  const moved = <Naming extends object>(one: Naming): Naming => {
    const named = (one as { readonly [Key in typeof what]?: number | null })[what] ?? -1
    return named > gone ? { ...one, [what]: named - 1 } : one
  }
  return {
    ...scenario,
    lists: scenario.lists.map((own) => ({ ...own, buttons: own.buttons.map(moved) })),
    ops: scenario.ops.map((op): Op =>
      op.op === 'swap' ? { ...op, edits: op.edits.map(moved) } : moved(op)),
  }
}

/** Without one of the buttons that nothing names; the others keep what is said of them. */
const fewerButtons: Candidates = allFirst((scenario) => {
  const { lists, ops } = scenario
  const places = lists.flatMap(({ buttons }, list) => buttons.map((_, at) => ({ list, at })))
  const edits = ops.flatMap((op) => (op.op === 'swap' ? op.edits : []))
  const named = new Set([...ops, ...edits].map((one) => ('button' in one ? one.button : null)))
  return places.flatMap(({ list, at }, gone) => {
    if (named.has(gone) || places.length === 1) return []
    const own = lists[list]!
    const fewer = lists.with(list, { ...own, buttons: own.buttons.toSpliced(at, 1) })
    return [withoutEmptyList(renumbered({ ...scenario, lists: fewer }, 'button', gone))]
  })
})

const withoutEmptyList = (scenario: Scenario): Scenario => {
  const gone = scenario.lists.findIndex(({ buttons }) => buttons.length === 0)
  if (gone < 0) return scenario
  const ops = scenario.ops.map((op): Op => op.op !== 'swap' ? op
    : { ...op, edits: op.edits.filter((edit) => !('list' in edit && edit.list === gone)) })
  return renumbered({ ...scenario, ops, lists: scenario.lists.toSpliced(gone, 1) }, 'list', gone)
}

/** Without one of the files that no button has. */
const fewerFiles: Candidates = allFirst((scenario) => {
  const { files, lists, ops } = scenario
  const named = new Set([...lists.flatMap(({ buttons }) => buttons), ...ops].map((one) =>
    ('file' in one ? one.file : null)))
  return [...files.keys()].filter((gone) => !named.has(gone)).map((gone) =>
    renumbered({ ...scenario, files: files.toSpliced(gone, 1) }, 'file', gone))
})

const PLAIN_FAULTS = except(PLAIN_FILE, ['frames'])
const PLAIN_SETTINGS = except(PLAIN_BUTTON, ['kind', 'file'])
const PLAIN_REST = except(PLAIN_SCENARIO, ['seed', 'note', 'version'])

const plainerFiles: Candidates = (scenario) =>
  each<FileSpec>(scenario.files, (file) => [
    ...plainOf(file, PLAIN_FAULTS),
    ...rounder(file.frames, [480_000]).map((frames) => ({ ...file, frames })),
  ]).map((files) => ({ ...scenario, files }))

const plainerLists: Candidates = allFirst((scenario) =>
  each(scenario.lists, (list) => plainOf(list, PLAIN_LIST))
    .map((lists) => ({ ...scenario, lists })))

const plainerButtons: Candidates = allFirst((scenario) =>
  each(scenario.lists, (list) =>
    each(list.buttons, (button) => plainOf(button, PLAIN_SETTINGS))
      .map((buttons) => ({ ...list, buttons })))
    .map((lists) => ({ ...scenario, lists })))

const plainerRest: Candidates = (scenario) => plainOf<Scenario>(scenario, PLAIN_REST)

/** What takes away most comes first: it makes every later attempt cheaper. */
export const PLAINER: readonly Candidates[] = [
  plainerOps, rounderGaps, fewerButtons, fewerFiles, plainerFiles, plainerLists, plainerButtons,
  plainerRest,
]
