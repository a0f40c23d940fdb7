// GET /api/v1/live: levels and lights, for pages that ask for them.
import { describe, expect, test } from 'vitest'
import { readLiveFrame } from '../../src/contract/live-frames.js'
import { connected, liveRigs, until } from './live-rig.js'

const listening = liveRigs([{ buttons: [{}] }])

describe('levels and lights', () => {
  test('are measured only while somebody asks', async () => {
    const h = await listening()
    const [page, other] = [await connected(h.url), await connected(h.url)]
    expect(h.world.meter).toBeNull()
    page.say({ kind: 'want', levels: true })
    await until(() => h.world.meter !== null)
    h.world.meter?.({ frame: 5, master: { left: 0.5, right: 0.25 }, runs: [] })
    await until(() => page.frames.length === 1)
    const bytes = new Uint8Array(page.frames[0]!).buffer
    expect(readLiveFrame(bytes)).toMatchObject({ kind: 'levels', frame: 5, master: { left: 0.5 } })
    expect(other.frames).toEqual([])
    // Who asks for something else as well goes on getting these.
    page.say({ kind: 'want', lights: true })
    await until(() => page.frames.length >= 2)
    expect(h.world.meter).not.toBeNull()
    page.say({ kind: 'want', levels: false })
    await until(() => h.world.meter === null)
    page.say({ kind: 'want', levels: true })
    await until(() => h.world.meter !== null)
    page.socket.close()
    await until(() => h.world.meter === null)
  })

  test('of lamps go out when they change, ten times a second at most', async () => {
    const h = await listening()
    const page = await connected(h.url)
    expect(h.world.looks).toBe(0)
    page.say({ kind: 'want', lights: true })
    await until(() => page.frames.length === 1)
    await until(() => h.world.looks >= 4)
    expect(page.frames.length).toBe(1)
    h.world.slots[0] = 200
    await until(() => page.frames.length === 2)
    const frame = readLiveFrame(new Uint8Array(page.frames[1]!).buffer)
    expect(frame?.kind === 'lights' && frame.universes[0]?.slots[0]).toBe(200)
  })
})
