// GET /api/v1/live in time: who is asked, cut or let go and when; lights for those who want them.
import { EventEmitter } from 'node:events'
import { beforeEach, describe, expect, it } from 'vitest'
import { LiveHub, type Seen } from '../../src/api/live/hub.js'
import type { PageSocket } from '../../src/api/live/page.js'
import { ZERO } from '../../src/clock/frame.js'
import { VirtualTimers } from '../../src/clock/virtual.js'
import {
  LIVE, LIVE_CLOSE, type LiveMessage, type LiveStage, type PageMessage,
} from '../../src/contract/live.js'
import { readLiveFrame, type LevelsFrame } from '../../src/contract/live-frames.js'
import type { LiveNews } from '../../src/engine/live-port.js'
import { rig } from '../rig.js'

/** The service's end of a WebSocket, without a network: what was sent, and what became of it. */
class Socket extends EventEmitter implements PageSocket {
  bufferedAmount = 0
  readonly told: LiveMessage[] = []
  readonly frames: Uint8Array[] = []
  /** When it was asked whether it is there. */
  readonly askedAt: number[] = []
  closed: { readonly code: number; readonly at: number } | null = null
  cutAt: number | null = null

  constructor(private readonly timers: VirtualTimers) {
    super()
  }

  send(data: Uint8Array, { binary }: { readonly binary: boolean }): void {
    if (binary) this.frames.push(data.slice())
    else this.told.push(JSON.parse(Buffer.from(data).toString('utf8')) as LiveMessage)
  }

  ping(): void {
    this.askedAt.push(this.timers.nowMs())
  }

  close(code: number, reason: string): void {
    expect(Buffer.byteLength(reason)).toBeLessThanOrEqual(123)
    this.closed = { code, at: this.timers.nowMs() }
  }

  terminate(): void {
    this.cutAt ??= this.timers.nowMs()
    this.emit('close')
  }

  say(message: PageMessage): void {
    this.emit('message', Buffer.from(JSON.stringify(message)), false)
  }
}

let timers: VirtualTimers
let hub: LiveHub
let meter: ((levels: Omit<LevelsFrame, 'kind'>) => void) | null
let follower: (news: LiveNews) => void
const slots = new Uint8Array(512)
beforeEach(() => {
  timers = new VirtualTimers(0)
  meter = null
  slots.fill(0)
  const { player } = rig([{ buttons: [{}] }])
  hub = new LiveHub({
    version: 'test',
    tags: () => ({ show: null, waves: null, armed: null }),
    meter: (listener) => {
      meter = listener
    },
    look: () => ({ frame: timers.now(), universes: [{ universe: 1, slots }] }),
    engine: {
      parts: () => player.parts(),
      present: () => player.present(),
      follow: (listener) => {
        follower = listener
        return player.follow(listener)
      },
    },
  }, timers)
})

const opened = (seen: Seen | null = null, address = ''): Socket => {
  const socket = new Socket(timers)
  hub.open(socket, seen, address)
  return socket
}
const lastOf = <T>(list: readonly T[]): T => list.at(-1) as T
/** Channel 1 of each frame of lights that came. */
const lights = ({ frames }: Socket): readonly (number | undefined)[] => frames.map((bytes) => {
  const frame = readLiveFrame(bytes.slice().buffer)
  return frame?.kind === 'lights' ? frame.universes[0]?.slots[0] : undefined
})

describe('a page that says nothing', () => {
  it('is asked every 10 s whether it is there, and cut after 25 s', () => {
    const page = opened()
    timers.pass(120_000)
    expect(page.askedAt).toEqual([10_000, 20_000])
    expect(page.cutAt).toBe(LIVE.deadMs)
    expect(timers.size).toBe(0)
  })

  it('and answers stays, asked every 10 s', () => {
    const page = opened()
    const ping = page.ping.bind(page)
    page.ping = () => {
      ping()
      page.emit('pong')
    }
    timers.pass(120_000)
    expect(page.askedAt).toEqual(Array.from({ length: 12 }, (_each, n) => (n + 1) * LIVE.pingMs))
    expect([page.cutAt, page.closed]).toEqual([null, null])
  })

  it.each<[string, (page: Socket) => void]>([
    ['a message', (page) => page.say({ kind: 'time', id: 1 })],
    ['a ping', (page) => page.emit('ping')], ['a pong', (page) => page.emit('pong')],
  ])('for 25 s after %s is cut then', (_what, say) => {
    const page = opened()
    timers.pass(24_000)
    say(page)
    timers.pass(24_000)
    expect(page.cutAt).toBeNull()
    timers.pass(2_000)
    expect(page.cutAt).toBe(49_000)
  })

  it('leaves its place to another', () => {
    for (let n = 0; n < LIVE.sockets; n += 1) opened()
    expect(hub.makesRoomFor('')).toBe(false)
    timers.pass(LIVE.deadMs)
    expect([hub.makesRoomFor(''), hub.isEmpty]).toEqual([true, true])
  })
})

