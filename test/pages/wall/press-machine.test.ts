// Presses are sent at once and exactly once: guard, keys, retries and losses.
import { beforeEach, describe, expect, test } from 'vitest'
import { ClickFilter } from '../../../src/pages/wall/press/click-filter.js'
import type { Press } from '../../../src/pages/wall/press/press.js'
import { PressMachine } from '../../../src/pages/wall/press/press-machine.js'
import type { Outcome, Sent } from '../../../src/pages/wall/press/sender.js'
import { ScriptedDaemon, OK, PLAY } from './scripted-daemon.js'

const GUARD_MS = 300
const STOP: Press = {
  kind: 'send', command: { kind: 'stop', buttonId: 'b1', executionId: null, fadeMs: null },
}
const BUSY: Sent = { status: 409, body: { error: 'app_busy', message: 'a show is being read' } }

let daemon = new ScriptedDaemon()
let ignored: string[] = []
let outcomes: Outcome['kind'][] = []
let last: Outcome | null = null
let said: string[] = []
let machine: PressMachine

beforeEach(() => {
  daemon = new ScriptedDaemon()
  ignored = []
  outcomes = []
  said = []
  machine = new PressMachine(
    daemon.ports,
    {
      pressed: () => undefined,
      ignored: (_button, why) => ignored.push(why),
      settled: (_button, outcome) => {
        last = outcome
        outcomes.push(outcome.kind)
      },
      told: (_button, message) => said.push(message),
      opened: (playlist) => said.push(`open ${playlist}`),
    },
    GUARD_MS,
  )
  machine.isConnected = true
})

describe('a press', () => {
  test('is sent in the very call that takes it', () => {
    machine.press('b1', PLAY)
    expect(daemon.asked).toEqual([{ at: 0, path: '/buttons/b1/play', key: 'key-1' }])
  })

  test('within the guard time is not taken, and the button shows it', async () => {
    machine.press('b1', PLAY)
    await daemon.time.pass(GUARD_MS - 1)
    machine.press('b1', PLAY)
    expect(ignored).toEqual(['guard'])
    machine.press('b2', PLAY)
    await daemon.time.pass(1)
    machine.press('b1', PLAY)
    expect(daemon.asked.map(({ at }) => at)).toEqual([0, GUARD_MS - 1, GUARD_MS])
  })

  test('without an answer comes again with its own key, and ends as not sent', async () => {
    daemon.answers = ['broken', 'broken', 'broken', 'broken']
    machine.press('b1', PLAY)
    await daemon.time.pass(10_000)
    expect(daemon.asked.map(({ at }) => at)).toEqual([0, 100, 400, 1_300])
    expect(new Set(daemon.asked.map(({ key }) => key))).toEqual(new Set(['key-1']))
    expect(outcomes).toEqual(['not_sent'])
  })

  test('with an answer that hangs comes again after a second', async () => {
    daemon.answers = ['silent', OK]
    machine.press('b1', PLAY)
    await daemon.time.pass(2_000)
    expect(daemon.asked.map(({ at, key }) => [at, key])).toEqual([[0, 'key-1'], [1_100, 'key-1']])
    expect(outcomes).toEqual(['done'])
  })

  test.each(['command_in_progress', 'app_busy'])('comes again after %s', async (error) => {
    daemon.answers = [{ status: 409, body: { error, message: 'later' } }]
    machine.press('b1', PLAY)
    await daemon.time.pass(1_000)
    expect(daemon.asked).toHaveLength(2)
    expect(outcomes).toEqual(['done'])
  })

  test('that is refused is not sent again', async () => {
    daemon.answers = [{ status: 422, body: { error: 'media_file_missing', message: 'no file' } }]
    machine.press('b1', PLAY)
    await daemon.time.pass(10_000)
    expect(daemon.asked).toHaveLength(1)
    expect(outcomes).toEqual(['refused'])
  })

  test('that is refused each time, since the service is busy, says so in the end', async () => {
    daemon.answers = [BUSY, BUSY, BUSY, BUSY]
    machine.press('b1', PLAY)
    await daemon.time.pass(10_000)
    expect(daemon.asked).toHaveLength(4)
    expect(last).toEqual({ kind: 'refused', code: 'app_busy', message: 'a show is being read' })
  })

  test.each<[what: string, Sent, code: string, message: string]>([
    ['that says why', { status: 404, body: { error: 'gone', message: 'no b1' } }, 'gone', 'no b1'],
    ['that only names it', { status: 404, body: { error: 'not_here' } }, 'not_here', 'not here'],
    ['of somebody else', { status: 502, body: null }, 'http_502', 'http 502'],
    ['that moved', { status: 300, body: { error: 5, message: 5 } }, 'http_300', 'http 300'],
  ])('tells a refusal %s', async (_, answer, code, message) => {
    daemon.answers = [answer]
    machine.press('b1', PLAY)
    await daemon.time.pass(10)
    expect(last).toEqual({ kind: 'refused', code, message })
  })

  test('may have arrived where one of its tries was waited for and the others broke', async () => {
    daemon.answers = ['silent', 'broken', 'broken', 'broken']
    machine.press('b1', PLAY)
    await daemon.time.pass(10_000)
    expect(last).toEqual({ kind: 'not_sent', mayHaveArrived: true })
  })

  test('has not arrived where the service was busy, and then away', async () => {
    daemon.answers = [BUSY, 'broken', BUSY, 'broken']
    machine.press('b1', PLAY)
    await daemon.time.pass(10_000)
    expect(last).toEqual({ kind: 'not_sent', mayHaveArrived: false })
  })

  test('that is taken back in its last try is taken back', async () => {
    daemon.answers = ['broken', 'broken', 'broken', 'silent']
    machine.press('b1', PLAY)
    await daemon.time.pass(1_400)
    machine.takeBackAll()
    await daemon.time.pass(10_000)
    expect(outcomes).toEqual(['taken_back'])
  })

  test('goes on where a connection that was late is in time again', async () => {
    daemon.answers = ['broken', OK]
    machine.press('b1', PLAY)
    await daemon.time.pass(50)
    machine.isConnected = true
    await daemon.time.pass(1_000)
    expect(outcomes).toEqual(['done'])
  })

  test('is under way until each of its commands has an answer', async () => {
    daemon.answers = ['silent', OK]
    machine.press('b1', PLAY)
    await daemon.time.pass(GUARD_MS)
    machine.press('b1', STOP)
    await daemon.time.pass(100)
    expect([outcomes, machine.isPending('b1')]).toEqual([['done'], true])
  })

  test('is guarded as long as the show says', async () => {
    machine.guardMs = 50
    machine.press('b1', PLAY)
    await daemon.time.pass(50)
    machine.press('b1', PLAY)
    expect(daemon.asked).toHaveLength(2)
  })

  test('that does nothing guards nothing', async () => {
    machine.press('b1', { kind: 'nothing' })
    machine.press('b1', PLAY)
    await daemon.time.pass(1)
    expect([daemon.asked.length, ignored]).toEqual([1, []])
  })

  test('of a menu is not guarded', async () => {
    const { command } = PLAY as Extract<Press, { kind: 'send' }>
    machine.press('b1', PLAY)
    machine.choose('b1', command)
    machine.isConnected = false
    machine.choose('b1', command)
    await daemon.time.pass(1)
    expect([daemon.asked.length, ignored]).toEqual([2, ['no_connection']])
  })

  test('of Pause and Resume of one run is guarded: two clicks do not undo each other', async () => {
    const run = { buttonId: 'b1', executionId: 'e1', fadeMs: null }
    machine.press('b1', PLAY)
    machine.turn({ kind: 'pause', ...run })
    machine.turn({ kind: 'resume', ...run })
    machine.turn({ kind: 'pause', ...run, executionId: 'e2' })
    await daemon.time.pass(GUARD_MS - 1)
    machine.turn({ kind: 'resume', ...run })
    await daemon.time.pass(1)
    machine.turn({ kind: 'resume', ...run })
    expect(daemon.asked.map(({ path }) => path)).toEqual(
      ['play', 'pause', 'pause', 'resume'].map((way) => `/buttons/b1/${way}`))
    expect(ignored).toEqual(['guard', 'guard'])
    machine.isConnected = false
    machine.turn({ kind: 'pause', ...run })
    expect(ignored.at(-1)).toBe('no_connection')
  })

  test('each has a key of its own', async () => {
    machine.press('b1', PLAY)
    await daemon.time.pass(GUARD_MS)
    machine.press('b1', PLAY)
    expect(daemon.asked.map(({ key }) => key)).toEqual(['key-1', 'key-2'])
  })

  test('of a button whose press has no answer yet waits for nothing; a stop goes out', async () => {
    daemon.answers = ['silent']
    machine.press('b1', PLAY)
    await daemon.time.pass(GUARD_MS)
    machine.press('b1', PLAY)
    expect(ignored).toEqual(['coming'])
    machine.press('b1', STOP)
    expect(daemon.asked.map(({ path }) => path)).toEqual(['/buttons/b1/play', '/buttons/b1/stop'])
  })
})

