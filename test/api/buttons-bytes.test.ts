// The catalogue's answer is what was asked for at every moment, however little was written anew.
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { CatalogueBytes } from '../../src/api/buttons-bytes.js'
import { buttonsAnswer, type ButtonEntry } from '../../src/contract/schemas.js'
import { RUN } from './fake-player.js'
import { API, errorOf, serve } from './served.js'

const entry = (n: number): ButtonEntry => ({
  id: `0d5e0000-1111-2222-3333-${String(n).padStart(12, '0')}`, title: `„${n}“`, kind: 'audio',
  playlistId: RUN, playlistTitle: 'list', isPlaying: false, isPaused: false, isLoopEnabled: false,
  hasDmxTimeline: false, durationMs: n, executionId: null, dmxExecutionId: null, startMs: 0,
  endMs: null, fadeInMs: 0, fadeOutMs: 0,
})

const read = (bytes: CatalogueBytes, buttons: readonly ButtonEntry[]): unknown =>
  JSON.parse(bytes.of({ buttons: [...buttons] }).toString())

it('is the catalogue, after any change of any button', () => {
  const change = fc.record({
    at: fc.nat(400), title: fc.string(), isPlaying: fc.boolean(), durationMs: fc.nat(),
    executionId: fc.constantFrom(RUN, null), length: fc.option(fc.nat(400), { freq: 8 }),
  })
  fc.assert(
    fc.property(fc.array(change, { maxLength: 12 }), (changes) => {
      const bytes = new CatalogueBytes()
      let buttons = Array.from({ length: 350 }, (_, n) => entry(n))
      for (const { at, length, ...fields } of changes) {
        buttons = buttons.map((one, n) => (n === at ? { ...one, ...fields } : { ...one }))
        if (length !== null) buttons = Array.from({ length }, (_, n) => buttons[n] ?? entry(n))
        expect(read(bytes, buttons)).toEqual({ buttons })
        expect(read(bytes, buttons.map((one) => ({ ...one })))).toEqual({ buttons })
      }
    }),
    { numRuns: 60 },
  )
})

it('has the own keys of a button, also those that come and go alone', () => {
  const bytes = new CatalogueBytes()
  const plain = [entry(0), entry(1)]
  const round = { colours: ['red'] }
  const own = [entry(0), { ...entry(1), 'x-round': round }]
  for (const buttons of [plain, own, [entry(0), { ...entry(1), 'x-round': round }],
    [entry(0), { ...entry(1), 'x-round': { colours: [] } }], plain]) {
    expect(read(bytes, buttons)).toEqual({ buttons })
  }
})

it('refuses what breaks the contract, wherever it stands and whatever came before', async () => {
  const { app, player, daemon } = serve(null)
  const get = () => app.inject({ url: `${API}/buttons`, headers: { host: daemon.authority } })
  const good = { buttons: Array.from({ length: 250 }, (_, n) => entry(n)) }
  player.catalogue = good
  const first = await get()
  expect(first.headers['content-type']).toBe('application/json; charset=utf-8')
  expect(buttonsAnswer.parse(first.json())).toEqual(good)
  const broken = { ...entry(203), durationMs: 1.5 }
  player.catalogue = { buttons: good.buttons.map((one, n) => (n === 203 ? broken : one)) }
  const bad = await get()
  expect([bad.statusCode, errorOf(bad)]).toEqual([500, 'command_failed'])
  player.catalogue = good
  expect((await get()).json()).toEqual(good)
  player.catalogue = { buttons: [] }
  expect((await get()).json()).toEqual({ buttons: [] })
  await app.close()
})
