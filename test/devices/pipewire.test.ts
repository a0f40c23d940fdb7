// PipeWire by its PulseAudio server, as desktops have it: what it makes of sounds that end, at the
// quantum that it grants and at one that it was set to.
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { button, Daemon, delay } from './daemon-rig.js'
import { writeFloatWav } from './media-files.js'
import { missingPipeWire, PipeWireServer } from './pipewire.js'
import { Recorder } from './pulse.js'

const missing = missingPipeWire()
if (missing !== null) process.stderr.write(`sound on PipeWire is not tried: ${missing}\n`)

const SCALE = 1 << 23
/** Frames of the sounds; each tells its number and the place of each of its frames on the left. */
const LENGTHS = [4_800, 4_801, 4_900, 5_100, 480, 48]
const APART = 100_000

/** Runs of frames that follow each other, as `[sound, first, last]`: each once, in its order. */
const heard = (left: Float32Array): number[][] => {
  const runs: number[][] = []
  let before: number | null = null
  for (const sample of left) {
    const value = Math.round(sample * SCALE)
    // A machine with much else to do makes gaps.
    if (value === 0) continue
    const place = value % APART
    if (value - 1 !== before) runs.push([Math.floor(value / APART), place, place])
    else runs.at(-1)?.splice(2, 1, place)
    before = value
  }
  return runs
}

describe.skipIf(missing !== null).each([128, 1_024])(
  'a PipeWire that reads at least %d frames at once', (quantum) => {
    const server = new PipeWireServer(quantum)
    const daemon = new Daemon()
    const recorder = new Recorder(server.environment, null)

    beforeAll(async () => {
      await server.start()
      for (const [n, frames] of LENGTHS.entries()) {
        writeFloatWav(join(daemon.folder, `${String(n)}.wav`), frames, (frame) =>
          [((n + 1) * APART + frame + 1) / SCALE, 0])
      }
      writeFloatWav(join(daemon.folder, 'bed.wav'), 480_000, (frame) => [0, (frame + 1) / SCALE])
      daemon.writeShow([{
        buttons: [
          ...LENGTHS.map((_, n) => ({ media: `${String(n)}.wav`, allowOverlap: true })),
          { media: 'bed.wav' },
        ],
      }])
      await daemon.start(['--sink', 'speaker'], server.environment)
      await daemon.armed(LENGTHS.length + 1)
      await recorder.start()
    }, 60_000)
    afterAll(async () => {
      await recorder.stop()
      await daemon.clean()
      await server.stop()
    })

    const whole = LENGTHS.map((frames, n) => [n + 1, 1, frames])

    it('plays each sound to its last frame, and nothing of it before the next', async () => {
      for (const n of LENGTHS.keys()) {
        await daemon.post(`/buttons/${button(n + 1)}/play`)
        await delay(500)
        // What is heard by now, and not only once the next one begins.
        expect(heard(recorder.sound().left)).toEqual(whole.slice(0, n + 1))
      }
      expect((await daemon.status()).audio).toMatchObject({ state: 'ok' })
    }, 20_000)

    it('plays them over a bed, which goes on past each of their ends', async () => {
      const from = recorder.frames()
      await daemon.post(`/buttons/${button(LENGTHS.length + 1)}/play`)
      await delay(500)
      for (const n of LENGTHS.keys()) {
        await daemon.post(`/buttons/${button(n + 1)}/play`)
        await delay(500)
      }
      const { left, right } = recorder.sound()
      // A change that comes too late for the server has its first moments left out, and it is told.
      const ends = heard(left.subarray(from)).map(([sound, , last]) => [sound, last])
      expect(ends).toEqual(whole.map(([sound, , last]) => [sound, last]))
      // Half a second each; a server that is held up itself may drop a quantum of it.
      const bed = right.subarray(from).reduce((last, sample) => Math.max(last, sample), 0) * SCALE
      expect(bed).toBeGreaterThan((LENGTHS.length + 1) * 0.45 * 48_000)
      expect((await daemon.status()).audio).toMatchObject({ state: 'ok' })
    }, 20_000)
  },
)
