// The daemon's end of the decoding process, with one that does what a test wants.
import { EventEmitter } from 'node:events'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import { VirtualTimers } from '../../../src/clock/virtual.js'
import { DecoderLink } from '../../../src/io/media/decoder/decoder-link.js'
import type {
  DecodeListener, DecodeRequest, FromHost, ToHost,
} from '../../../src/io/media/decoder/decoder-messages.js'

// Other files of this process may have loaded what is made up here.
vi.hoisted(() => vi.resetModules())

class Host extends EventEmitter {
  connected = true
  readonly told: ToHost[] = []
  isKilled = false
  exitCode: number | null = null
  signalCode: string | null = null
  wantsProcessor = false

  send(message: ToHost): void {
    this.told.push(message)
  }

  kill(): void {
    this.isKilled = true
  }

  disconnect(): void {
    this.connected = false
    this.emit('exit', 0, null)
  }

  say(message: FromHost): void {
    this.emit('message', message)
  }

  /** What it was told, but for the questions whether it lives. */
  asked(): readonly ToHost[] {
    return this.told.filter(({ kind }) => kind !== 'ping')
  }
}

const hosts: Host[] = []
vi.mock('../../../src/io/programs.js', () => ({
  forkProgram: () => {
    const host = new Host()
    hosts.push(host)
    return host
  },
  wantsProcessor: (host: Host) => host.wantsProcessor,
}))

let timers: VirtualTimers
let link: DecoderLink
beforeEach(() => {
  hosts.length = 0
  timers = new VirtualTimers(0)
  link = new DecoderLink({ timers, env: {} })
})

const REQUEST: DecodeRequest = {
  path: '/media/bed.wav', origin: 0, from: 0, to: null, until: 48_000, background: false,
}

/** Writes down what it is told. */
const listening = () => {
  const told: (readonly unknown[])[] = []
  const listener: DecodeListener = {
    pcm: (left, right) => told.push(['pcm', ...left, ...right]),
    silence: (count) => told.push(['silence', count]),
    done: (end, source) => told.push(['done', end, source]),
    died: (message) => told.push(['died', message]),
    failed: (message) => told.push(['failed', message]),
  }
  return { told, listener }
}

const LOST = 'the decoding process ended unexpectedly'

test('what is asked of a process that is about to be gone is asked of the next one', async () => {
  link.warm()
  timers.pass(5_000)
  const [first] = hosts
  // Its channel closes first; that it is gone is told a moment later.
  first!.connected = false
  const look = link.look('/media/bed.wav')
  first!.emit('exit', 1, null)
  timers.pass(1_000)
  const [, second] = hosts
  const asked = second?.told.find(({ kind }) => kind === 'look')
  expect(asked).toMatchObject({ path: '/media/bed.wav' })
  const answer = { kind: 'missing', message: 'the file is missing' } as const
  const { job } = asked as { readonly job: number }
  second!.say({ kind: 'looked', job, look: answer })
  expect(await look).toEqual(answer)
})

test('a waveform is asked for anew where the process died, and held as before', async () => {
  const asked = { path: '/media/bed.wav', makes: true, ranges: [], picturesEnd: 0 }
  link.waves.hold(true)
  link.waves.rest()
  expect(hosts).toEqual([])
  const wave = link.waves.ask(asked)
  expect(hosts[0]!.asked()).toEqual([
    { kind: 'hold_waves', holds: true }, { kind: 'wave', job: 1, question: asked },
  ])
  hosts[0]!.emit('exit', 1, null)
  timers.pass(1_000)
  expect(hosts[1]!.asked()).toEqual(hosts[0]!.asked())
  link.waves.hold(false)
  link.waves.rest()
  expect(hosts[1]!.asked().slice(2)).toEqual([
    { kind: 'hold_waves', holds: false }, { kind: 'rest_waves' },
  ])
  // It comes as a part of a larger message, which it does not keep.
  const peaks = [new Uint8Array(1_000).subarray(8, 10).fill(7)]
  hosts[1]!.say({ kind: 'wave', job: 1, answer: { kind: 'wave', key: 'k', peaks } })
  const answer = await wave
  expect(answer).toEqual({ kind: 'wave', key: 'k', peaks: [Uint8Array.of(7, 7)] })
  expect(answer.kind === 'wave' && answer.peaks[0]!.buffer.byteLength).toBe(2)
  const last = link.waves.ask(asked)
  hosts[1]!.emit('exit', 1, null)
  timers.pass(1_000)
  hosts[2]!.emit('exit', 1, null)
  expect(await last).toEqual({ kind: 'away' })
})

