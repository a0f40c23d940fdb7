// The JSON Schemas of show and configuration: what cartwall takes they take, and they find faults.
import { readFileSync } from 'node:fs'
import { Ajv2020 } from 'ajv/dist/2020.js'
import formats from 'ajv-formats'
import { expect, it } from 'vitest'
import { BUTTON_KINDS } from '../../../src/contract/vocabulary.js'
import { DEFAULT_CONFIG, parseConfig } from '../../../src/io/config.js'
import { configSchema, showSchema } from '../../../src/io/show/file-schemas.js'
import { ruleFaults } from '../../../src/io/show/show-rules.js'
import { parseShape } from '../../../src/io/show/show-shape.js'

const ajv = new Ajv2020({
  strict: true, strictTypes: false, strictRequired: true, allErrors: true,
})
// The package is CommonJS: what TypeScript calls its default is the module itself.
;(formats as unknown as (on: Ajv2020) => void)(ajv)
const isShow = ajv.compile(showSchema('1.2.3'))
const isConfig = ajv.compile(configSchema('1.2.3'))

const ID = '11111111-2222-3333-4444-AAAAAAAAAAAA'
const LIST = '11111111-2222-3333-4444-BBBBBBBBBBBB'
const showWith = (button: object): object => ({
  $schema: 'https://example.test/show.schema.json', title: 'T', 'x-a': [1],
  playlists: [{ id: LIST, title: 'P', 'x-b': null, buttons: [{ id: ID, title: 'B', ...button }] }],
})

it('take what cartwall takes', () => {
  const demo = new URL('../../../demo/show.json', import.meta.url)
  const shows = [
    JSON.parse(readFileSync(demo, 'utf8')) as object,
    showWith({ kind: 'audio', media: 'a.wav', endMs: 12.5, 'x-c': { d: 1 }, hotkey: 'KeyQ' }),
    showWith({ kind: 'dmx', dmx: { timeline: 'l.json', 'x-e': 1 } }),
    showWith({ kind: 'navigation', target: LIST }),
  ]
  for (const show of shows) {
    expect(parseShape(show).faults).toEqual([])
    expect([isShow(show), isShow.errors]).toEqual([true, null])
  }
  const configs = [
    DEFAULT_CONFIG, {}, { $schema: 'x', api: { host: ['127.0.0.1', '10.0.0.2'], origins: [] } },
    { audio: { sink: 'wav:out.wav' }, dmx: { output: 'artnet', host: '10.0.0.9' } },
    { audio: { sink: 'null' }, api: { origins: ['app://quiz', 'http://10.0.0.9:8080'] } },
  ]
  for (const config of configs) {
    expect(parseConfig(config, '/')).toMatchObject({ ok: true })
    expect([isConfig(config), isConfig.errors]).toEqual([true, null])
  }
})

it.each([
  [{ kind: 'audio', media: 'a.wav', fadeInMs: 60_001 }, '/playlists/0/buttons/0/fadeInMs'],
  [{ kind: 'audio', media: 'a.wav', fadeInMs: 1.5 }, '/playlists/0/buttons/0/fadeInMs'],
  [{ kind: 'audio', media: 'a.wav', volume: 1 }, '/playlists/0/buttons/0'],
  [{ kind: 'audio' }, '/playlists/0/buttons/0'],
  [{ kind: 'sound', media: 'a.wav' }, '/playlists/0/buttons/0/kind'],
  [{ kind: 'dmx', dmx: { loop: true } }, '/playlists/0/buttons/0/dmx'],
  [{ kind: 'audio', media: 'a.wav', hotkey: 'q' }, '/playlists/0/buttons/0/hotkey'],
  [{ kind: 'audio', media: 'a.wav', hotkey: 'Escape' }, '/playlists/0/buttons/0/hotkey'],
])('find the fault of a button %j', (button, place) => {
  expect(isShow(showWith(button))).toBe(false)
  expect(isShow.errors?.map(({ instancePath }) => instancePath)).toContain(place)
})

it.each([
  [{ media: 'a.wav' }, ['kind']],
  [{}, ['kind']],
  [{ kind: 'video' }, ['media']],
  [{ kind: 'image' }, ['media']],
  [{ kind: 'dmx', media: 'a.wav' }, ['dmx']],
  [{ kind: 'navigation', media: 'a.wav' }, ['target']],
])('of a button %j they miss %j and nothing else', (button, keys) => {
  expect(isShow(showWith(button))).toBe(false)
  const missing = isShow.errors?.flatMap(({ keyword, params }) =>
    keyword === 'required' ? [(params as { missingProperty: string }).missingProperty] : [])
  expect(missing).toEqual(keys)
})

it('take of each kind of button what cartwall takes, and no more', () => {
  const parts = {
    media: 'a.wav', dmx: { timeline: 'l.json' }, target: LIST, fit: 'cover', dissolveMs: 5,
  }
  // Each part left out, null as of a generated client that writes all it knows, or there.
  const mixes = Object.entries(parts).reduce<readonly object[]>((some, [key, value]) =>
    some.flatMap((mix) => [mix, { ...mix, [key]: null }, { ...mix, [key]: value }]), [{}])
  const told = BUTTON_KINDS.flatMap((kind) => mixes.map((mix) => {
    const show = showWith({ kind, ...mix })
    const faults = [...parseShape(show).faults, ...ruleFaults(show)]
    return { kind, mix, taken: faults.length === 0, bySchema: isShow(show) }
  }))
  expect(told.filter(({ taken }) => taken).length).toBeGreaterThan(50)
  expect(told.filter(({ taken, bySchema }) => taken !== bySchema)).toEqual([])
})

it('find the fault of a configuration', () => {
  const wrongs = [
    { api: { prot: 1 } }, { api: { enabled: 'yes' } }, { stage: { offsetMs: 501 } },
    ...[80, 1023, 65_536, 5000.5].map((port) => ({ api: { port } })),
    ...['localhost', '0.0.0.0', '127.1', ['127.0.0.1', 'tablet'], ['127.0.0.1', '127.0.0.1']]
      .map((host) => ({ api: { host } })),
    ...['*', 'quiz.example', 'http://quiz.example/', 'local']
      .map((origin) => ({ api: { origins: [origin] } })),
    ...['speakers', 'wav', 'wav:', ''].map((sink) => ({ audio: { sink } })),
    ...['localhost', '0.0.0.0'].map((host) => ({ dmx: { host } })),
    { dmx: { output: 'artnet' } }, { dmx: { output: 'artnet', host: null } },
  ]
  for (const wrong of wrongs) {
    expect([wrong, parseConfig(wrong, '/').ok, isConfig(wrong)]).toEqual([wrong, false, false])
  }
})
