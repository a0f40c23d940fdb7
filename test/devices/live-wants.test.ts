// GET /api/v1/live: what pages ask for (levels, lights), and what stages tell of themselves.
import { afterEach, describe, expect, test } from 'vitest'
import { readLiveFrame } from '../../src/contract/live-frames.js'
import { connected, liveRig, until } from './live-rig.js'

type LiveRig = Awaited<ReturnType<typeof liveRig>>
let open: LiveRig | null = null
const listening = async (): Promise<LiveRig> => (open = await liveRig([{ buttons: [{}] }]))

afterEach(async () => {
  await open?.app.close()
  open = null
})

const REPORT = {
  name: 'left', pace: 'in_step', on: [], p50: 3, p95: 6, framesDropped: 0, seeks: 1, visible: true,
  offsetMs: 0, errors: [],
} as const

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

test('stages report, walls hear of it, and of a stage that went', async () => {
  const h = await listening()
  const [wall, stage] = [await connected(h.url), await connected(h.url)]
  stage.say({ kind: 'stage', report: REPORT })
  await until(() => wall.changes.length === 1)
  expect(wall.changes[0]!.stages).toMatchObject([{ gone: false, report: REPORT }])
  stage.socket.terminate()
  await until(() => wall.changes.length === 2)
  expect(wall.changes[1]!.stages).toMatchObject([{ gone: true, report: { name: 'left' } }])
  const again = await connected(h.url)
  again.say({ kind: 'stage', report: REPORT })
  await until(() => wall.changes.length === 3)
  expect(wall.changes[2]!.stages?.map(({ gone }) => gone)).toEqual([false])
})

test('two stages of one name are two, as long as both are there', async () => {
  const h = await listening()
  const [wall, left, right] = [
    await connected(h.url), await connected(h.url), await connected(h.url),
  ]
  left.say({ kind: 'stage', report: REPORT })
  right.say({ kind: 'stage', report: REPORT })
  await until(() => wall.changes.at(-1)?.stages?.length === 2)
})
