// Writes src/client/wire.ts: the client's types, made from the contract's schemas and error table.
//
// The client ships without the contract and its libraries, so its types are written out in full;
// test/types/wire.ts holds them equal to the contract when the tests are compiled. `npm run build`
// begins with this script; `--check` writes nothing and ends with 1 where the file is outdated.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { ERRORS } from '../src/contract/errors.ts'
import * as schemas from '../src/contract/schemas.ts'
import * as vocabulary from '../src/contract/vocabulary.ts'

const ROOT = join(import.meta.dirname, '..')
const TARGET = join(ROOT, 'src', 'client', 'wire.ts')
const source = readFileSync(join(ROOT, 'src', 'contract', 'schemas.ts'), 'utf8')

/** The schemas that a type is made from, in the order in which they are written. */
const SCHEMAS = [
  'execution', 'button', 'buttonsAnswer', 'statusItem', 'audioStatus', 'dmxRunStatus',
  'dmxOutputStatus', 'statusAnswer', 'runOptions', 'pauseBody', 'resumeBody', 'stopBody',
  'panicBody', 'syncBody', 'startAnswer', 'alreadyActiveAnswer', 'stopAnswer', 'panicAnswer',
  'syncAnswer', 'runEvent', 'wrapEvent', 'durationEvent', 'imageEvent', 'dmxEvent', 'audioEvent',
  'catalogueEvent', 'noticeEvent', 'serviceEvent', 'resetEvent',
]

/** The name of a schema's type. */
const typeName = (key) => key[0].toUpperCase() + key.slice(1)

/** Keys that no schema lists. */
const FURTHER = { button: '[own: `x-${string}`]: unknown' }

const nameOf = new Map(SCHEMAS.map((key) => [schemas[key], typeName(key)]))

/** Lists of words that have a name of their own. */
const WORDS = {
  RUN_STATES: 'RunState',
  END_REASONS: 'EndReason',
  BUTTON_KINDS: 'ButtonKind',
  STOP_RESULTS: 'StopResult',
  SERVICE_STATES: 'ServiceState',
  SYNC_STATES: 'SyncState',
  RUN_CAUSES: 'RunCause',
  DMX_CHANGES: 'DmxChange',
  CATALOGUE_CHANGES: 'CatalogueChange',
  RESET_REASONS: 'ResetReason',
}

const COLUMNS = 100

const spelled = (words) => words.join(' ')
const wordsName = new Map(
  Object.entries(WORDS).map(([key, name]) => [spelled(vocabulary[key]), name]),
)

/** A union on one line, or on lines as full as they may be where it would grow too long. */
const union = (members, indent) => {
  const line = ` ${members.join(' | ')}`
  if (line.length + indent.length + 24 <= COLUMNS) return line
  const lines = ['']
  for (const member of members) {
    const longer = `${lines.at(-1)} | ${member}`
    if (indent.length + 1 + longer.length <= COLUMNS) lines[lines.length - 1] = longer
    else lines.push(` | ${member}`)
  }
  return lines.map((one) => `\n${indent} ${one}`).join('')
}

const quoted = (value) => (typeof value === 'string' ? `'${value}'` : String(value))

/** The type of a schema as TypeScript. A kind of schema that is not known here ends the build. */
const typeOf = (schema, indent) => {
  const known = nameOf.get(schema)
  return known !== undefined ? known : written(schema, indent)
}

const written = (schema, indent) => {
  const { def } = schema._zod
  switch (def.type) {
    case 'string':
    case 'number':
    case 'boolean':
      return def.type
    case 'literal':
      return def.values.map(quoted).join(' | ')
    case 'enum': {
      const words = Object.values(def.entries)
      return wordsName.get(spelled(words)) ?? words.map(quoted).join(' | ')
    }
    case 'nullable':
      return `${typeOf(def.innerType, indent)} | null`
    case 'optional':
      return `${typeOf(def.innerType, indent)} | undefined`
    case 'array': {
      const item = typeOf(def.element, indent)
      return /^\w+$/.test(item) ? `${item}[]` : `(${item})[]`
    }
    case 'object':
      return objectOf(def.shape, indent)
    default:
      throw new Error(`no type is known for a schema of kind ${def.type}`)
  }
}

const objectOf = (shape, indent) => {
  const inner = `${indent}  `
  const lines = Object.entries(shape).map(([key, field]) => {
    const mark = field._zod.def.type === 'optional' ? '?' : ''
    return `${inner}${key}${mark}: ${typeOf(field, inner)}`
  })
  return `{\n${lines.join('\n')}\n${indent}}`
}

const withFurther = (key, type) =>
  FURTHER[key] === undefined ? type : type.replace(/}$/, `  ${FURTHER[key]}\n}`)

/** What the contract says about a schema stands above its type too. */
const commentOf = (key) => {
  const comment = '/\\*\\*((?:(?!\\*/)[\\s\\S])*)\\*/'
  const match = new RegExp(`${comment}\\nexport const ${key} =`).exec(source)
  return match === null ? '' : `/**${match[1]}*/\n`
}

const codesByStatus = () => {
  const statuses = new Map()
  for (const [code, status] of Object.entries(ERRORS)) {
    statuses.set(status, [...(statuses.get(status) ?? []), quoted(code)])
  }
  const lines = [...statuses].map(([status, codes]) => `  ${status}:${union(codes, '  ')}`)
  return `{\n${lines.join('\n')}\n}`
}

const text = `${[
  '// The shapes of every request and answer, written from the contract by scripts/wire-types.mjs.',
  ...Object.entries(WORDS).map(
    ([key, name]) => `export type ${name} =${union(vocabulary[key].map(quoted), '')}`,
  ),
  ...SCHEMAS.map((key) => {
    const type = withFurther(key, written(schemas[key], ''))
    return `${commentOf(key)}export interface ${typeName(key)} ${type}`
  }),
  `/** Every event of GET /events: its name, and what its data is. */
export interface EventBody ${objectOf(schemas.EVENTS, '')}`,
  'export type EventName = keyof EventBody',
  `/** Every error of the API: the codes that go with each HTTP status. */
export interface ErrorCodes ${codesByStatus()}`,
  'export type ErrorStatus = keyof ErrorCodes',
  'export type ErrorCode = ErrorCodes[ErrorStatus]',
].join('\n\n')}\n`

const before = (() => {
  try {
    return readFileSync(TARGET, 'utf8')
  } catch {
    return ''
  }
})()
if (process.argv.includes('--check')) {
  if (before !== text) {
    process.stderr.write('src/client/wire.ts is not what the contract says: npm run build\n')
    process.exit(1)
  }
} else if (before !== text) writeFileSync(TARGET, text)