describe('without a connection', () => {
  test('as before the first one, what needs none is done, and nothing else', async () => {
    machine = new PressMachine(daemon.ports, {
      pressed: (button) => said.push(`pressed ${button}`),
      ignored: (_button, why) => said.push(why),
      settled: () => undefined,
      told: (_button, message) => said.push(message),
      opened: (playlist) => said.push(`open ${playlist}`),
    }, GUARD_MS)
    machine.press('b1', { kind: 'open', playlistId: 'p2' })
    machine.press('b1', { kind: 'tell', message: 'no file' })
    machine.press('b1', PLAY)
    expect(said).toEqual(['open p2', 'no file', 'no_connection'])
  })

  test('nothing is sent, also afterwards', async () => {
    machine.isConnected = false
    machine.press('b1', PLAY)
    await daemon.time.pass(10_000)
    machine.isConnected = true
    await daemon.time.pass(10_000)
    expect(daemon.asked).toEqual([])
    expect(ignored).toEqual(['no_connection'])
  })

  test('what was on its way when it broke is not sent again', async () => {
    daemon.answers = ['broken', 'broken', 'broken', 'broken']
    machine.press('b1', PLAY)
    await daemon.time.pass(150)
    machine.isConnected = false
    await daemon.time.pass(50)
    machine.isConnected = true
    await daemon.time.pass(10_000)
    expect(daemon.asked).toHaveLength(2)
    expect(outcomes).toEqual(['taken_back'])
  })
})

test('what is under way is broken off as it is taken back, not waited for', async () => {
  daemon.answers = ['silent', 'silent']
  machine.press('b1', PLAY)
  machine.press('b2', PLAY)
  await daemon.time.pass(50)
  machine.takeBackAll()
  await daemon.time.pass(1)
  expect(outcomes).toEqual(['taken_back', 'taken_back'])
  expect(machine.isPending('b1')).toBe(false)
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
