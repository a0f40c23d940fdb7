// A scenario in few words: one operation a line, and nothing said that is plain.
import {
  PLAIN_BUTTON, PLAIN_FILE, PLAIN_LIST, PLAIN_SCENARIO, type ListSpec, type Scenario,
} from './scenario.js'

/** What differs from the plain values; `always` is said in any case. */
const unlike = (
  value: object, plain: object, always: readonly string[],
): Record<string, unknown> => {
  const usual = new Map<string, unknown>(Object.entries(plain))
  return Object.fromEntries(Object.entries(value).filter(([key, own]) =>
    always.includes(key) || !usual.has(key) || usual.get(key) !== own))
}

/** `{"gap": 0, "op": "play"}`: a space after each comma and colon, as a person writes. */
const inOneLine = (value: unknown): string =>
  JSON.stringify(value, null, 1).replace(/\n\s*/g, ' ').replace(/([[{]) /g, '$1')
    .replace(/ ([\]}])/g, '$1')

const listLine = ({ buttons, ...list }: ListSpec): string => {
  const settings = Object.entries(unlike(list, PLAIN_LIST, []))
    .map(([key, value]) => `"${key}": ${inOneLine(value)}, `).join('')
  const own = buttons.map((button) =>
    `\n      ${inOneLine(unlike(button, PLAIN_BUTTON, ['kind', 'file']))}`)
  return `{${settings}"buttons": [${own.join(',')}\n    ]}`
}

/** `parseScenario` reads it back as the very same scenario. */
export const shortText = (scenario: Scenario): string => {
  const { files, lists, ops, ...rest } = scenario
  const head = Object.entries(unlike(rest, PLAIN_SCENARIO, ['version', 'seed', 'note']))
    .map(([key, value]) => `  "${key}": ${JSON.stringify(value)},\n`).join('')
  const part = (name: string, lines: readonly string[]): string =>
    `  "${name}": [\n${lines.map((line) => `    ${line}`).join(',\n')}\n  ]`
  const parts = [
    part('files', files.map((file) => inOneLine(unlike(file, PLAIN_FILE, ['frames'])))),
    part('lists', lists.map(listLine)),
    part('ops', ops.map(({ gap, op, ...more }) => inOneLine({ gap, op, ...more }))),
  ]
  return `{\n${head}${parts.join(',\n')}\n}\n`
}