describe('one page more than there may be', () => {
  it('takes the place of the oldest one of the address that holds the most', () => {
    const guest = Array.from({ length: LIVE.sockets }, () => opened(null, '10.0.0.66'))
    expect(hub.makesRoomFor('10.0.0.66')).toBe(false)
    expect(hub.makesRoomFor('10.0.0.1')).toBe(true)
    const wall = opened(null, '10.0.0.1')
    const closed = guest.map((page) => page.closed?.code ?? null)
    expect(closed).toEqual([LIVE_CLOSE.tryAgainLater, ...Array<null>(LIVE.sockets - 1).fill(null)])
    expect([hub.makesRoomFor('10.0.0.66'), wall.closed]).toEqual([false, null])
  })
})

describe('50 messages a second', () => {
  const KINDS: readonly ((page: Socket) => void)[] = [
    (page) => page.say({ kind: 'time', id: 1 }), (page) => page.emit('ping'),
    (page) => page.emit('pong'),
  ]

  it('are taken, second after second, whatever they are', () => {
    const page = opened()
    for (let second = 0; second < 30; second += 1) {
      for (let n = 0; n < LIVE.messagesPerSecond; n += 1) KINDS[n % 3]!(page)
      timers.pass(1_000)
    }
    expect([page.closed, page.cutAt]).toEqual([null, null])
  })

  it('and one more are too many', () => {
    const page = opened()
    timers.pass(30_000 / 2)
    for (let n = 0; n <= LIVE.messagesPerSecond; n += 1) {
      expect(page.closed).toBeNull()
      KINDS[n % 3]!(page)
    }
    expect(page.closed?.code).toBe(1008)
  })
})

describe('a page that does not read', () => {
  const LEVELS = { frame: 5, master: { left: 1, right: 1 }, runs: [] }

  it('goes without levels from 64 KiB on, and is told to go past 256 KiB, nobody else', () => {
    const [slow, quick] = [opened(), opened()]
    for (const page of [slow, quick]) page.say({ kind: 'want', levels: true })
    slow.bufferedAmount = 64 * 1024
    meter?.(LEVELS)
    expect([slow.frames.length, quick.frames.length]).toEqual([1, 1])
    slow.bufferedAmount += 1
    meter?.(LEVELS)
    expect([slow.frames.length, quick.frames.length]).toEqual([1, 2])
    slow.say({ kind: 'time', id: 'still told' })
    expect(lastOf(slow.told)).toMatchObject({ kind: 'time', id: 'still told' })
    slow.bufferedAmount = LIVE.bytesBehind + 1
    slow.say({ kind: 'time', id: 'too much' })
    expect(slow.closed?.code).toBe(1013)
    expect(lastOf(slow.told)).toMatchObject({ id: 'still told' })
    // It does not take even that.
    timers.pass(60_000)
    expect(slow.cutAt).toBe(5_000)
    expect(quick.closed).toBeNull()
  })

  it('does not hold up the end of the service', () => {
    const page = opened()
    timers.pass(1_000)
    hub.close()
    expect(page.closed).toEqual({ code: 1001, at: 1_000 })
    expect(lastOf(page.told)).toMatchObject({
      kind: 'change', events: [{ name: 'service', data: { state: 'shutting_down' } }],
    })
    timers.pass(1_000)
    expect(page.cutAt).toBe(1_300)
    expect(timers.size).toBe(0)
  })

  it('nor does one that was told to go before, and is still there', () => {
    const page = opened()
    page.emit('message', Buffer.from('no JSON'), false)
    expect(page.closed).toEqual({ code: 1007, at: 0 })
    timers.pass(1_000)
    hub.close()
    timers.pass(1_000)
    expect([page.closed, page.cutAt]).toEqual([{ code: 1007, at: 0 }, 1_300])
    expect(timers.size).toBe(0)
  })
})