describe('whether it lives', () => {
  /** It answers each question for so long. */
  const lives = (host: Host, ms: number): void => {
    for (let gone = 0; gone < ms; gone += 500) {
      timers.pass(500)
      host.say({ kind: 'pong' })
    }
  }

  test('one that is slow to load is given ten seconds, each that is started', () => {
    for (const turn of [0, 1]) {
      link.warm()
      timers.pass(9_900)
      expect([hosts.length, hosts[turn]!.isKilled]).toEqual([turn + 1, false])
      timers.pass(700)
      expect(hosts[turn]!.isKilled).toBe(true)
      timers.pass(1_000)
    }
  })

  test('one that is up is given three questions, half a second apart, and so is the next', () => {
    for (const turn of [0, 1]) {
      link.warm()
      lives(hosts[turn]!, 20_000)
      timers.pass(1_400)
      expect(hosts[turn]!.isKilled).toBe(false)
      timers.pass(700)
      expect(hosts[turn]!.isKilled).toBe(true)
      // The next one loads for as long as it needs.
      link.warm()
      timers.pass(5_000)
      expect([hosts.length, hosts[turn + 1]!.isKilled]).toEqual([turn + 2, false])
    }
  })

  test('one that waits for a processor is given as long as at its start', () => {
    link.warm()
    const [host] = hosts
    lives(host!, 5_000)
    host!.wantsProcessor = true
    timers.pass(9_900)
    expect(host!.isKilled).toBe(false)
    lives(host!, 5_000)
    timers.pass(9_900)
    expect(host!.isKilled).toBe(false)
    // One that is at work for good answers no more either.
    timers.pass(700)
    expect(host!.isKilled).toBe(true)
  })

  test('it is asked again and again as long as it answers', () => {
    link.warm()
    lives(hosts[0]!, 60_000)
    expect(hosts[0]!.told.filter(({ kind }) => kind === 'ping')).toHaveLength(120)
    expect(hosts).toHaveLength(1)
  })
})

