// A page's connection: time is asked, silence is seen, a loss is told, and it comes back by itself.
import { beforeEach, describe, expect, test } from 'vitest'
import type { LiveChange, LiveMessage, LiveState } from '../../../src/contract/live.js'
import type { TimeSample } from '../../../src/pages/shared/clock.js'
import {
  LiveSocket, type LivePorts, type SocketEvents,
} from '../../../src/pages/shared/live-socket.js'
import type { Known } from '../../../src/pages/shared/live-state.js'
import { PageTime } from './page-time.js'
import { aRun, SILENT } from './show-parts.js'

const STATE: LiveState = { ...SILENT, kind: 'state', n: 4, at: 0, missed: null }
const change = (n: number, more: Partial<LiveChange> = {}): LiveChange => ({
  kind: 'change', n, at: 0, events: [], runs: [], ...more,
})

/** A daemon and the network to it, as the test wants them. */
class Place {
  readonly time = new PageTime()
  readonly opened: string[] = []
  readonly sent: { readonly at: number; readonly text: string }[] = []
  readonly told: [string, number][] = []
  readonly samples: TimeSample[] = []
  readonly boots: boolean[] = []
  known: Known | null = null
  isThere = true
  answersTime = true
  /** What a time message takes, there and back. */
  tripMs = 2
  /** Connections that were opened and not closed by the page. */
  held = 0
  tells = true
  boot = 'one'
  socket: SocketEvents | null = null
  isHidden = false

  readonly ports: LivePorts = {
    now: this.time.now,
    after: this.time.after,
    open: (path, events) => {
      this.opened.push(path)
      if (this.tells) this.time.after(1, () => this.#welcome(events))
      this.held += 1
      const close = (): void => {
        this.held -= 1
        this.socket = null
      }
      return { send: (text) => this.#hear(text), close }
    },
    isThere: () => Promise.resolve(this.isThere),
    isHidden: () => this.isHidden,
  }

  readonly live = new LiveSocket(this.ports, {
    hello: (_hello, isNewBoot) => this.boots.push(isNewBoot),
    state: (known) => (this.known = known),
    change: (known) => (this.known = known),
    time: (sample) => this.samples.push(sample),
    binary: () => undefined,
    connection: (connection) => this.told.push([connection, this.time.now()]),
  })

  say(message: LiveMessage): void {
    this.socket?.text(JSON.stringify(message))
  }

  #welcome(events: SocketEvents): void {
    this.socket = events
    events.opened()
    this.say({
      kind: 'hello', protocol: 'cartwall.live.1', version: '1', boot: this.boot, show: null,
    })
    this.say(STATE)
  }

  #hear(text: string): void {
    this.sent.push({ at: this.time.now(), text })
    const message = JSON.parse(text) as { kind: string; id: number }
    if (message.kind !== 'time' || !this.answersTime) return
    const frame = this.time.now() * 48
    const answer = { kind: 'time', id: message.id, frame, latency: 480 } as const
    this.time.after(this.tripMs, () => this.say(answer))
  }
}

let place = new Place()

beforeEach(async () => {
  place = new Place()
  place.live.start()
  await place.time.pass(10)
})

describe('time', () => {
  test('is asked eight times in the first 400 ms, then once a second', async () => {
    await place.time.pass(5_000)
    const times = place.sent.map(({ at }) => at)
    expect(times.filter((at) => at <= 401)).toHaveLength(8)
    expect(times.filter((at) => at > 401 && at <= 4_401)).toHaveLength(4)
  })

  test('is asked eight times anew in doubt, but not in the midst of that', async () => {
    await place.time.pass(3_990)
    const before = place.sent.length
    place.live.askAnew()
    for (let n = 0; n < 4; n += 1) {
      await place.time.pass(50)
      place.live.askAnew()
    }
    await place.time.pass(201)
    expect(place.sent.length - before).toBe(8)
    await place.time.pass(4_000)
    expect(place.sent.length - before).toBe(12)
  })

  test('is handed on with the moments of asking and of the answer', () => {
    expect(place.samples[0]).toEqual({ sentAt: 1, receivedAt: 3, frame: 48, latencyFrames: 480 })
  })
})