describe('lights', () => {
  it('are told ten times a second while they change, once a second while they do not', () => {
    const page = opened()
    page.say({ kind: 'want', lights: true })
    for (let n = 1; n <= 100; n += 1) {
      slots[0] = n
      timers.pass(10)
    }
    expect(page.frames).toHaveLength(LIVE.lightsPerSecond)
    timers.pass(1_000)
    const before = page.frames.length
    const ping = page.ping.bind(page)
    page.ping = () => {
      ping()
      page.emit('pong')
    }
    timers.pass(10_000)
    expect(page.frames.length - before).toBe(10)
    expect(new Set(lights(page).slice(-10))).toEqual(new Set([100]))
    page.say({ kind: 'want', lights: false })
    timers.pass(5_000)
    expect(page.frames.length - before).toBe(10)
  })

  it('are right again within a second where a page could take none of a change', () => {
    const page = opened()
    page.say({ kind: 'want', lights: true })
    timers.pass(200)
    page.bufferedAmount = 65 * 1024
    slots[0] = 7
    timers.pass(200)
    page.bufferedAmount = 0
    timers.pass(1_000)
    expect(lastOf(lights(page))).toBe(7)
  })

  it('are told at once to a page that comes to them, however long they have stood', () => {
    slots[0] = 9
    opened().say({ kind: 'want', lights: true })
    timers.pass(550)
    const late = opened()
    timers.pass(100)
    expect(late.frames).toEqual([])
    late.say({ kind: 'want', lights: true })
    timers.pass(100)
    expect(lights(late)).toEqual([9])
  })
})

describe('stages', () => {
  const report = (name: string) => ({
    kind: 'stage' as const,
    report: {
      name, pace: 'idle' as const, on: [], p50: null, p95: null, framesDropped: 0, seeks: 0,
      visible: true, offsetMs: 0, errors: [],
    },
  })
  const namesIn = (stages: readonly LiveStage[] = []): string[] =>
    stages.map(({ gone, report: told }) => `${told?.name ?? ''}${gone ? ' gone' : ''}`)

  it('that went are remembered, the latest 16 of them', () => {
    opened()
    for (let n = 1; n <= 20; n += 1) {
      const stage = opened()
      stage.say(report(`s${n}`))
      stage.terminate()
    }
    const there = opened()
    there.say(report('here'))
    const late = opened()
    const [, state] = late.told
    const expected = Array.from({ length: 16 }, (_each, n) => `s${n + 5} gone`)
    expect(state?.kind === 'state' && namesIn(state.stages)).toEqual([...expected, 'here'])
  })
})

describe('a page that comes back', () => {
  const step = (...events: LiveNews['events']): LiveNews => ({ at: ZERO, events, runs: [] })
  const QUIET = step()
  const NOTICE = step({
    kind: 'notice', at: ZERO, buttonId: null, executionId: null, message: 'a sting was there',
  })

  /** What the only page is told that it missed, each time that it was away for these steps. */
  const missedAfter = (...times: readonly (readonly LiveNews[])[]): readonly unknown[] => {
    const seen = (page: Socket): Seen => {
      const [hello, state] = page.told
      if (hello?.kind !== 'hello' || state?.kind !== 'state') throw new Error('no greeting')
      return { boot: hello.boot, n: state.n }
    }
    let page = opened()
    return times.map((news) => {
      const last = seen(page)
      page.terminate()
      for (const one of news) follower(one)
      page = opened(last)
      return (page.told[1] as { readonly missed?: unknown }).missed
    })
  }

  it.each<[string, readonly LiveNews[], boolean]>([
    ['nothing while nothing happened', [], false],
    ['nothing while nobody was told anything', [QUIET, QUIET], false],
    ['something at the last step', [QUIET, NOTICE], true],
    ['something before quiet steps', [NOTICE, QUIET, QUIET], true],
    ['something twice', [NOTICE, QUIET, NOTICE], true],
  ])('missed %s', (_what, news, missed) => {
    // And once it was told so, it has missed nothing more.
    expect(missedAfter(news, [], [QUIET])).toEqual([missed, false, false])
  })
})
