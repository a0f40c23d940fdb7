// How the simulation tells of frames, names and failures, so that a person can read them.
import { DEVICE_RULES } from '../devices/device-rules.js'
import { RULES } from '../oracle/rules.js'

const two = (n: number): string => String(n).padStart(2, '0')

/** A frame as the time of day of a night: `1:02:03.004`. */
export const clockOf = (frame: number): string => {
  const ms = Math.floor(frame / 48)
  const [hours, minutes] = [Math.floor(ms / 3_600_000), Math.floor(ms / 60_000) % 60]
  const seconds = Math.floor(ms / 1000) % 60
  return `${hours}:${two(minutes)}:${two(seconds)}.${String(ms % 1000).padStart(3, '0')}`
}

/** Ids of an ordinary scenario count their buttons and runs: `b3`, `x12`. */
const named = (text: string): string =>
  text.replace(/0000000([be])-0000-4000-8000-([0-9a-f]{12})/g, (_, space: string, n: string) =>
    `${space === 'b' ? 'b' : 'x'}${Number.parseInt(n, 16)}`)

const sentenceOf = (rule: string): string | null =>
  new Map<string, string>(Object.entries({ ...RULES, ...DEVICE_RULES })).get(rule) ?? null

/** A violation as the judge words it: what broke, when, what was told; then the rule's sentence. */
export const failureLines = (wrong: string): readonly string[] => {
  const [, rule = wrong, at = null, told = ''] =
    /^(\S+) at frame (\d+): (.*)$/s.exec(wrong) ?? []
  const sentence = sentenceOf(rule)
  const when = at === null ? '' : ` at frame ${at} (${clockOf(Number(at))})`
  return [
    `${rule}${when}${at === null ? '' : `: ${named(told)}`}`,
    ...(sentence === null ? [] : [`  the rule: ${sentence}`]),
  ]
}
