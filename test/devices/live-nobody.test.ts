// GET /api/v1/live while no page is there: nothing is worked out, and nothing is forgotten.
import { expect, test } from 'vitest'
import { ms } from '../rig.js'
import { connected, liveRigs, until, type LiveRig } from './live-rig.js'

const listening = liveRigs([{ buttons: [{}, { mediaMs: 300 }] }])

/** A page came and went; answers the address that it would come back by. */
const left = async (h: LiveRig): Promise<string> => {
  const page = await connected(h.url)
  const { hello, state, socket } = page
  socket.close()
  await until(() => page.closed !== null)
  // Its going is seen by the server as well, at once or a little later.
  await new Promise((resolve) => setTimeout(resolve, 50))
  return `${h.url}?boot=${hello.boot}&n=${page.changes.at(-1)?.n ?? state.n}`
}

test('nothing is worked out, and what happened counts as missed', async () => {
  const h = await listening()
  const address = await left(h)
  const { readings } = h.world
  // Begun and over: what is on afterwards is what was on before.
  h.start(1)
  h.advance(ms(1_000))
  expect(h.world.readings).toBe(readings)
  expect((await connected(address)).state.missed).toBe(true)
})

test('and nothing happens, nothing was missed', async () => {
  const h = await listening()
  expect((await connected(await left(h))).state.missed).toBe(false)
})

test('a run that began is told, and its changes from then on', async () => {
  const h = await listening()
  await left(h)
  const run = h.start(0)
  h.advance(ms(10))
  const page = await connected(h.url)
  expect(page.state.runs).toMatchObject([{ executionId: run, state: 'playing' }])
  h.pause(0, run)
  h.advance(ms(10))
  await until(() => page.changes.some(({ runs }) => runs[0]?.state === 'paused'))
  expect(page.changes[0]?.n).toBe(page.state.n + 1)
})
