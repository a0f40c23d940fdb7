// One question to ffprobe, over a process that ends as a test wants, or does not.
import type * as childProcess from 'node:child_process'
import { EventEmitter } from 'node:events'
import { PassThrough } from 'node:stream'
import { beforeEach, expect, it, vi } from 'vitest'
import { VirtualTimers } from '../../../src/clock/virtual.js'
import { askFfprobe, type FfprobeAnswer } from '../../../src/io/media/probe/ffprobe.js'

// Other files of this process may have loaded what is made up here.
vi.hoisted(() => vi.resetModules())

/** In place of ffprobe: its pipes; a kill ends it only where a test says so. */
class Ffprobe extends EventEmitter {
  readonly stdout = new PassThrough()
  readonly stderr = new PassThrough()
  readonly stdio = [null, this.stdout, this.stderr]
  isKilled = false

  kill(): void {
    this.isKilled = true
  }
}

let ffprobe: Ffprobe
vi.mock('node:child_process', async (original) => ({
  ...(await original<typeof childProcess>()), spawn: () => (ffprobe = new Ffprobe()),
}))

const turns = async (): Promise<void> => {
  for (let n = 0; n < 5; n += 1) await new Promise((turn) => setImmediate(turn))
}

let timers: VirtualTimers
let told: FfprobeAnswer[]
beforeEach(() => {
  timers = new VirtualTimers(0)
  told = []
  void askFfprobe('/m/a.wav', [], 1_000, true, timers).then((answer) => told.push(answer))
})

it('its answer is what it wrote, once it is closed', async () => {
  ffprobe.stdout.write('{}')
  await turns()
  expect(told).toEqual([])
  ffprobe.emit('close', 0)
  await turns()
  expect(told).toEqual([{ ok: true, output: '{}', errors: '' }])
  timers.pass(60_000)
  expect(ffprobe.isKilled).toBe(false)
})

it('is answered for after 20 s though it stays, e.g. in a read of a disk that dies', async () => {
  timers.pass(19_900)
  await turns()
  expect([told, ffprobe.isKilled]).toEqual([[], false])
  timers.pass(200)
  await turns()
  const message = 'a.wav: not read to its end in 20 s'
  expect([told, ffprobe.isKilled]).toEqual([[{ ok: false, message }], true])
  // Nothing that a child of it still writes is waited for.
  expect([ffprobe.stdout.destroyed, ffprobe.stderr.destroyed]).toEqual([true, true])
  ffprobe.emit('close', null)
  await turns()
  expect(told).toHaveLength(1)
})
