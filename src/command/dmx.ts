// cartwall dmx: prints what a timeline does at one moment, to look at it without lamps.
import { parseArgs } from 'node:util'
import { framesToMs, msToFrames } from '../clock/frame.js'
import { SLOTS, cursorsOf, evaluate, type CompiledTimeline } from '../engine/lighting/timeline.js'
import { faultText } from '../io/files/fault.js'
import { compileTimelineFile } from '../io/timeline/timeline-file.js'
import { oneOf, OPTIONS, strictly } from './arguments.js'
import { ArgumentError, complain, EXIT } from './outcome.js'

interface Ask {
  readonly file: string
  readonly atMs: number
  readonly json: boolean
}

/** The exit code: 0, or 1 where the file is bad or ends before the time. */
export const runDmx = async (args: readonly string[]): Promise<number> => {
  const ask = readArgs(args)
  const compiled = await compileTimelineFile(ask.file)
  if (!compiled.ok) {
    for (const fault of compiled.faults) complain(`${ask.file}: ${faultText(fault)}`)
    return EXIT.failed
  }
  const durationMs = framesToMs(compiled.timeline.durationFrames)
  if (ask.atMs > durationMs) {
    complain(`${ask.file} ends at ${seconds(durationMs)}, before ${seconds(ask.atMs)}`)
    return EXIT.failed
  }
  const looks = looksAt(compiled.timeline, ask.atMs)
  process.stdout.write(ask.json ? asJson(ask, durationMs, looks) : asText(ask, durationMs, looks))
  return EXIT.fine
}

/** A universe's slots by number from 1; only those that the timeline defines. */
interface Look {
  readonly universe: number
  readonly slots: ReadonlyMap<number, number>
}

const looksAt = (timeline: CompiledTimeline, atMs: number): readonly Look[] => {
  const into = Array.from(timeline.universes, () => new Uint8Array(SLOTS))
  evaluate(timeline, cursorsOf(timeline), msToFrames(atMs), into)
  const defined = Array.from(timeline.universes, () => new Set<number>())
  timeline.slot.forEach((slot, track) => {
    const universe = defined[timeline.universe[track] ?? 0]
    universe?.add(slot)
    if (timeline.wide[track] === 1) universe?.add(slot + 1)
  })
  return Array.from(timeline.universes, (universe, index) => {
    const numbers = [...(defined[index] ?? [])]
    const slots = new Map(numbers.map((slot) => [slot + 1, into[index]?.[slot] ?? 0]))
    return { universe, slots }
  })
}

const asJson = (ask: Ask, durationMs: number, looks: readonly Look[]): string => {
  const universes = looks.map(({ universe, slots }) => ({
    universe,
    slots: Object.fromEntries(slots),
  }))
  return `${JSON.stringify({ atMs: ask.atMs, durationMs, universes }, null, 2)}\n`
}

const COLUMNS = 16

const asText = (ask: Ask, durationMs: number, looks: readonly Look[]): string => {
  const lines = [`${ask.file} at ${seconds(ask.atMs)} of ${seconds(durationMs)}`]
  for (const { universe, slots } of looks) {
    lines.push('', `universe ${String(universe)}`)
    for (let first = 1; first <= SLOTS; first += COLUMNS) {
      const row = Array.from({ length: COLUMNS }, (_, index) => slots.get(first + index))
      if (row.every((value) => value === undefined)) continue
      const cells = row.map((value) => (value === undefined ? '.' : String(value)).padStart(4))
      lines.push(`  slot ${String(first).padStart(3)}:${cells.join('')}`)
    }
  }
  return `${lines.join('\n')}\n`
}

const readArgs = (args: readonly string[]): Ask => {
  const { values, positionals } = strictly(() =>
    parseArgs({ args: withTime(args), allowPositionals: true, options: OPTIONS.dmx, strict: true }))
  const file = oneOf(positionals, 'FILE')
  const atMs = readTime(values.at)
  if (atMs === null) {
    const given = JSON.stringify(values.at)
    const such = '12.5 or 12.5s, 12500ms or 1:02.5, from 0 on'
    throw new ArgumentError(`--at must be a time such as ${such} (not ${given})`)
  }
  return { file, atMs, json: values.json }
}

/** `--at -1s` as one word: by itself `-1s` would be taken for options. */
const withTime = (args: readonly string[]): string[] => {
  const at = args.indexOf('--at')
  const time = args[at + 1] ?? ''
  if (at < 0 || !/^-\d/.test(time)) return [...args]
  return [...args.slice(0, at), `--at=${time}`, ...args.slice(at + 2)]
}

/** Milliseconds; a bare number is seconds. Null where it is no time. */
const readTime = (text: string): number | null => {
  const match = /^(?:(\d{1,6}):)?(\d{1,12}(?:\.\d{1,9})?)(s|ms)?$/.exec(text)
  if (match === null || (match[1] !== undefined && match[3] === 'ms')) return null
  const amount = Number(match[2])
  return match[3] === 'ms' ? amount : (Number(match[1] ?? 0) * 60 + amount) * 1_000
}

const seconds = (ms: number): string => `${String(Math.round(ms) / 1_000)} s`
