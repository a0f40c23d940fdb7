// The configuration: one JSON file, every key with its default; flags win over it (decisions 7).
import { dirname, resolve } from 'node:path'
import { z } from 'zod'
import { DEFAULTS, LIMITS } from '../contract/limits.js'
import type { Fault } from './files/fault.js'
import { issueFaults } from './files/issue.js'
import { readJsonFile, withKeyFaults } from './files/json-file.js'
import { numberFrom, wholeFrom } from './files/number-shape.js'
import { HOST_RULE, isHost, isIPv4Address, PORT_RULE } from './listen-address.js'
import { type Sink, wavPath } from './output/sink.js'

const CONFIG_BYTES_MAX = 1024 * 1024
const NO_CONFIG = 'name another one, or none: each setting has a default'
const ARTNET_PORT = 6454
const OFFSET_MS_MAX = 60_000
const ORIGINS_MAX = 100
const HOSTS_MAX = 16
const PANIC_FADE_MS = 1_500
const GUARD_MS = 300
const GUARD_MS_MAX = 5_000
const STAGE_OFFSET_MS_MAX = 500
const BUFFER_MS_MIN = 2
const BUFFER_MS_MAX = 200

export interface Config {
  readonly api: {
    readonly enabled: boolean
    /** One address, or several, of this machine. */
    readonly host: string | readonly string[]
    readonly port: number
    /** Whose web pages may call: `any`, pages of this machine and private networks, or a list. */
    readonly origins: 'any' | 'local' | readonly string[]
  }
  readonly audio: {
    /** Null: the speaker, or `null` where there is none. */
    readonly sink: Sink | null
    readonly device: string | null
    /** What the device has in its buffer while something sounds; null: as it proves to need. */
    readonly bufferMs: number | null
  }
  readonly dmx: {
    readonly enabled: boolean
    readonly output: 'none' | 'artnet'
    readonly host: string | null
    readonly port: number
    readonly onStop: 'blackout' | 'hold'
    readonly offsetMs: number
  }
  readonly pages: {
    readonly enabled: boolean
    /** Of the first panic; the next one cuts. */
    readonly panicFadeMs: number
    /** For so long after a press a button takes no other. */
    readonly guardMs: number
  }
  /** Picture later, or below 0 earlier, than sound. */
  readonly stage: { readonly offsetMs: number }
  readonly entitlements: { readonly api: boolean; readonly dmx: boolean }
}

/** What the command line may set over the file; null leaves the file's word. */
export interface ConfigFlags {
  readonly host: string | null
  readonly port: number | null
  readonly sink: Sink | null
}

export type ConfigAnswer =
  | { readonly ok: true; readonly config: Config }
  | { readonly ok: false; readonly faults: readonly Fault[] }

/** Whether buttons make DMX runs (decisions 5): both licence and operator must have it on. */
export const isDmxAllowed = ({ dmx, entitlements }: Config): boolean =>
  entitlements.dmx && dmx.enabled

export const SINK_RULE = 'speaker, null or wav:FILE'

/** Every address to listen on, in the order in which they are written. */
export const hostsOf = ({ api }: Config): readonly [string, ...string[]] => {
  const hosts = [api.host].flat()
  return [hosts[0]!, ...hosts.slice(1)]
}

/**
 * An origin as browsers write it: no path, no default port, lower case. Also that of an app with a
 * scheme of its own (`app://quiz` of Electron, `capacitor://localhost`), for which URL says null.
 */
const isOrigin = (text: string): boolean => {
  const { protocol, host } = URL.canParse(text) ? new URL(text) : { protocol: '', host: '' }
  return host !== '' && `${protocol}//${host}` === text
}

/** A sink as it is written; a file's path is taken from `folder`. Null: it is none. */
export const sinkOf = (text: string, folder: string): Sink | null => {
  if (text === 'speaker' || text === 'null') return text
  const file = wavPath(text) ?? ''
  return file === '' || file.includes('\0') ? null : `wav:${resolve(folder, file)}`
}

export const readConfig = async (path: string): Promise<ConfigAnswer> => {
  const file = resolve(path)
  const json = await readJsonFile(file, CONFIG_BYTES_MAX, NO_CONFIG)
  if (!json.ok && json.value === undefined) return { ok: false, faults: json.faults }
  const answer = parseConfig(json.value, dirname(file))
  if (json.ok) return answer
  return { ok: false, faults: withKeyFaults(json.faults, answer.ok ? [] : answer.faults) }
}

/** `folder` is where relative paths begin. */
export const parseConfig = (raw: unknown, folder: string): ConfigAnswer => {
  const parsed = configShape.safeParse(raw)
  const found = parsed.success ? [] : issueFaults(configShape, parsed.error.issues)
  const faults = [...found, ...hostFaults(raw)]
  if (!parsed.success || faults.length > 0) return { ok: false, faults }
  const { api, audio, dmx, pages, stage, entitlements } = parsed.data
  const sink = audio.sink === null ? null : sinkOf(audio.sink, folder)
  const config = { api, audio: { ...audio, sink }, dmx, pages, stage, entitlements }
  return { ok: true, config }
}

export const withFlags = (config: Config, flags: ConfigFlags): Config => ({
  ...config,
  api: {
    ...config.api,
    host: flags.host ?? config.api.host,
    port: flags.port ?? config.api.port,
  },
  audio: { ...config.audio, sink: flags.sink ?? config.audio.sink },
})

