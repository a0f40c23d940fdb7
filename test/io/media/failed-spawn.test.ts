// Where the system cannot make a process, for want of descriptors or memory, one job tells of it.
import { ChildProcess } from 'node:child_process'
import type * as childProcess from 'node:child_process'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { VirtualTimers } from '../../../src/clock/virtual.js'
import { DecoderBatch } from '../../../src/io/media/decoder/decoder-batch.js'
import { DecoderJob } from '../../../src/io/media/decoder/decoder-job.js'
import type { JobMessage } from '../../../src/io/media/decoder/decoder-messages.js'
import { askFfprobe } from '../../../src/io/media/probe/ffprobe.js'
import type { Look } from '../../../src/io/media/look/file-look.js'

// Other files of this process may have loaded what is made up here.
vi.hoisted(() => vi.resetModules())

const failure = (code: string): Error => Object.assign(new Error(`spawn ffmpeg ${code}`), { code })

/** As Node does it: with neither pipes nor a number, or by throwing. */
const SPAWNS: Readonly<Record<string, () => ChildProcess>> = {
  EMFILE: () => {
    const child = Object.assign(new ChildProcess(), { kill: () => false })
    process.nextTick(() => child.emit('error', failure('EMFILE')))
    return child
  },
  ENOMEM: () => {
    throw failure('ENOMEM')
  },
}

let spawned = (): ChildProcess => new ChildProcess()
vi.mock('node:child_process', async (original) => ({
  ...(await original<typeof childProcess>()), spawn: () => spawned(),
}))
vi.mock('prism-media', () => ({ default: { FFmpeg: { getInfo: () => ({ command: 'ffmpeg' }) } } }))

const turns = async (): Promise<void> => {
  for (let n = 0; n < 5; n += 1) await new Promise((turn) => setImmediate(turn))
}

const FILE: Look = {
  kind: 'file', stamp: 's', disk: 1, own: null, isMp4: false, seeking: 'exact', type: '',
}

describe.each(Object.keys(SPAWNS))('a process that cannot be made (%s)', (code) => {
  const timers = new VirtualTimers(0)
  beforeEach(() => {
    spawned = SPAWNS[code]!
  })

  it('fails the question that it was for', async () => {
    expect(await askFfprobe('/m/a.wav', [], 1_000, true, timers))
      .toEqual({ ok: false, message: `ffprobe: spawn ffmpeg ${code}` })
  })

  it('fails the decode that it was for, which tells why', async () => {
    const told: JobMessage[] = []
    const request = {
      path: '/m/a.wav', origin: 0, from: 0, to: null, until: 1e6, background: false,
    }
    let overs = 0
    const job = new DecoderJob(1, request, {
      timers, send: (message) => told.push(message),
      factsOf: () => Promise.resolve({ ok: false, message: 'nobody asks' }),
      looks: { lookLately: () => Promise.resolve(FILE) },
    }, () => (overs += 1))
    await job.run()
    await turns()
    timers.pass(60_000)
    const message = `ffmpeg: spawn ffmpeg ${code}`
    expect([told, overs]).toEqual([[{ kind: 'failed', job: 1, message }], 1])
  })

  it('leaves each head that was to be decoded by it to one of its own', async () => {
    const settled: string[] = []
    let overs = 0
    const members = [1, 2].map((job) => ({
      job, stamp: 's', isMp4: false, type: 'audio/wav', seeking: 'exact' as const,
      request: { path: '/m/a.wav', origin: 0, from: 0, to: 9, until: 9, background: true },
    }))
    new DecoderBatch(members, {
      timers, factsOf: () => Promise.resolve(null), over: () => (overs += 1),
      settled: ({ job }, outcome) => settled.push(`${job} ${outcome.kind}`),
    }).run()
    await turns()
    timers.pass(60_000)
    expect([settled, overs]).toEqual([['1 alone', '2 alone'], 1])
  })
})
