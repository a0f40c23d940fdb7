// How benchmarks say what they saw: the machine and its load, quantiles, small tables.
import { readFileSync } from 'node:fs'
import { cpus, loadavg } from 'node:os'

/** The value below which `share` of the values lie; NaN of none. */
export const quantile = (values: readonly number[], share: number): number => {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? NaN
}

export const ms = (value: number): string =>
  Number.isNaN(value) ? '-' : `${value.toFixed(value < 100 ? 2 : 0)} ms`

/** A figure means little without what else the machine did: its processors were waited for. */
export const conditions = (): string => {
  const [processor] = cpus()
  const load = loadavg().map((each) => each.toFixed(1)).join(' ')
  const machine = `${processor?.model ?? 'a processor'}, ${cpus().length} cores`
  return `${machine}, Node ${process.versions.node},`
    + ` load ${load}, processors short for ${shortage()} of the last minute`
}

/** The kernel's own count of the time in which something that could run had to wait. */
const shortage = (): string => {
  try {
    const share = /^some .*avg60=([\d.]+)/m.exec(readFileSync('/proc/pressure/cpu', 'utf8'))?.[1]
    return share === undefined ? 'an unknown part' : `${share} %`
  } catch {
    return 'an unknown part'
  }
}

/** A table as Markdown has it. */
export const table = (head: readonly string[], rows: readonly (readonly string[])[]): string => {
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`
  const rule = line(head.map((_, n) => (n === 0 ? '---' : '---:')))
  return ['', line(head), rule, ...rows.map(line), ''].join('\n')
}

/** No turn of the sound thread is to take longer. */
const TURN_MS = 2

/** How late a timer woke the thread, wake by wake, in a sentence's second half. */
export const wakes = (late: readonly number[]): string =>
  `woke late by ${ms(quantile(late, 0.5))} (median), ${ms(quantile(late, 0.99))} (99 %),`
  + ` ${ms(quantile(late, 1))} (most), of ${late.length} wakes`
  + ` ${late.filter((each) => each > TURN_MS).length} by more than ${ms(TURN_MS)}`
