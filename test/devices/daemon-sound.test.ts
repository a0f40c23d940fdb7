// The daemon and a sound server that dies under it: what clients are told, and how it heals.
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { positionOf, writeCodedWav } from './media-files.js'
import { button, Daemon, delay } from './daemon-rig.js'
import { HeardGaps } from './heard-gaps.js'
import { MachineStalls } from './machine-stalls.js'
import { processesWith } from './media-processes.js'
import { PulseServer, Recorder } from './pulse.js'
import { mayAllBeUrgent, realtimeOf } from './thread-priorities.js'

const pulse = new PulseServer()
const daemon = new Daemon()
const stalls = new MachineStalls()
/** A stall that a queue of 10 ms, in pieces of 2 and 2.7 ms, need not bridge. */
const HOLE_MS = 6

const urgent = (priorities: readonly number[]): readonly number[] =>
  priorities.filter((priority) => priority > 0).sort()

beforeAll(async () => {
  await pulse.start()
  writeCodedWav(join(daemon.folder, 'coded.wav'), 48_000 * 30)
  daemon.writeShow([{ buttons: [
    { media: 'coded.wav' }, { media: 'coded.wav', allowOverlap: true, gainDb: -60 },
  ] }])
  await daemon.start(['--sink', 'speaker'], pulse.environment)
  await daemon.armed(2)
})

afterAll(async () => {
  await stalls.stop()
  await daemon.clean()
  await pulse.stop()
})

describe('a sound server', () => {
  it('takes the sound whole, without a gap but those that are counted', async () => {
    const recorder = new Recorder(pulse.environment, null)
    await recorder.start()
    await stalls.start()
    const id = await daemon.play(1)
    // A decoder that comes late, on a busy machine, leaves a gap; what it gives goes on behind it.
    await daemon.until(async () => (await daemon.run(id)).positionMs > 3_700, 30_000)
    await daemon.post(`/buttons/${button(1)}/stop`, { executionId: id, fadeOutMs: 0 })
    await delay(300)
    await recorder.stop()
    const { left, right } = recorder.sound()
    const told: number[] = []
    const gaps = new HeardGaps()
    let silent = 0
    for (let n = 0; n < left.length; n += 1) {
      if (left[n] === 0) {
        silent += 1
        continue
      }
      if (told.length > 0) gaps.note(silent, told.length)
      silent = 0
      told.push(Math.round(positionOf(left[n]!, right[n]!)))
    }
    expect(told.length).toBeGreaterThan(48_000 * 3)
    expect(told).toEqual(Array.from({ length: told.length }, (_, n) => n))
    // On a busy machine the bed's head may end, after a second, before its decoder is there.
    const { underruns, starvations } = (await daemon.status()).audio
    expect(underruns + starvations).toBeGreaterThanOrEqual(gaps.sure)
    // What nobody could bridge is no fault: the queue of 10 ms with a machine that stood still.
    expect(gaps.sure - starvations).toBeLessThanOrEqual(stalls.holes(HOLE_MS))
  })

  // Beside a browser that opened seven pages a press waited 90 ms for a processor.
  it.runIf(mayAllBeUrgent)(
    'is fed, and a press is met, before all else that the machine does', () => {
      const { pid } = daemon
      // A process's first thread takes the requests.
      expect(realtimeOf(pid, [pid])).toEqual([2])
      // What compiles and collects garbage for it, and waits for a processor, lets it wait.
      expect(urgent(realtimeOf(pid))).toEqual([1, 1, 1, 1, 1, 2, 3])
      // Decoders and the like wait as all do.
      const others = processesWith('', pid).map((child) => urgent(realtimeOf(child)))
      const hurried = others.filter((priorities) => priorities.length > 0)
      expect(hurried).toEqual([expect.arrayContaining([1, 1, 1, 1, 1, 4])])
      expect(others.length).toBeGreaterThan(1)
    })

  it('that dies: sounding runs fail, paused ones stay, starts are 503, all heals', async () => {
    const { pid } = daemon
    const paused = await daemon.play(2)
    await daemon.post(`/buttons/${button(2)}/pause`, { executionId: paused, fadeOutMs: 0 })
    const sounding = await daemon.play(1)
    await daemon.state(sounding, ['playing'])
    await pulse.crash()
    expect(await daemon.state(sounding, ['failed'])).toMatchObject({ endReason: 'playback_error' })
    expect((await daemon.run(paused)).state).toBe('paused')
    expect((await daemon.status()).audio.state).toBe('unavailable')
    expect(await daemon.post(`/buttons/${button(1)}/play`)).toMatchObject({
      status: 503, body: { error: 'playback_unavailable' },
    })
    const refused = await daemon.post(`/buttons/${button(2)}/resume`, { executionId: paused })
    expect(refused.status).toBe(503)
    // Long enough for it to be looked for in vain.
    await delay(1_500)
    await pulse.start()
    await daemon.until(async () => (await daemon.status()).audio.state === 'ok', 2_000)
    const resumed = await daemon.post(`/buttons/${button(2)}/resume`, { executionId: paused })
    expect(resumed).toMatchObject({ status: 200, body: { state: 'playing', executionId: paused } })
    const again = await daemon.play(1)
    expect(await daemon.state(again, ['playing'])).toMatchObject({ endReason: null })
    expect(daemon.pid).toBe(pid)
    expect(daemon.child?.exitCode).toBeNull()
  })
})