describe('the state', () => {
  test('grows by each change, and runs that are over leave it', () => {
    place.say(change(5, { runs: [aRun({})] }))
    expect(place.known?.runs).toHaveLength(1)
    place.say(change(6, { runs: [aRun({ state: 'stopped', endReason: 'explicit_stop' })] }))
    expect(place.known).toMatchObject({ n: 6, runs: [] })
  })

  test('keeps what a change does not name, and takes null where it is told', () => {
    const image = { buttonId: 'b', title: 'Logo', at: 0 }
    place.say(change(5, { image }))
    place.say(change(6))
    expect(place.known?.image).toEqual(image)
    place.say(change(7, { image: null }))
    expect(place.known?.image).toBeNull()
  })

  test('with a number that is missing is asked for anew', async () => {
    place.say(change(6, { runs: [aRun({})] }))
    expect(place.known?.runs).toEqual([])
    await place.time.pass(1_000)
    expect(place.opened.at(-1)).toBe('/api/v1/live?boot=one&n=4')
  })
})

describe('a connection', () => {
  test('that breaks is lost at once, and back within a second of the daemon', async () => {
    place.isThere = false
    place.socket?.closed()
    expect(place.told.at(-1)).toEqual(['lost', 10])
    await place.time.pass(60_000)
    expect(place.opened).toHaveLength(1)
    place.isThere = true
    place.boot = 'two'
    const back = place.time.now()
    await place.time.pass(1_000)
    expect(place.told.at(-1)?.[0]).toBe('live')
    expect(place.told.at(-1)?.[1]).toBeLessThan(back + 1_000)
    expect(place.boots).toEqual([false, true])
  })

  test('that falls silent is late after a second and lost within three', async () => {
    await place.time.pass(990)
    place.answersTime = false
    await place.time.pass(3_200)
    const told = Object.fromEntries(place.told.slice(1))
    const lastWord = place.samples.at(-1)?.receivedAt ?? 0
    expect(told['late']! - lastWord).toBeLessThanOrEqual(2_300)
    expect(told['lost']! - lastWord).toBeLessThanOrEqual(3_000)
  })

  test('that is late is live again with the next answer', async () => {
    place.answersTime = false
    await place.time.pass(1_900)
    expect(place.told.at(-1)?.[0]).toBe('late')
    place.answersTime = true
    await place.time.pass(1_100)
    expect(place.told.at(-1)?.[0]).toBe('live')
  })

  test('of a hidden page is judged when it is seen again, not by timers that sleep', async () => {
    place.isHidden = true
    place.answersTime = false
    await place.time.pass(30_000)
    expect(place.told).toEqual([['live', 1]])
    place.isHidden = false
    place.live.wake()
    await place.time.pass(3_100)
    expect(place.told.at(-1)?.[0]).toBe('lost')
  })

  test('of a machine that slept is not taken for lost before it was asked', async () => {
    place.isHidden = true
    place.answersTime = false
    await place.time.pass(30_000)
    place.isHidden = false
    place.answersTime = true
    place.tripMs = 700
    place.live.wake()
    await place.time.pass(5_000)
    expect(place.told).toEqual([['live', 1]])
  })

  test('of a hidden page is tried for seldom, and at once where that is seen again', async () => {
    place.isHidden = true
    place.isThere = false
    place.socket?.closed()
    await place.time.pass(5_000)
    place.isThere = true
    place.isHidden = false
    place.live.wake()
    await place.time.pass(50)
    expect(place.told.at(-1)?.[0]).toBe('live')
  })

  test('that opens and says nothing is given up and tried again, one at a time', async () => {
    place.tells = false
    place.socket?.closed()
    await place.time.pass(10_000)
    expect(place.opened.length).toBeGreaterThan(2)
    expect(place.held).toBeLessThanOrEqual(1)
  })

  test('wants again what it wanted before it broke', async () => {
    place.live.want(true, false)
    place.socket?.closed()
    await place.time.pass(1_000)
    const wants = place.sent.filter(({ text }) => text.includes('want'))
    expect(wants.map(({ text }) => JSON.parse(text) as unknown)).toEqual([
      { kind: 'want', levels: true, lights: false }, { kind: 'want', levels: true, lights: false },
    ])
  })
})
