// Pages and stages on /live as time goes by, seen from a whole hub.
import { beforeEach, describe, expect, test } from 'vitest'
import { LiveHub } from '../../src/api/live/hub.js'
import type { LiveSource } from '../../src/api/live/source.js'
import { VirtualTimers } from '../../src/clock/virtual.js'
import { readLiveFrame } from '../../src/contract/live-frames.js'
import { LIVE, type PageMessage } from '../../src/contract/live.js'
import { rig } from '../rig.js'
import { report, FakePage } from './fake-page.js'

let timers: VirtualTimers
let hub: LiveHub
let slots: Uint8Array
let show: string
let measure: Parameters<LiveSource['meter']>[0]

beforeEach(() => {
  timers = new VirtualTimers(0)
  slots = new Uint8Array(512)
  show = '"1"'
  measure = null
  const { player } = rig([{ buttons: [{}] }])
  hub = new LiveHub({
    version: 'test', engine: player, tags: () => ({ show, waves: null, armed: null }),
    meter: (listener) => (measure = listener),
    look: () => ({ frame: timers.nowMs(), universes: [{ universe: 1, slots }] }),
  }, timers)
})

const opened = (): FakePage => {
  const page = new FakePage()
  hub.open(page, null)
  return page
}

describe('a page', () => {
  test('that only listens is asked every ten seconds, and stays as long as it answers', () => {
    const page = opened()
    for (let n = 1; n <= 100; n += 1) {
      timers.pass(1_000)
      if (page.pings > n / 12) page.pong()
    }
    expect(page.isCut).toBe(false)
    expect(page.pings).toBeGreaterThanOrEqual(8)
    expect(page.pings).toBeLessThanOrEqual(10)
  })

  test('that says what nobody knows, e.g. a word that every object has, is heard on', () => {
    const page = opened()
    for (const kind of ['of tomorrow', 'constructor', 'toString', '__proto__']) {
      page.say({ kind } as unknown as PageMessage)
    }
    page.say({ kind: 'time', id: 7 })
    expect([page.told.at(-1), page.closed]).toMatchObject([{ kind: 'time', id: 7 }, null])
  })

  test('hears of another tag of the show within two seconds, and of each once', () => {
    const page = opened()
    for (const tag of ['"2"', '"3"']) {
      show = tag
      timers.pass(2_000)
    }
    const shows = page.told.flatMap((one) => one.kind === 'change' && one.show ? [one.show] : [])
    expect(shows).toEqual(['"2"', '"3"'])
  })

  test('is looked after as long as it is there, whichever others go', () => {
    const page = opened()
    opened().gone()
    for (let n = 1; n <= 30; n += 1) {
      timers.pass(1_000)
      if (page.pings > n / 12) page.pong()
    }
    expect([page.isCut, page.pings]).toEqual([false, 3])
  })

  test('may say fifty things each second, however long it is there', () => {
    const page = opened()
    for (let second = 0; second < 5; second += 1) {
      for (let n = 0; n < LIVE.messagesPerSecond; n += 1) page.say({ kind: 'time', id: n })
      timers.pass(1_000)
    }
    expect(page.closed).toBeNull()
    for (let n = 0; n <= LIVE.messagesPerSecond; n += 1) page.say({ kind: 'time', id: n })
    expect(page.closed).toBe(1008)
  })

  test('that lets nothing be heard is cut within 26 seconds, and leaves its place', () => {
    const page = opened()
    timers.pass(LIVE.deadMs - 1)
    expect(page.isCut).toBe(false)
    timers.pass(1_001)
    expect(page.isCut).toBe(true)
    expect(hub.isEmpty).toBe(true)
  })

  test('that was told to go is cut after five seconds where it does not take even that', () => {
    const page = opened()
    page.bufferedAmount = LIVE.bytesBehind + 1
    opened().say(report('left'))
    expect(page.closed).toBe(1013)
    timers.pass(4_900)
    expect(page.isCut).toBe(false)
    timers.pass(200)
    expect(page.isCut).toBe(true)
  })

  test('that is 64 KiB behind goes without levels and lights, and hears all else', () => {
    const page = opened()
    page.say({ kind: 'want', levels: true, lights: true })
    timers.pass(1_000)
    const before = page.frames.length
    page.bufferedAmount = 64 * 1_024 + 1
    const told = page.told.length
    measure?.({ frame: 0, master: { left: 1, right: 1 }, runs: [] })
    slots[0] = 9
    timers.pass(5_000)
    opened().say(report('left'))
    expect(page.frames.length).toBe(before)
    expect(page.told.length).toBeGreaterThan(told)
    expect(page.closed).toBeNull()
    page.bufferedAmount = 0
    measure?.({ frame: 0, master: { left: 1, right: 1 }, runs: [] })
    expect(page.frames.length).toBe(before + 1)
  })
})