const must = (what: string) => ({ error: `must be ${what}` })
const objectIs = must('an object')
const flag = z.boolean(must('true or false')).default(true)

const hostIs = must(`${HOST_RULE}; or a list of such, none twice`)
/** For editors: a JSON Schema has no words for what is checked by a function. */
const NO_WILDCARD = { not: { const: '0.0.0.0' } }
const hostShape = z.ipv4(hostIs).refine(isHost, hostIs).meta(NO_WILDCARD)
const hostListShape = z
  .array(hostShape, hostIs)
  .min(1, hostIs)
  .max(HOSTS_MAX, hostIs)
  .refine((hosts) => new Set(hosts).size === hosts.length, hostIs)
  .meta({ uniqueItems: true })
const portIs = must(PORT_RULE)
const sinkIs = must('null (the best there is), or one of "speaker", "null" and "wav:FILE"')
const originsAre = must('"any", "local", or a list of origins such as ["https://quiz.example"]')
const originIs = must(
  'an origin such as "http://quiz.example:8080": in lower case, without a slash at the end and '
  + 'without the usual port; "any" and "local" stand alone, in no list',
)
const originShape = z
  .string(originIs)
  .regex(/^[a-z][a-z0-9+.-]*:\/\/[^/]+$/, originIs)
  .refine(isOrigin, originIs)
const deviceIs = must('null or the name of a device (cartwall devices lists them)')
const bufferIs = must(
  'null (as the device proves to need) or a number of milliseconds '
  + `from ${String(BUFFER_MS_MIN)} to ${String(BUFFER_MS_MAX)}`,
)
const artnetHostIs = must('null or a numeric IPv4 address, not 0.0.0.0')
const artnetPortIs = must('a whole number from 1 to 65535')
const offsetMs = (most: number) => {
  const is = must(`a number of milliseconds from -${String(most)} to ${String(most)}`)
  return numberFrom(-most, most, is).default(0)
}
const wholeMs = (max: number) =>
  wholeFrom(0, max, must(`a whole number of milliseconds from 0 to ${String(max)}`))

export const configShape = z.strictObject(
  {
    $schema: z.string(must('the address of a JSON Schema')).optional(),
    api: z
      .strictObject(
        {
          enabled: flag,
          host: z.union([hostShape, hostListShape], hostIs).default(DEFAULTS.host),
          port: wholeFrom(LIMITS.portMin, LIMITS.portMax, portIs).default(DEFAULTS.port),
          origins: z
            .union([z.enum(['any', 'local']), z.array(originShape).max(ORIGINS_MAX)], originsAre)
            .default('any'),
        },
        objectIs,
      )
      .prefault({}),
    audio: z
      .strictObject(
        {
          sink: z
            .string(sinkIs)
            .regex(/^(?:speaker|null|wav:[\s\S]+)$/, sinkIs)
            .refine((text) => sinkOf(text, '/') !== null, sinkIs)
            .nullable()
            .default(null),
          device: z.string(deviceIs).min(1, deviceIs).max(1024, deviceIs).nullable().default(null),
          bufferMs: numberFrom(BUFFER_MS_MIN, BUFFER_MS_MAX, bufferIs).nullable().default(null),
        },
        objectIs,
      )
      .prefault({}),
    dmx: z
      .strictObject(
        {
          enabled: flag,
          output: z.enum(['none', 'artnet'], must('one of none, artnet')).default('none'),
          host: z
            .ipv4(artnetHostIs)
            .refine(isIPv4Address, artnetHostIs)
            .meta(NO_WILDCARD)
            .nullable()
            .default(null),
          port: wholeFrom(1, 65_535, artnetPortIs).default(ARTNET_PORT),
          onStop: z.enum(['blackout', 'hold'], must('one of blackout, hold')).default('blackout'),
          offsetMs: offsetMs(OFFSET_MS_MAX),
        },
        objectIs,
      )
      .prefault({}),
    pages: z
      .strictObject(
        {
          enabled: flag,
          panicFadeMs: wholeMs(LIMITS.fadeMsMax).default(PANIC_FADE_MS),
          guardMs: wholeMs(GUARD_MS_MAX).default(GUARD_MS),
        },
        objectIs,
      )
      .prefault({}),
    stage: z
      .strictObject({ offsetMs: offsetMs(STAGE_OFFSET_MS_MAX) }, objectIs)
      .prefault({}),
    entitlements: z.strictObject({ api: flag, dmx: flag }, objectIs).prefault({}),
  },
  objectIs,
)

/** Art-Net needs to know where to; looked at in the raw file, so that no other fault hides it. */
const hostFaults = (raw: unknown): readonly Fault[] => {
  if (typeof raw !== 'object' || raw === null || !('dmx' in raw)) return []
  const { dmx } = raw
  if (typeof dmx !== 'object' || dmx === null) return []
  const { output, host } = dmx as { output?: unknown; host?: unknown }
  if (output !== 'artnet' || (host !== undefined && host !== null)) return []
  const message = 'is missing; with dmx.output "artnet" it must be a numeric IPv4 address'
  return [{ place: 'dmx.host', message }]
}

const defaults = parseConfig({}, '/')
if (!defaults.ok) throw new Error('the defaults of the configuration must be valid')
export const DEFAULT_CONFIG: Config = defaults.config
