// What is told on /live over a surroundings made up here: runs, tags, levels, what was missed.
import { beforeEach, describe, expect, it } from 'vitest'
import { LiveHub, type Seen } from '../../src/api/live/hub.js'
import type { LiveSource } from '../../src/api/live/source.js'
import { frame } from '../../src/clock/frame.js'
import { VirtualTimers } from '../../src/clock/virtual.js'
import type { LiveChange, LiveMessage, LiveRun, PageMessage } from '../../src/contract/live.js'
import type { LiveNews } from '../../src/engine/live-port.js'
import { report, FakePage } from './fake-page.js'

const SILENCE = { frame: 0, master: { left: 0, right: 0 }, runs: [] }

let timers: VirtualTimers
let hub: LiveHub
let runs: LiveRun[]
let sink: string
let tags: { show: string; waves: string; armed: string }
/** Each answer to whether somebody wants levels, in the order in which they were given. */
let meters: Parameters<LiveSource['meter']>[0][]
let follower: ((news: LiveNews) => void) | null

beforeEach(() => {
  timers = new VirtualTimers(0)
  runs = []
  sink = 'null'
  tags = { show: '"s1"', waves: '"w1"', armed: '' }
  meters = []
  hub = new LiveHub({
    version: 'test',
    engine: {
      parts: () => ({
        runs, image: null, timelines: [],
        output: { state: 'ok', sink, latency: 0, underruns: 0, armedHeads: 0 },
        lights: { state: 'off', message: null }, service: 'ready',
      }),
      present: () => ({ frame: timers.now(), latency: 0 }),
      follow: (listener) => {
        follower = listener
        return () => (follower = null)
      },
    },
    tags: () => ({ ...tags }),
    meter: (listener) => void meters.push(listener),
    look: () => ({ frame: timers.now(), universes: [] }),
  }, timers)
})

const opened = (seen: Seen | null = null): FakePage => {
  const page = new FakePage()
  hub.open(page, seen)
  return page
}
const want = (page: FakePage, levels?: boolean, lights?: boolean): void => {
  const named = { ...(levels === undefined ? {} : { levels }) }
  page.say({ kind: 'want', ...named, ...(lights === undefined ? {} : { lights }) })
}
const run = (executionId: string, more: Partial<LiveRun> = {}): LiveRun =>
  ({ executionId, state: 'playing', endReason: null, starving: false, ...more }) as LiveRun
/** The engine tells of runs as they are now; one that is over is live no more. */
const tell = (...touched: readonly LiveRun[]): void => {
  const ids = touched.map(({ executionId }) => executionId)
  const live = touched.filter(({ endReason }) => endReason === null)
  runs = [...runs.filter(({ executionId }) => !ids.includes(executionId)), ...live]
  follower?.({ at: frame(0), events: [], runs: touched })
}
const over = (executionId: string): LiveRun =>
  run(executionId, { state: 'stopped', endReason: 'explicit_stop' })

/** The changes that a page was told of since the last call. */
const changes = (page: FakePage): readonly LiveChange[] => page.told.splice(0)
  .flatMap((one: LiveMessage) => one.kind === 'change' ? [one] : [])
const stateOf = (page: FakePage) => {
  const state = page.told.find((one) => one.kind === 'state')
  if (state === undefined) throw new Error('it was told no state')
  return state
}

describe('levels', () => {
  it('are measured while somebody wants them, time after time, and come to those alone', () => {
    const [first, second, other] = [opened(), opened(), opened()]
    for (const turn of [1, 2, 3]) {
      want(first, true)
      want(second, true)
      // What a page does not name stays as it is.
      want(first, undefined, false)
      want(other, false, true)
      expect(meters).toHaveLength(2 * turn - 1)
      other.frames.length = 0
      meters.at(-1)?.(SILENCE)
      expect([first, second, other].map(({ frames }) => frames.length)).toEqual([turn, turn, 0])
      want(second, false)
      expect(meters).toHaveLength(2 * turn - 1)
      want(first, false)
      expect([meters.length, meters.at(-1)]).toEqual([2 * turn, null])
    }
  })

  it('are not measured for one that went', () => {
    const page = opened()
    for (const page of [opened(), opened()]) {
      want(page, true)
      page.gone()
      expect(meters.at(-1)).toBeNull()
    }
    expect([meters.length, page.frames]).toEqual([4, []])
  })
})

describe('a run', () => {
  it('is told where it differs from what was told, and at its end', () => {
    const page = opened()
    changes(page)
    const steps = [
      run('a'), run('a'), run('a', { starving: true }), run('a', { starving: true }), run('a'),
      over('a'),
    ]
    const told = steps.map((one) => {
      tell(one)
      return changes(page).map((change) => [change.n, change.runs])
    })
    expect(told).toEqual([
      [[1, [steps[0]]]], [], [[2, [steps[2]]]], [], [[3, [steps[4]]]], [[4, [steps[5]]]],
    ])
  })

  it('is told alone, whatever else goes on, and all that changed at a moment at once', () => {
    const page = opened()
    tell(run('a'), run('b'))
    expect(changes(page).map((change) => change.runs)).toEqual([[run('a'), run('b')]])
    sink = 'speaker'
    tell(run('a'), over('b'))
    expect(changes(page)).toEqual([{
      kind: 'change', n: 2, at: 0, events: [], runs: [over('b')],
      output: { state: 'ok', sink: 'speaker', latency: 0, underruns: 0, armedHeads: 0 },
    }])
  })
})

