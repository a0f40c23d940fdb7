// Presses are sent at once and exactly once: guard, keys, retries, losses, and panic (pages 3.3).
import { beforeEach, describe, expect, test } from 'vitest'
import { ClickFilter } from '../../../src/pages/wall/press/click-filter.js'
import { PanicMachine, type PanicState } from '../../../src/pages/wall/panic.js'
import type { Press } from '../../../src/pages/wall/press/press.js'
import { PressMachine, type PressPorts } from '../../../src/pages/wall/press/press-machine.js'
import type { Outcome, Sent } from '../../../src/pages/wall/press/sender.js'
import { PageTime } from './page-time.js'

const GUARD_MS = 300
const PLAY: Press = { kind: 'send', command: { kind: 'play', buttonId: 'b1', options: null } }
const STOP: Press = {
  kind: 'send', command: { kind: 'stop', buttonId: 'b1', executionId: null, fadeMs: null },
}
const OK: Sent = { status: 202, body: { result: 'accepted' } }
type Answer = Sent | 'broken' | 'silent'

/** A daemon at the end of a bad line: answers what the test says, keeps what it was asked. */
class Line {
  readonly asked: { readonly at: number; readonly path: string; readonly key: string }[] = []
  readonly bodies: unknown[] = []
  answers: Answer[] = []
  readonly time = new PageTime()
  #keys = 0

  readonly ports: PressPorts = {
    now: this.time.now,
    after: this.time.after,
    key: () => `key-${(this.#keys += 1)}`,
    post: (path, body, key, signal) => {
      this.asked.push({ at: this.time.now(), path, key })
      this.bodies.push(body)
      const answer = this.answers.shift() ?? OK
      if (answer === 'broken') return Promise.reject(new Error('connection reset'))
      if (answer !== 'silent') return Promise.resolve(answer)
      return new Promise((_resolve, reject) => {
        signal.addEventListener('abort', () => reject(new Error('aborted')))
      })
    },
  }
}

let line = new Line()
let ignored: string[] = []
let outcomes: Outcome['kind'][] = []
let machine: PressMachine

beforeEach(() => {
  line = new Line()
  ignored = []
  outcomes = []
  machine = new PressMachine(
    line.ports,
    {
      pressed: () => undefined,
      ignored: (_button, why) => ignored.push(why),
      settled: (_button, outcome) => outcomes.push(outcome.kind),
      told: () => undefined,
      opened: () => undefined,
    },
    GUARD_MS,
  )
  machine.isConnected = true
})

describe('a press', () => {
  test('is sent in the very call that takes it', () => {
    machine.press('b1', PLAY)
    expect(line.asked).toEqual([{ at: 0, path: '/buttons/b1/play', key: 'key-1' }])
  })

  test('within the guard time is not taken, and the button shows it', async () => {
    machine.press('b1', PLAY)
    await line.time.pass(GUARD_MS - 1)
    machine.press('b1', PLAY)
    expect(ignored).toEqual(['guard'])
    machine.press('b2', PLAY)
    await line.time.pass(1)
    machine.press('b1', PLAY)
    expect(line.asked.map(({ at }) => at)).toEqual([0, GUARD_MS - 1, GUARD_MS])
  })

  test('without an answer comes again with its own key, and ends as not sent', async () => {
    line.answers = ['broken', 'broken', 'broken', 'broken']
    machine.press('b1', PLAY)
    await line.time.pass(10_000)
    expect(line.asked.map(({ at }) => at)).toEqual([0, 100, 400, 1_300])
    expect(new Set(line.asked.map(({ key }) => key))).toEqual(new Set(['key-1']))
    expect(outcomes).toEqual(['not_sent'])
  })

  test('with an answer that hangs comes again after a second', async () => {
    line.answers = ['silent', OK]
    machine.press('b1', PLAY)
    await line.time.pass(2_000)
    expect(line.asked.map(({ at, key }) => [at, key])).toEqual([[0, 'key-1'], [1_100, 'key-1']])
    expect(outcomes).toEqual(['done'])
  })

  test.each(['command_in_progress', 'app_busy'])('comes again after %s', async (error) => {
    line.answers = [{ status: 409, body: { error, message: 'later' } }]
    machine.press('b1', PLAY)
    await line.time.pass(1_000)
    expect(line.asked).toHaveLength(2)
    expect(outcomes).toEqual(['done'])
  })

  test('that is refused is not sent again', async () => {
    line.answers = [{ status: 422, body: { error: 'media_file_missing', message: 'no file' } }]
    machine.press('b1', PLAY)
    await line.time.pass(10_000)
    expect(line.asked).toHaveLength(1)
    expect(outcomes).toEqual(['refused'])
  })

  test('each has a key of its own', async () => {
    machine.press('b1', PLAY)
    await line.time.pass(GUARD_MS)
    machine.press('b1', PLAY)
    expect(line.asked.map(({ key }) => key)).toEqual(['key-1', 'key-2'])
  })

  test('of a button whose press has no answer yet waits for nothing; a stop goes out', async () => {
    line.answers = ['silent']
    machine.press('b1', PLAY)
    await line.time.pass(GUARD_MS)
    machine.press('b1', PLAY)
    expect(ignored).toEqual(['coming'])
    machine.press('b1', STOP)
    expect(line.asked.map(({ path }) => path)).toEqual(['/buttons/b1/play', '/buttons/b1/stop'])
  })
})

