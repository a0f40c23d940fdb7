// What can be made plainer in a scenario: each way, as a list of candidates.
import {
  PLAIN_BUTTON, PLAIN_FILE, PLAIN_LIST, PLAIN_SCENARIO, type ButtonSpec, type Edit, type FileSpec,
  type ListSpec, type Op, type Scenario,
} from '../scenario/scenario.js'

export type Candidates = (scenario: Scenario) => readonly Scenario[]

const replaced = <Item>(items: readonly Item[], at: number, item: Item): readonly Item[] =>
  items.map((one, n) => (n === at ? item : one))

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

/** An operation that only lets time pass is a `wait`; a restart of nothing is a play. */
const plainerOps: Candidates = (scenario) => scenario.ops.flatMap((op, n) =>
  plainerOp(op).map((plainer) => ({ ...scenario, ops: replaced(scenario.ops, n, plainer) })))

/** What is plain of an operation, where it has such a field. */
const PLAIN_OP = { again: false, run: 'live', fadeMs: null, busyFor: 0, forceSeek: false }

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
    op.edits.forEach((_, n) => found.push({ ...op, edits: op.edits.filter((__, k) => k !== n) }))
  }
  return found
}

/** Gaps that a person can read: none, a second, ten, whole ones, tenths, milliseconds. */
const rounderGaps: Candidates = (scenario) => scenario.ops.flatMap((op, n) =>
  rounder(op.gap, [0, 48_000, 480_000]).map((gap) =>
    ({ ...scenario, ops: replaced(scenario.ops, n, { ...op, gap }) })))

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

const places = (lists: readonly ListSpec[]): readonly { list: number; at: number }[] =>
  lists.flatMap(({ buttons }, list) => buttons.map((_, at) => ({ list, at })))

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

/** Without one of the buttons that nothing names; the others keep what is said of them. */
const fewerButtons: Candidates = allFirst((scenario) => {
  const all = places(scenario.lists)
  const number = (n: number): number => n % all.length
  const named = new Set(scenario.ops.flatMap((op) => [
    ...('button' in op ? [number(op.button)] : []),
    ...(op.op === 'swap' ? op.edits.flatMap((e) => ('button' in e ? [e.button] : [])) : []),
  ]))
  return all.flatMap((place, gone) => {
    if (named.has(gone) || all.length === 1) return []
    const below = (n: number): number => (n > gone ? n - 1 : n)
    const lists = scenario.lists.map((list, n) => n !== place.list ? list
      : { ...list, buttons: list.buttons.filter((_, k) => k !== place.at) })
    const ops = scenario.ops.map((op): Op => {
      if ('button' in op) return { ...op, button: below(number(op.button)) }
      if (op.op !== 'swap') return op
      const edits = op.edits.map((edit): Edit =>
        ('button' in edit ? { ...edit, button: below(edit.button) } : edit))
      return { ...op, edits }
    })
    return [withoutEmptyLists({ ...scenario, lists, ops })]
  })
})

const withoutEmptyLists = (scenario: Scenario): Scenario => {
  const gone = scenario.lists.findIndex(({ buttons }) => buttons.length === 0)
  if (gone < 0) return scenario
  const ops = scenario.ops.map((op): Op => op.op !== 'swap' ? op : {
    ...op,
    edits: op.edits.filter((edit) => !('list' in edit && edit.list === gone)).map((edit): Edit =>
      ('list' in edit && edit.list > gone ? { ...edit, list: edit.list - 1 } : edit)),
  })
  return { ...scenario, ops, lists: scenario.lists.filter((_, n) => n !== gone) }
}

/** Without one of the files that no button has. */
const fewerFiles: Candidates = allFirst((scenario) => {
  const { files, lists, ops } = scenario
  const named = new Set([
    ...lists.flatMap(({ buttons }) => buttons.map(({ file }) => file)),
    ...ops.map((op) => ('file' in op ? op.file : null)),
  ])
  return files.flatMap((_, gone) => {
    if (named.has(gone)) return []
    const below = (n: number): number => (n > gone ? n - 1 : n)
    return [{
      ...scenario,
      files: files.filter((__, n) => n !== gone),
      lists: lists.map((list) => ({
        ...list,
        buttons: list.buttons.map((button) =>
          (button.file === null ? button : { ...button, file: below(button.file) })),
      })),
      ops: ops.map((op): Op => ('file' in op ? { ...op, file: below(op.file) } : op)),
    }]
  })
})

const PLAIN_FAULTS = except(PLAIN_FILE, ['frames'])
const PLAIN_SETTINGS = except(PLAIN_BUTTON, ['kind', 'file'])
const PLAIN_REST = except(PLAIN_SCENARIO, ['seed', 'note', 'version'])

const plainerFiles: Candidates = (scenario) => scenario.files.flatMap((file, n) => [
  ...plainOf<FileSpec>(file, PLAIN_FAULTS),
  ...rounder(file.frames, [480_000]).map((frames) => ({ ...file, frames })),
].map((plainer) => ({ ...scenario, files: replaced(scenario.files, n, plainer) })))

const plainerLists: Candidates = allFirst((scenario) => scenario.lists.flatMap((list, n) =>
  plainOf<ListSpec>(list, PLAIN_LIST).map((plainer) =>
    ({ ...scenario, lists: replaced(scenario.lists, n, plainer) }))))

const plainerButtons: Candidates = allFirst((scenario) =>
  places(scenario.lists).flatMap(({ list, at }) => {
    const own = scenario.lists[list]!
    return plainOf<ButtonSpec>(own.buttons[at]!, PLAIN_SETTINGS).map((plainer) => ({
      ...scenario,
      lists: replaced(scenario.lists, list, {
        ...own, buttons: replaced(own.buttons, at, plainer),
      }),
    }))
  }))

const plainerRest: Candidates = (scenario) => plainOf<Scenario>(scenario, PLAIN_REST)

/** What takes away most comes first: it makes every later attempt cheaper. */
export const PLAINER: readonly Candidates[] = [
  plainerOps, rounderGaps, fewerButtons, fewerFiles, plainerFiles, plainerLists, plainerButtons,
  plainerRest,
]