describe('a page that comes back', () => {
  const seen = (page: FakePage): Seen => {
    const [hello] = page.told
    if (hello?.kind !== 'hello') throw new Error('no greeting')
    return { boot: hello.boot, n: stateOf(page).n }
  }
  /** Whether the only page is told that it missed anything, each time that it was away. */
  const missedIn = (...times: readonly (() => void)[]): readonly unknown[] => {
    let page = opened()
    return times.map((happens) => {
      const last = seen(page)
      page.gone()
      happens()
      page = opened(last)
      return stateOf(page).missed
    })
  }
  const nothing = (): void => undefined

  it.each<[string, () => void]>([
    ['a run that began', () => tell(run('b'))],
    ['one that went on otherwise', () => tell(run('a', { starving: true }))],
    ['one that ended', () => tell(over('a'))],
    ['one that ended and one that began', () => tell(over('a'), run('c'))],
    ['another output', () => (sink = 'speaker')],
    ['another show', () => (tags.show = '"s2"')],
  ])('has missed %s, and that once', (_what, happens) => {
    tell(run('a'))
    opened().gone()
    expect(missedIn(nothing, happens, nothing, nothing)).toEqual([false, true, false, false])
  })

  it('has missed nothing of a run that began and ended while nobody was there', () => {
    const wasThere = (): void => {
      tell(run('b'))
      tell(over('b'))
    }
    expect(missedIn(wasThere, nothing)).toEqual([false, false])
  })

  it('has missed nothing of one whose end it saw', () => {
    const page = opened()
    tell(run('a'))
    tell(over('a'))
    const { n } = changes(page).at(-1)!
    page.gone()
    expect(stateOf(opened()).n).toBe(n)
  })

  it('has missed something after the service began anew, though the number is the same', () => {
    const page = opened()
    const { n } = stateOf(page)
    expect(stateOf(opened({ boot: '0'.repeat(16), n })).missed).toBe(true)
    expect(stateOf(opened({ ...seen(page), n })).missed).toBe(false)
    expect(stateOf(opened({ ...seen(page), n: n - 1 })).missed).toBe(true)
  })
})

describe('what is known of files', () => {
  it('is in the state of a page that comes as it is now, and told to it no second time', () => {
    const before = opened()
    for (const n of [2, 3, 4]) {
      timers.pass(100)
      changes(before)
      tags.show = `"s${n}"`
      const page = opened()
      expect(stateOf(page).show).toBe(tags.show)
      expect(changes(before).map(({ show }) => show)).toEqual([tags.show])
      timers.pass(3_000)
      expect([changes(page), changes(before)]).toEqual([[], []])
      page.gone()
    }
  })

  it('is told once a second at most, all that changed by then', () => {
    const page = opened()
    changes(page)
    for (let n = 0; n < 40; n += 1) {
      timers.pass(100)
      tags.armed = `a${n}`
      tags.waves = `"w${n}"`
      tell(run('a', { starving: n % 2 === 0 }))
    }
    const told = changes(page)
      .flatMap(({ armed, waves }) => armed === undefined ? [] : [armed, waves])
    expect(told.length).toBeGreaterThanOrEqual(6)
    expect(told.length).toBeLessThanOrEqual(10)
    expect(new Set(told).size).toBe(told.length)
  })
})

describe('a page that is told to go', () => {
  const LEAVE: readonly [string, number, (page: FakePage) => void][] = [
    ['no JSON', 1007, (page) => page.say('x' as unknown as PageMessage)],
    ['what does not fit', 1008, (page) => page.say({ kind: 'time' } as PageMessage)],
    ['bytes', 1003, (page) => page.say(report('left'), true)],
  ]

  it.each(LEAVE)('for %s (%i) is told, asked and heard no more', (_what, code, say) => {
    const [page, wall] = [opened(), opened()]
    want(page, true, true)
    // Soon it would be asked whether it is there.
    timers.pass(7_000)
    say(page)
    expect(page.closes).toEqual([code])
    const { told, frames } = page
    told.length = frames.length = 0
    page.say({ kind: 'time', id: 2 })
    page.say(report('left'))
    tell(run('a'))
    meters.at(-1)?.(SILENCE)
    timers.pass(4_900)
    expect([told, frames, page.pings, page.closes]).toEqual([[], [], 0, [code]])
    expect(wall.stages()).toEqual([])
    timers.pass(100)
    expect(page.isCut).toBe(true)
  })

  it('and goes by itself leaves nothing behind', () => {
    const page = opened()
    LEAVE[0]![2](page)
    page.gone()
    expect([timers.size, hub.isEmpty]).toEqual([0, true])
    timers.pass(10_000)
    expect(page.isCut).toBe(false)
  })
})

it('nothing is followed any more once the service ends', () => {
  hub.close()
  expect(follower).toBeNull()
})
