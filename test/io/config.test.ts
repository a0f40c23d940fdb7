// The configuration: defaults, refusals by place, flags over the file (decisions 7).
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { DEFAULT_CONFIG, hostsOf, parseConfig, readConfig, withFlags } from '../../src/io/config.js'
import { faultText } from '../../src/io/files/fault.js'

const faultsOf = (raw: unknown): readonly string[] => {
  const answer = parseConfig(raw, '/etc')
  return answer.ok ? [] : answer.faults.map(faultText)
}

/** The example of docs/decisions.md, "7 The command", that has every key with its default. */
const DOCUMENTED = (() => {
  const page = readFileSync(new URL('../../docs/decisions.md', import.meta.url), 'utf8')
  const [, json = ''] = /All keys with their defaults:\n\n```json\n([\s\S]*?)```/.exec(page) ?? []
  return JSON.parse(json) as object
})()

it('has the documented defaults, written out or not', () => {
  expect(DEFAULT_CONFIG).toEqual(DOCUMENTED)
  expect(parseConfig(DOCUMENTED, '/')).toEqual({ ok: true, config: DOCUMENTED })
  expect(parseConfig({ api: {}, dmx: {} }, '/')).toEqual({ ok: true, config: DOCUMENTED })
})

it.each([
  [{ api: { host: 'localhost' } }, 'api.host: must be a numeric IPv4 address'],
  [{ api: { host: '0.0.0.0' } }, 'api.host: must be'],
  // Of a group, and of all: one can listen there, and is reached by nobody.
  [{ api: { host: '224.0.0.1' } }, 'api.host: must be'],
  [{ api: { host: ['127.0.0.1', '255.255.255.255'] } }, 'api.host'],
  [{ api: { host: '::1' } }, 'api.host: must be'],
  [{ api: { host: '127.0.0.01' } }, 'api.host: must be'],
  [{ api: { host: '127.1' } }, 'api.host: must be'],
  [{ api: { host: [] } }, 'api.host: must be'],
  [{ api: { host: ['127.0.0.1', 'tablet'] } }, 'or a list of such'],
  [{ api: { host: ['127.0.0.1', '127.0.0.1'] } }, 'none twice'],
  [{ api: { port: 1023 } }, 'api.port: must be a whole number from 1024 to 65535'],
  [{ api: { port: 65_536 } }, 'api.port: must be'],
  [{ api: { port: '47831' } }, 'api.port: must be'],
  [{ api: { port: 4783.1 } }, 'api.port: must be'],
  [{ api: { enabled: 'yes' } }, 'api.enabled: must be true or false'],
  [{ api: null }, 'api: must be an object'],
  [{ api: { prot: 1 } }, 'api.prot: is an unknown key; did you mean port?'],
  [{ api: { origins: 'all' } }, 'api.origins: must be "any", "local", or a list of origins'],
  [{ api: { origins: 'https://quiz.example' } }, 'such as ["https://quiz.example"]'],
  [{ api: { origins: ['local', 'https://quiz.example'] } }, '"local" stand alone, in no list'],
  [{ api: { origins: ['quiz.example'] } }, 'api.origins[0]: must be an origin such as'],
  [{ api: { origins: ['http://quiz.example/'] } }, 'without a slash at the end'],
  [{ api: { origins: ['http://Quiz.example'] } }, 'api.origins'],
  [{ api: { origins: ['http://quiz.example:80'] } }, 'api.origins'],
  [{ api: { origins: ['null'] } }, 'api.origins'],
  [{ api: { origins: ['app://quiz/page'] } }, 'api.origins'],
  [{ api: { origins: ['file://'] } }, 'api.origins'],
  [{ pages: { guardMs: -1 } }, 'pages.guardMs: must be a whole number of milliseconds from 0'],
  [{ pages: { panicFadeMs: 1.5 } }, 'pages.panicFadeMs: must be'],
  [{ pages: { enabled: 1 } }, 'pages.enabled: must be true or false'],
  [{ stage: { offsetMs: 501 } }, 'stage.offsetMs: must be a number of milliseconds from -500'],
  [{ 'x-mine': 1 }, 'x-mine: is an unknown key'],
  [{ audio: { sink: 'wav:' } }, 'audio.sink: must be'],
  [{ audio: { sink: 'Speaker' } }, 'audio.sink: must be'],
  [{ audio: { device: '' } }, 'audio.device: must be'],
  [{ audio: { bufferMs: 1 } }, 'audio.bufferMs: must be null (as the device proves to need) or'],
  [{ audio: { bufferMs: '20' } }, 'audio.bufferMs: must be'],
  [{ dmx: { output: 'sacn' } }, 'dmx.output: must be one of none, artnet'],
  [{ dmx: { output: 'artnet' } }, 'dmx.host: is missing'],
  [{ dmx: { output: 'artnet', host: null } }, 'dmx.host: is missing'],
  [{ dmx: { host: 'lamp' } }, 'dmx.host: must be null or a numeric IPv4'],
  [{ dmx: { host: '0.0.0.0' } }, 'dmx.host: must be null or a numeric IPv4 address, not 0.0.0.0'],
  [{ dmx: { port: 0 } }, 'dmx.port: must be'],
  [{ dmx: { onStop: 'fade' } }, 'dmx.onStop: must be one of blackout, hold'],
  [{ dmx: { offsetMs: 1e9 } }, 'dmx.offsetMs: must be'],
  [{ entitlements: { api: 0 } }, 'entitlements.api: must be true or false'],
  [[], 'file: must be an object'],
])('refuses %j', (raw, expected) => {
  const faults = faultsOf(raw)
  expect(faults).toHaveLength(1)
  expect(faults[0]).toContain(expected)
})

