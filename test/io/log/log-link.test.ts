// The log as the daemon holds it, over a process that writes, fails and ends as a test wants.
import { EventEmitter } from 'node:events'
import type * as childProcess from 'node:child_process'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { VirtualTimers } from '../../../src/clock/virtual.js'
import { LogLink } from '../../../src/io/log/log-link.js'
import type { FromLogProcess, ToLogProcess } from '../../../src/io/log/log-messages.js'

// Other files of this process may have loaded what is made up here.
vi.hoisted(() => vi.resetModules())

class Child extends EventEmitter {
  readonly pid = 1
  readonly stdio = []
  readonly sent: ToLogProcess[] = []
  isKilled = false

  constructor(readonly args: readonly string[]) {
    super()
  }

  send(message: ToLogProcess): void {
    this.sent.push(message)
  }

  kill(): void {
    this.isKilled = true
  }

  unref(): void {
    // It keeps nobody from ending.
  }

  /** The batch that is out for this target came to its end. */
  tell(message: FromLogProcess): void {
    this.emit('message', message)
  }
}

const children: Child[] = []
vi.mock('node:child_process', async (original) => ({
  ...(await original<typeof childProcess>()),
  fork: (_program: URL, args: readonly string[]) => {
    const child = new Child(args)
    children.push(child)
    return child
  },
}))

let timers: VirtualTimers
let log: LogLink
beforeEach(() => {
  children.length = 0
  timers = new VirtualTimers(1_700_000_000_000)
  log = new LogLink(timers, 'pretty')
})

const OK = { state: 'ok', message: null }
const FULL = 'ENOSPC: no space left on device, write'

describe('lines', () => {
  it('go to the process as they are to look, each to its descriptor, one batch at a time', () => {
    expect(children[0]!.args).toEqual(['pretty'])
    log.write('a\n')
    log.say('ready\n')
    log.write('b\n')
    expect(children[0]!.sent).toEqual([{ target: 2, text: 'a\n' }, { target: 1, text: 'ready\n' }])
    children[0]!.tell({ target: 2, failure: null })
    expect(children[0]!.sent.slice(2)).toEqual([{ target: 2, text: 'b\n' }])
    expect(log.status()).toEqual({ ...OK, lost: 0 })
  })

  it('that could not be written are counted; a second later it is tried again', () => {
    log.write('a\n')
    children[0]!.tell({ target: 2, failure: FULL })
    log.write('b\n')
    expect(log.status()).toEqual({ state: 'failing', message: FULL, lost: 1 })
    timers.pass(999)
    expect(children[0]!.sent).toHaveLength(1)
    timers.pass(1)
    const msg = '1 line of this log could not be written'
    const loss = { level: 40, time: 1_700_000_001_000, lost: 1, msg }
    const text = `${JSON.stringify(loss)}\nb\n`
    expect(children[0]!.sent.slice(1)).toEqual([{ target: 2, text }])
    children[0]!.tell({ target: 2, failure: null })
    expect(log.status()).toEqual({ ...OK, lost: 1 })
  })

  it('on stdout nothing tells of a loss: programs read it', () => {
    log.say('ready\n')
    children[0]!.tell({ target: 1, failure: 'EPIPE' })
    log.say('again\n')
    timers.pass(1_000)
    expect(children[0]!.sent.at(-1)).toEqual({ target: 1, text: 'again\n' })
    expect(log.status()).toEqual({ ...OK, lost: 0 })
  })

  it('go to another process a second after one has ended, both kinds of them', () => {
    for (const turn of [0, 1, 2]) {
      log.write('a\n')
      log.say('a\n')
      children[turn]!.emit('exit', null, 'SIGKILL')
      children[turn]!.emit('exit', null, 'SIGKILL')
      expect(log.status().message).toBe('the log process ended (SIGKILL)')
      log.write('b\n')
      log.say('b\n')
      timers.pass(999)
      expect(children).toHaveLength(turn + 1)
      timers.pass(1)
      expect(children).toHaveLength(turn + 2)
      const next = children[turn + 1]!
      expect(next.sent.map(({ target }) => target).sort()).toEqual([1, 2])
      expect(next.sent.find(({ target }) => target === 2)?.text).toMatch(/could not .*\nb\n$/s)
      for (const target of [1, 2] as const) next.tell({ target, failure: null })
      expect(log.status()).toEqual({ ...OK, lost: turn + 1 })
      // What the old one says now is about nothing that is out.
      children[turn]!.tell({ target: 2, failure: FULL })
      expect(log.status()).toEqual({ ...OK, lost: turn + 1 })
    }
  })
})

