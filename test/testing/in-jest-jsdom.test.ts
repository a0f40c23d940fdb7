// cartwall/testing in the jsdom of Jest, which takes Node's setImmediate out of the way.
// @vitest-environment jsdom
import { afterAll, expect, test, vi } from 'vitest'
import { createClient } from '../../src/client/client.js'
import { BED, MEDIA, SHOW } from '../client/quiz-show.js'

const { setImmediate } = globalThis
afterAll(() => {
  globalThis.setImmediate = setImmediate
})

test('a bed plays', async () => {
  Reflect.deleteProperty(globalThis, 'setImmediate')
  vi.resetModules()
  const { createTestPlayer } = await import('../../src/testing/test-player.js')
  const player = createTestPlayer(SHOW, { media: MEDIA })
  const client = createClient(player.clientOptions)
  expect(await client.play(BED.warm)).toMatchObject({ result: 'accepted' })
  await player.advance(1_000)
  expect(player.heard()).toMatchObject([{ media: 'warm.mp3', toMs: 1_000 }])
})
