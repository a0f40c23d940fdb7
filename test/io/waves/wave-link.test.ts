// The daemon's end of the process that makes waveforms, with one that does what a test wants.
import { EventEmitter } from 'node:events'
import { beforeEach, expect, it, vi } from 'vitest'
import { VirtualTimers } from '../../../src/clock/virtual.js'
import { ForkedWaveLink } from '../../../src/io/waves/wave-link.js'
import type { ToWaveHost, WaveAnswer } from '../../../src/io/waves/wave-messages.js'

// Other files of this process may have loaded what is made up here.
vi.hoisted(() => vi.resetModules())

/** In place of a process: what it was told, and what it says. */
class Host extends EventEmitter {
  readonly told: ToWaveHost[] = []
  isLeft = false
  killedBy: string | null = null

  send(message: ToWaveHost): void {
    this.told.push(message)
  }

  disconnect(): void {
    this.isLeft = true
  }

  kill(signal: string): void {
    this.killedBy = signal
  }

  asked(): readonly string[] {
    return this.told.map((each) => each.kind === 'ask' ? each.question.path : `hold ${each.holds}`)
  }

  answer(path: string, answer: WaveAnswer): void {
    const asked = this.told.find((each) => each.kind === 'ask' && each.question.path === path)
    if (asked?.kind === 'ask') this.emit('message', { id: asked.question.id, answer })
  }
}

const hosts: Host[] = []
vi.mock('../../../src/io/programs.js', () => ({
  forkProgram: () => {
    const host = new Host()
    hosts.push(host)
    return host
  },
}))

let timers: VirtualTimers
let link: ForkedWaveLink
beforeEach(() => {
  hosts.length = 0
  timers = new VirtualTimers(0)
  link = new ForkedWaveLink({ timers, folder: '/kept', env: {} })
})

const ask = (path: string): Promise<WaveAnswer> =>
  link.ask({ path, makes: true, ranges: [], picturesEnd: 0 })
const NONE: WaveAnswer = { kind: 'none' }
const AWAY: WaveAnswer = { kind: 'away' }
const UNMADE: WaveAnswer = { kind: 'unmade' }

it('each question has its own answer, in whatever order these come', async () => {
  const answers = [ask('/a.wav'), ask('/b.wav')]
  expect(hosts).toHaveLength(1)
  hosts[0]!.answer('/b.wav', UNMADE)
  hosts[0]!.answer('/a.wav', NONE)
  expect(await Promise.all(answers)).toEqual([NONE, UNMADE])
})

it('a process that starts while sound needs the processor is held from the first', () => {
  link.hold(true)
  expect(hosts).toHaveLength(0)
  void ask('/a.wav')
  expect(hosts[0]!.asked()).toEqual(['hold true', '/a.wav'])
  link.hold(true)
  link.hold(false)
  expect(hosts[0]!.asked()).toEqual(['hold true', '/a.wav', 'hold false'])
  void link.rest()
  void ask('/b.wav')
  expect(hosts[1]!.asked()).toEqual(['/b.wav'])
})

it.each([
  ['is gone', (host: Host) => host.emit('disconnect')],
  ['could not be started', (host: Host) => host.emit('error', new Error('EAGAIN'))],
  ['says nothing for half an hour', () => timers.pass(30 * 60_000)],
])('where the process %s nobody waits, and the next question goes to another', async (_, end) => {
  const answers = [ask('/a.wav'), ask('/b.wav')]
  end(hosts[0]!)
  expect(await Promise.all(answers)).toEqual([AWAY, AWAY])
  const again = ask('/a.wav')
  expect(hosts).toHaveLength(2)
  hosts[1]!.answer('/a.wav', UNMADE)
  expect(await again).toEqual(UNMADE)
  // What the first one still says of its end concerns nobody.
  void ask('/c.wav')
  hosts[0]!.emit('disconnect')
  expect([hosts.length, hosts[1]!.isLeft]).toEqual([2, false])
})

it('half an hour counts for each question by itself', async () => {
  const [first, last] = [ask('/a.wav'), ask('/b.wav')]
  hosts[0]!.answer('/a.wav', UNMADE)
  expect(await first).toEqual(UNMADE)
  timers.pass(29 * 60_000)
  void ask('/c.wav')
  hosts[0]!.answer('/b.wav', NONE)
  expect(await last).toEqual(NONE)
  timers.pass(29 * 60_000)
  expect([hosts.length, hosts[0]!.isLeft]).toEqual([1, false])
})

it('a process that hangs over its end is killed, one that ends by itself is not', async () => {
  void ask('/a.wav')
  const hung = link.rest()
  timers.pass(499)
  expect(hosts[0]).toMatchObject({ isLeft: true, killedBy: null })
  timers.pass(1)
  await hung
  expect(hosts[0]?.killedBy).toBe('SIGKILL')
  void ask('/b.wav')
  const ended = link.rest()
  hosts[1]?.emit('exit', null, 'SIGKILL')
  await ended
  timers.pass(1_000)
  expect(hosts[1]?.killedBy).toBeNull()
})