describe('the status, where a log process ended', () => {
  const KILLED = 'the log process ended (SIGKILL)'

  it('is well once the next one is up, in a room where nobody says anything, too', () => {
    children[0]!.tell({ isUp: true })
    children[0]!.emit('exit', null, 'SIGKILL')
    timers.pass(1_000)
    // It runs, but may end at once like the one before.
    expect(log.status()).toEqual({ state: 'failing', message: KILLED, lost: 0 })
    children[1]!.tell({ isUp: true })
    expect(log.status()).toEqual({ ...OK, lost: 0 })
  })

  it('tells of the next one what is the matter with that', () => {
    log.write('a\n')
    children[0]!.emit('exit', null, 'SIGKILL')
    timers.pass(1_000)
    children[1]!.tell({ isUp: true })
    timers.pass(3_000)
    const message = 'nothing was taken for 3 s: nobody reads it'
    expect(log.status()).toEqual({ state: 'failing', message, lost: 1 })
    children[1]!.tell({ target: 2, failure: FULL })
    expect(log.status()).toMatchObject({ state: 'failing', message: FULL })
  })
})

describe('the end', () => {
  const closing = () => {
    const state = { isOver: false }
    void log.close().then(() => (state.isOver = true))
    return state
  }
  const passed = async (ms: number): Promise<void> => {
    for (let gone = 0; gone < ms; gone += 5) {
      await new Promise((turn) => setImmediate(turn))
      timers.pass(5)
    }
    await new Promise((turn) => setImmediate(turn))
  }

  it('waits for what is out, for less than half a second', async () => {
    children[0]!.tell({ isUp: true })
    log.write('a\n')
    const state = closing()
    await passed(300)
    expect([state.isOver, children[0]!.isKilled]).toEqual([false, false])
    children[0]!.tell({ target: 2, failure: null })
    await passed(10)
    expect([state.isOver, children[0]!.isKilled]).toEqual([true, true])
  })

  it('gives the last lines as long after a whole night', async () => {
    children[0]!.tell({ isUp: true })
    timers.pass(8 * 3_600_000)
    log.write('the show is over\n')
    const state = closing()
    await passed(300)
    expect([state.isOver, children[0]!.isKilled]).toEqual([false, false])
    children[0]!.tell({ target: 2, failure: null })
    await passed(10)
    expect([state.isOver, children[0]!.isKilled]).toEqual([true, true])
  })

  it('waits for a process that does not run yet: why a start fails must be said', async () => {
    log.write('a\n')
    const state = closing()
    await passed(1_200)
    expect([state.isOver, children[0]!.isKilled]).toEqual([false, false])
    children[0]!.tell({ isUp: true })
    await passed(300)
    expect(state.isOver).toBe(false)
    children[0]!.tell({ target: 2, failure: null })
    await passed(10)
    expect([state.isOver, children[0]!.isKilled]).toEqual([true, true])
  })

  it('waits as long for one that has just taken the place of another', async () => {
    children[0]!.tell({ isUp: true })
    children[0]!.emit('exit', null, 'SIGKILL')
    log.write('a\n')
    timers.pass(1_000)
    const state = closing()
    await passed(1_200)
    expect([children.length, state.isOver]).toEqual([2, false])
    for (const message of [{ isUp: true }, { target: 2, failure: null }] as const) {
      children[1]!.tell(message)
    }
    await passed(10)
    expect([state.isOver, children[1]!.isKilled]).toEqual([true, true])
  })

  it('comes though a process never runs', async () => {
    log.write('a\n')
    const state = closing()
    await passed(1_800)
    expect(state.isOver).toBe(false)
    await passed(200)
    expect(state.isOver).toBe(true)
  })

  it('comes though nobody reads, and no other process is started then', async () => {
    children[0]!.tell({ isUp: true })
    log.write('a\n')
    log.say('b\n')
    const state = closing()
    await passed(450)
    expect([state.isOver, children[0]!.isKilled]).toEqual([true, true])
    children[0]!.emit('exit', null, 'SIGKILL')
    timers.pass(5_000)
    expect(children).toHaveLength(1)
  })

  it('comes at once where nothing waits, or nothing can be written', async () => {
    log.write('a\n')
    children[0]!.tell({ target: 2, failure: FULL })
    const state = closing()
    await passed(5)
    expect(state.isOver).toBe(true)
  })
})