it.each<[string, string, readonly number[], readonly number[]]>([
  ['api', 'port', [1_024, 65_535], [0, 1_023, 65_536]],
  ['audio', 'bufferMs', [2, 2.5, 200], [0, 1.9, 200.1]],
  ['dmx', 'port', [1, 65_535], [0, 0.5, 65_536]],
  ['dmx', 'offsetMs', [-60_000, 0.5, 60_000], [-60_000.1, 60_000.1]],
  ['pages', 'panicFadeMs', [0, 60_000], [-1, 0.5, 60_001]],
  ['pages', 'guardMs', [0, 5_000], [-1, 0.5, 5_001]],
  ['stage', 'offsetMs', [-500, 0.5, 500], [-500.1, 500.1]],
])('bounds %s.%s', (part, key, good, bad) => {
  for (const value of good) {
    const answer = parseConfig({ [part]: { [key]: value } }, '/')
    expect(answer).toMatchObject({ ok: true, config: { [part]: { [key]: value } } })
  }
  for (const value of bad) {
    expect(faultsOf({ [part]: { [key]: value } }))
      .toEqual([expect.stringMatching(new RegExp(`^${part}\\.${key}: must be `))])
  }
})

it('sends lights to one address, or to all of a network', () => {
  for (const host of ['192.168.1.40', '2.255.255.255', '255.255.255.255']) {
    expect(faultsOf({ dmx: { output: 'artnet', host } })).toEqual([])
  }
  expect(faultsOf({ dmx: { output: 'artnet', host: '0.0.0.0' } })).toHaveLength(1)
})

it('takes sixteen addresses and a hundred origins, and no more', () => {
  const hosts = Array.from({ length: 17 }, (_, n) => `10.0.0.${n + 1}`)
  const origins = Array.from({ length: 101 }, (_, n) => `http://10.0.0.9:${n + 1_000}`)
  expect(faultsOf({ api: { host: hosts.slice(1), origins: origins.slice(1) } })).toEqual([])
  expect(faultsOf({ api: { host: hosts } })).toEqual([expect.stringMatching(/^api\.host: /)])
  expect(faultsOf({ api: { origins } })).toEqual([expect.stringMatching(/^api\.origins: /)])
})

it('takes one address or several, and tells them in their order', () => {
  for (const host of ['127.0.0.1', ['192.168.1.20', '127.0.0.1']]) {
    const answer = parseConfig({ api: { host } }, '/')
    expect(answer.ok && hostsOf(answer.config)).toEqual([host].flat())
  }
})

it.each([
  'any', 'local', [], ['https://quiz.example', 'http://10.0.0.9:8080'],
  // Apps with a scheme of their own: Electron, Capacitor, a browser's extension.
  ['app://quiz', 'capacitor://localhost', 'chrome-extension://abcdefghijklmnop'],
])(
  'takes api.origins %j', (origins) => {
    const answer = parseConfig({ api: { origins } }, '/')
    expect(answer.ok && answer.config.api.origins).toEqual(origins)
  })

it('names all faults at once', () => {
  const dmx = { output: 'artnet', onStop: 1 }
  const faults = faultsOf({ api: { port: 1, host: '' }, dmx, z: 1 })
  expect(faults.map((text) => text.split(': ')[0])).toEqual([
    'api.host', 'api.port', 'dmx.onStop', 'z', 'dmx.host',
  ])
})

it('reads a file; a sink in it is relative to it', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'cartwall-config-'))
  const file = join(folder, 'c.json')
  writeFileSync(file, '{"audio": {"sink": "wav:out.wav"}}')
  const answer = await readConfig(file)
  expect(answer.ok && answer.config.audio.sink).toBe(`wav:${join(folder, 'out.wav')}`)
  writeFileSync(file, '{"api": {"port": 5000, "port": "6000"}, "dmx": {"onStop": 1}}')
  const twice = await readConfig(file)
  expect(twice.ok ? [] : twice.faults.map(faultText)).toEqual([
    'api.port: stands twice; which of the two is meant?',
    'dmx.onStop: must be one of blackout, hold',
  ])
  expect(await readConfig(join(folder, 'none'))).toMatchObject({ ok: false })
  rmSync(folder, { recursive: true })
})

it('lets flags win, and the file stand where no flag is', () => {
  const flags = { host: '10.0.0.5', port: null, sink: 'null' } as const
  const config = withFlags({ ...DEFAULT_CONFIG, api: { ...DEFAULT_CONFIG.api, port: 5000 } }, flags)
  expect(config.api).toMatchObject({ enabled: true, host: '10.0.0.5', port: 5000 })
  expect(config.audio.sink).toBe('null')
})