describe('a decode', () => {
  test('hears its own sound and its own end, and nothing after that', () => {
    const [one, two] = [listening(), listening()]
    const jobs = [one, two].map(({ listener }) => link.decode(REQUEST, listener))
    const [host] = hosts
    expect(host!.asked()).toEqual(jobs.map((job) => ({ kind: 'decode', job, request: REQUEST })))
    const pcm = { left: Float32Array.of(1, 2), right: Float32Array.of(3, 4) }
    host!.say({ kind: 'pcm', job: jobs[1]!, ...pcm })
    host!.say({ kind: 'silence', job: jobs[0]!, count: 7 })
    host!.say({ kind: 'done', job: jobs[0]!, end: 7, source: null })
    host!.say({ kind: 'silence', job: jobs[0]!, count: 8 })
    host!.say({ kind: 'failed', job: jobs[1]!, message: 'broken' })
    host!.say({ kind: 'died', job: jobs[1]!, message: 'killed' })
    expect(one.told).toEqual([['silence', 7], ['done', 7, null]])
    expect(two.told).toEqual([['pcm', 1, 2, 3, 4], ['failed', 'broken']])
  })

  test('is told that it died where its process did, once; a dropped one hears nothing', () => {
    const [kept, dropped] = [listening(), listening()]
    link.decode(REQUEST, kept.listener)
    const job = link.decode(REQUEST, dropped.listener)
    link.drop(job)
    link.drop(job)
    expect(hosts[0]!.asked().slice(2)).toEqual([{ kind: 'drop', job }])
    hosts[0]!.emit('exit', null, 'SIGKILL')
    hosts[0]!.emit('error', new Error('channel closed'))
    expect([kept.told, dropped.told]).toEqual([[['died', LOST]], []])
  })

  test('asked for while no process may be started is asked as it is wanted by then', () => {
    link.warm()
    hosts[0]!.emit('exit', 1, null)
    const [one, two] = [listening(), listening()]
    const job = link.decode(REQUEST, one.listener)
    const gone = link.decode(REQUEST, two.listener)
    link.want(job, 96_000)
    link.want(job, 144_000)
    link.drop(gone)
    expect(hosts).toHaveLength(1)
    timers.pass(999)
    expect(hosts).toHaveLength(1)
    timers.pass(1)
    const request = { ...REQUEST, until: 144_000 }
    expect(hosts[1]!.asked()).toEqual([{ kind: 'decode', job, request }])
    link.want(job, 192_000)
    link.want(gone, 192_000)
    expect(hosts[1]!.asked().slice(1)).toEqual([{ kind: 'want', job, until: 192_000 }])
    hosts[1]!.say({ kind: 'done', job, end: 5, source: 5 })
    expect([one.told, two.told]).toEqual([[['done', 5, 5]], []])
  })
})

describe('a question', () => {
  const ANSWERS = [
    ['look', { kind: 'unavailable', message: 'the decoding process does not answer' }],
    ['probe', { ok: false, message: LOST }],
  ] as const

  test.each(ANSWERS)('(%s) is asked of a second process, and of no third', async (what, away) => {
    const asked: Promise<unknown> = link[what]('/media/bed.wav')
    const question = hosts[0]!.asked()
    expect(question).toMatchObject([{ kind: what, path: '/media/bed.wav' }])
    hosts[0]!.emit('exit', null, 'SIGKILL')
    timers.pass(1_000)
    expect(hosts[1]!.asked()).toEqual(question)
    hosts[1]!.emit('exit', null, 'SIGKILL')
    expect(await asked).toEqual(away)
    timers.pass(1_000)
    expect(hosts.slice(2).flatMap((host) => host.asked())).toEqual([])
  })

  test('that nobody answers, though the process lives, is away after fifteen seconds', async () => {
    let told: unknown = null
    void link.look('/media/bed.wav').then((look) => (told = look))
    const [host] = hosts
    for (let ms = 0; ms < 14_900; ms += 100) {
      timers.pass(100)
      host!.say({ kind: 'pong' })
    }
    await Promise.resolve()
    expect(told).toBeNull()
    timers.pass(100)
    await new Promise((turn) => setImmediate(turn))
    expect(told).toEqual(ANSWERS[0][1])
  })

  test('asked just before all stood still is answered after it', async () => {
    const asked = link.look('/media/bed.wav')
    timers.stall(60_000)
    const look = { kind: 'unavailable', message: 'does not exist' } as const
    hosts[0]!.say({ kind: 'looked', job: 1, look })
    expect(await asked).toEqual(look)
  })

  test('answered leaves nothing behind that waits for it', async () => {
    link.warm()
    const before = timers.size
    const asked = link.look('/media/bed.wav')
    const look = { kind: 'missing', message: 'the file is missing' } as const
    hosts[0]!.say({ kind: 'looked', job: 1, look })
    await asked
    expect(timers.size).toBe(before)
  })

  test.each(ANSWERS)('(%s) open at the end is away, and so is the next', async (what, away) => {
    const open: Promise<unknown> = link[what]('/media/bed.wav')
    await link.close()
    expect([await open, await link[what]('/media/bed.wav')]).toEqual([away, away])
    expect(hosts).toHaveLength(1)
  })
})