describe('without a connection', () => {
  test('nothing is sent, also afterwards', async () => {
    machine.isConnected = false
    machine.press('b1', PLAY)
    await line.time.pass(10_000)
    machine.isConnected = true
    await line.time.pass(10_000)
    expect(line.asked).toEqual([])
    expect(ignored).toEqual(['no_connection'])
  })

  test('what was on its way when it broke is not sent again', async () => {
    line.answers = ['broken', 'broken', 'broken', 'broken']
    machine.press('b1', PLAY)
    await line.time.pass(150)
    machine.isConnected = false
    await line.time.pass(50)
    machine.isConnected = true
    await line.time.pass(10_000)
    expect(line.asked).toHaveLength(2)
    expect(outcomes).toEqual(['taken_back'])
  })
})

test('what is under way is broken off as it is taken back, not waited for', async () => {
  line.answers = ['silent', 'silent']
  machine.press('b1', PLAY)
  machine.press('b2', PLAY)
  await line.time.pass(50)
  machine.takeBackAll()
  await line.time.pass(1)
  expect(outcomes).toEqual(['taken_back', 'taken_back'])
  expect(machine.isPending('b1')).toBe(false)
})

describe('panic', () => {
  let states: PanicState[] = []
  let panic: PanicMachine

  beforeEach(() => {
    states = []
    panic = new PanicMachine(
      line.ports, 1_500, () => machine.takeBackAll(), (state) => states.push(state),
    )
    const body = { result: 'fading_out', fadingOut: 3, stopped: 2 }
    line.answers = [{ status: 200, body }]
  })

  test('fades, and says what it did', async () => {
    panic.press()
    await line.time.pass(10)
    expect(line.bodies).toEqual([{ fadeOutMs: 1_500 }])
    expect(states).toEqual([
      { kind: 'sent', way: 'fade' }, { kind: 'done', way: 'fade', fading: 3, stopped: 2 },
    ])
  })

  test('within five seconds of the last one cuts, without a guard', async () => {
    line.answers = []
    panic.press()
    panic.press()
    await line.time.pass(5_000)
    panic.press()
    await line.time.pass(5_001)
    panic.press()
    expect(line.bodies).toEqual([
      { fadeOutMs: 1_500 }, { fadeOutMs: 0 }, { fadeOutMs: 0 }, { fadeOutMs: 1_500 },
    ])
  })

  test('takes back what was pressed before it and has no answer', async () => {
    line.answers = ['broken']
    machine.press('b1', PLAY)
    await line.time.pass(50)
    panic.press()
    await line.time.pass(10_000)
    expect(line.asked.map(({ path }) => path)).toEqual(['/buttons/b1/play', '/stop'])
  })

  test('the one that cuts takes back what was pressed since the one that fades', async () => {
    line.answers = [{ status: 200, body: { fadingOut: 1, stopped: 0 } }, 'broken']
    panic.press()
    await line.time.pass(20)
    machine.press('b1', PLAY)
    await line.time.pass(50)
    panic.press()
    await line.time.pass(10_000)
    expect(line.asked.map(({ path }) => path)).toEqual(['/stop', '/buttons/b1/play', '/stop'])
  })

  test('without an answer is not sent again once a later one has its own', async () => {
    line.answers = ['silent', { status: 200, body: { fadingOut: 0, stopped: 3 } }]
    panic.press()
    await line.time.pass(400)
    panic.press()
    await line.time.pass(10_000)
    expect(line.bodies).toEqual([{ fadeOutMs: 1_500 }, { fadeOutMs: 0 }])
    expect(states.at(-1)).toEqual({ kind: 'done', way: 'cut', fading: 0, stopped: 3 })
  })

  test('that was not sent says so, once all tries are over', async () => {
    line.answers = ['broken', 'broken', 'broken', 'broken']
    panic.press()
    await line.time.pass(2_000)
    expect(states.at(-1)).toEqual({ kind: 'not_sent', message: null, mayHaveArrived: false })
    expect(line.asked).toHaveLength(4)
  })
})

describe('a click', () => {
  test('after a pointer that went down is no second press, wherever it lands', () => {
    const clicks = new ClickFilter()
    clicks.down(1)
    expect(clicks.isPress(0)).toBe(false)
    clicks.up(1, 10)
    expect(clicks.isPress(12)).toBe(false)
  })

  test('of its own is a press, also some time after a pointer', () => {
    const clicks = new ClickFilter()
    expect(clicks.isPress(0)).toBe(true)
    clicks.down(1)
    clicks.up(1, 10)
    expect(clicks.isPress(5_000)).toBe(true)
  })
})