describe('lights', () => {
  const looks = ({ frames }: FakePage): readonly number[] => frames.flatMap((bytes) => {
    const frame = readLiveFrame(new Uint8Array(bytes).buffer)
    return frame?.kind === 'lights' ? [frame.universes[0]?.slots[0] ?? -1] : []
  })

  test('are told once a second as they stand, at most ten times as they change', () => {
    const page = opened()
    page.say({ kind: 'want', lights: true })
    timers.pass(5_050)
    expect(looks(page).length).toBeGreaterThanOrEqual(5)
    expect(looks(page).length).toBeLessThanOrEqual(6)
    const before = looks(page).length
    for (let n = 0; n < 200; n += 1) {
      slots[0] = n
      timers.pass(5)
    }
    expect(looks(page).length - before).toBeLessThanOrEqual(11)
    expect(looks(page).length - before).toBeGreaterThanOrEqual(9)
  })

  test('are told at once to a page that comes to them, and no more to one that leaves', () => {
    const first = opened()
    first.say({ kind: 'want', lights: true })
    timers.pass(300)
    const second = opened()
    second.say({ kind: 'want', lights: true })
    timers.pass(100)
    expect(looks(second)).toEqual([0])
    second.say({ kind: 'want', levels: true })
    first.say({ kind: 'want', lights: false })
    const before = looks(first).length
    timers.pass(3_000)
    expect(looks(first).length).toBe(before)
    expect(looks(second).length).toBeGreaterThan(3)
  })

  test('are told again to whoever comes after everybody left them', () => {
    const page = opened()
    for (const lights of [true, false, true]) {
      page.say({ kind: 'want', lights })
      timers.pass(1_500)
    }
    expect(looks(page).length).toBeGreaterThanOrEqual(4)
  })
})

/** What a wall knows of stages a moment later. */
const stagesOf = (wall: FakePage): ReturnType<FakePage['stages']> => {
  timers.pass(200)
  return wall.stages()
}

describe('stages', () => {
  test('that flood the service with reports are told five times a second', () => {
    const [wall, guest] = [opened(), Array.from({ length: 50 }, opened)]
    const before = wall.told.length
    for (let n = 1; n <= 40; n += 1) {
      for (const [i, stage] of guest.entries()) stage.say(report(`stage ${i} ${n}`))
      timers.pass(25)
    }
    expect(wall.told.length - before).toBeLessThanOrEqual(6)
    expect(stagesOf(wall)).toEqual(guest.map((_stage, i) => [`stage ${i} 40`, false]))
  })

  test('that went are remembered, the last sixteen, until one of the name is back', () => {
    const wall = opened()
    for (let n = 1; n <= 20; n += 1) {
      const stage = opened()
      stage.say(report(`stage ${n}`))
      stage.gone()
    }
    const names = Array.from({ length: 16 }, (_, n) => [`stage ${n + 5}`, true])
    expect(stagesOf(wall)).toEqual(names)
    opened().say(report('stage 7'))
    expect(stagesOf(wall).filter(([name]) => name === 'stage 7')).toEqual([['stage 7', false]])
    expect(stagesOf(wall)).toHaveLength(16)
  })

  test('that went last are remembered, though they came before all others that went', () => {
    const [wall, first] = [opened(), opened()]
    first.say(report('first'))
    for (let n = 1; n <= 20; n += 1) {
      const stage = opened()
      stage.say(report(`stage ${n}`))
      stage.gone()
    }
    first.gone()
    const names = Array.from({ length: 15 }, (_, n) => [`stage ${n + 6}`, true])
    expect(stagesOf(wall)).toEqual([...names, ['first', true]])
  })

  test('that are gone for ten minutes are forgotten; those that are there are not', () => {
    const [kept, closed] = [opened(), opened()]
    kept.say(report('kept'))
    closed.say(report('closed'))
    closed.gone()
    const pass = (minutes: number): void => {
      for (let second = 0; second < minutes * 60; second += 1) {
        timers.pass(1_000)
        kept.say(report('kept'))
      }
    }
    pass(9)
    expect(opened().stages()).toEqual([['kept', false], ['closed', true]])
    pass(2)
    expect(opened().stages()).toEqual([['kept', false]])
  })

  test('that are seen and hang are gone after ten seconds, though their browser answers', () => {
    const [wall, hung, hidden] = [opened(), opened(), opened()]
    const pass = (seconds: number): void => {
      for (let second = 0; second < seconds; second += 1) {
        timers.pass(1_000)
        for (const page of [wall, hung, hidden]) page.pong()
      }
    }
    hung.say(report('hung'))
    hidden.say(report('hidden', false))
    pass(8)
    expect(wall.stages()).toEqual([['hung', false], ['hidden', false]])
    pass(3)
    expect(wall.stages()).toEqual([['hung', true], ['hidden', false]])
    pass(20 * 60)
    expect(wall.stages()).toEqual([['hung', true], ['hidden', false]])
    hung.say(report('hung'))
    expect(stagesOf(wall)).toEqual([['hung', false], ['hidden', false]])
  })

  test('of one name are told apart: one that dies is gone, though the other one reports on', () => {
    const [wall, one, other] = [opened(), opened(), opened()]
    for (const stage of [one, other, one, other]) stage.say(report('stage'))
    one.gone()
    for (let n = 0; n < 5; n += 1) other.say(report('stage'))
    expect(stagesOf(wall)).toEqual([['stage', false], ['stage', true]])
    opened().say(report('stage'))
    expect(stagesOf(wall)).toEqual([['stage', false], ['stage', false]])
  })

  test('that are back before their dead connection was cut are not gone; another one is', () => {
    const [wall, one, other] = [opened(), opened(), opened()]
    for (const stage of [one, other, one, other]) stage.say(report('stage'))
    const back = opened()
    back.say(report('stage'))
    one.gone()
    expect(stagesOf(wall)).toEqual([['stage', false], ['stage', false]])
    other.gone()
    back.say(report('stage'))
    expect(stagesOf(wall)).toEqual([['stage', false], ['stage', true]])
  })

  test('that report again and again are one each', () => {
    const [wall, left, right] = [opened(), opened(), opened()]
    for (const name of ['a', 'b', 'c']) {
      left.say(report(name))
      right.say(report('right'))
    }
    expect(stagesOf(wall)).toEqual([['c', false], ['right', false]])
  })
})
