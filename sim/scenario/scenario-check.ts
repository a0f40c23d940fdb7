// Looks whether a scenario that somebody wrote says what it can mean; a slip must not look clean.
import { PLAIN_BUTTON, PLAIN_FILE, PLAIN_LIST, PLAIN_SCENARIO } from './scenario.js'

type Raw = Readonly<Record<string, unknown>>

/** What each operation needs beside its gap. */
const OPERATIONS: Readonly<Record<string, readonly string[]>> = {
  play: ['button', 'options'], restart: ['button', 'options'],
  pause: ['button', 'run', 'fadeMs'], resume: ['button', 'run', 'fadeMs'],
  stop: ['button', 'run', 'fadeMs'], panic: ['fadeMs'],
  sync: ['button', 'run', 'step', 'at', 'isPlaying', 'forceSeek'],
  wait: [], read: [], output: ['up'], file: ['file', 'set'], probe: ['file', 'frames'],
  swap: ['busyFor', 'edits'], kept: ['busyFor'], shutdown: [],
}
const OPTIONS = [
  'pauseWhenReplaced', 'allowOverlap', 'externalSequencing', 'loop', 'loopCrossfadeMs',
]
const RUNS: readonly unknown[] = ['live', 'last', 'older', 'other', 'unknown', 'lights', null]

const isObject = (value: unknown): value is Raw =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const isCount = (value: unknown): value is number =>
  Number.isSafeInteger(value) && Number(value) >= 0

const objects = (value: unknown, what: string): readonly Raw[] => {
  if (Array.isArray(value) && value.every(isObject)) return value
  throw new Slip(`"${what}" is no list of {…}`)
}

class Slip extends Error {}

const known = (raw: Raw, names: readonly string[], where: string): void => {
  const strange = Object.keys(raw).find((key) => !names.includes(key))
  if (strange !== undefined) throw new Slip(`${where} has "${strange}", which nothing reads`)
}

const below = (value: unknown, count: number, where: string, what: string): void => {
  if (isCount(value) && value < count) return
  throw new Slip(`${where} names ${what} ${JSON.stringify(value)}; there are ${count}, from 0 on`)
}

const checkOp = (op: Raw, where: string, buttons: number, files: number): void => {
  const { op: name, gap } = op
  const needs = OPERATIONS[String(name)]
  if (needs === undefined) {
    throw new Slip(`${where} is "${String(name)}"; there is ${Object.keys(OPERATIONS).join(', ')}`)
  }
  if (!isCount(gap)) throw new Slip(`${where} needs "gap", a whole number of frames`)
  const missing = needs.find((key) => !(key in op))
  if (missing !== undefined) throw new Slip(`${where} (${String(name)}) needs "${missing}"`)
  known(op, ['op', 'gap', 'again', ...needs], where)
  if ('button' in op) below(op['button'], buttons, where, 'button')
  if ('file' in op) below(op['file'], files, where, 'file')
  if ('run' in op && !RUNS.includes(op['run'])) {
    throw new Slip(`${where} names the run ${JSON.stringify(op['run'])}; ` +
      `there is ${RUNS.slice(0, -1).join(', ')}`)
  }
  if (isObject(op['options'])) known(op['options'], OPTIONS, `${where}, options,`)
}

const check = (raw: Raw): void => {
  known(raw, [...Object.keys(PLAIN_SCENARIO), 'files', 'lists', 'ops'], 'the scenario')
  const files = objects(raw['files'] ?? [], 'files')
  const lists = objects(raw['lists'], 'lists')
  files.forEach((file, n) => known(file, Object.keys(PLAIN_FILE), `file ${n}`))
  let buttons = 0
  lists.forEach((list, n) => {
    known(list, [...Object.keys(PLAIN_LIST), 'buttons'], `list ${n}`)
    for (const button of objects(list['buttons'], 'buttons')) {
      known(button, Object.keys(PLAIN_BUTTON), `button ${buttons}`)
      if (isCount(button['file'])) below(button['file'], files.length, `button ${buttons}`, 'file')
      buttons += 1
    }
  })
  if (buttons === 0) throw new Slip('the scenario has no button')
  objects(raw['ops'], 'ops').forEach((op, n) =>
    checkOp(op, `operation ${n + 1}`, buttons, files.length))
}

/** What is wrong with it, in plain words; null where it can be played. */
export const slipOf = (raw: unknown): string | null => {
  if (!isObject(raw)) return 'a scenario is {…}'
  if (raw['version'] !== 1) return 'a scenario says "version": 1'
  try {
    check(raw)
    return null
  } catch (error) {
    if (error instanceof Slip) return error.message
    throw error
  }
}
