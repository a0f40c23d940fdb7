// How the simulation tells of frames, names and failures, so that a person can read them.
import { frameText } from '../../src/clock/frame.js'
import { DEVICE_RULES } from '../devices/device-rules.js'
import type { Failure } from '../oracle/judge.js'
import { RULES } from '../oracle/rules.js'

/** Ids of an ordinary scenario count their buttons and runs: `b3`, `x12`. */
const named = (text: string): string =>
  text.replace(/0000000([be])-0000-4000-8000-([0-9a-f]{12})/g, (_, space: string, n: string) =>
    `${space === 'b' ? 'b' : 'x'}${Number.parseInt(n, 16)}`)

const SENTENCES: Readonly<Record<string, string>> = { ...RULES, ...DEVICE_RULES }

/** What broke, when, what was told; then the rule's sentence. */
export const failureLines = ({ rule, at, told }: Failure): readonly string[] => [
  `${rule} at frame ${at} (${frameText(at)}): ${named(told)}`,
  `  the rule: ${String(SENTENCES[rule])}`,
]
