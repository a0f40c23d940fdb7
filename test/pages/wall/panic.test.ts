// Panic: it is sent whatever else is under way, and says what became of it.
import { beforeEach, describe, expect, test } from 'vitest'
import { PanicMachine, type PanicState } from '../../../src/pages/wall/panic.js'
import { PressMachine } from '../../../src/pages/wall/press/press-machine.js'
import type { Sent } from '../../../src/pages/wall/press/sender.js'
import { ScriptedDaemon, PLAY } from './scripted-daemon.js'

const nothing = (): void => undefined

let daemon = new ScriptedDaemon()
let others: PressMachine
let states: PanicState[] = []
let panic: PanicMachine

beforeEach(() => {
  daemon = new ScriptedDaemon()
  states = []
  others = new PressMachine(daemon.ports, {
    pressed: nothing, ignored: nothing, settled: nothing, told: nothing, opened: nothing,
  }, 300)
  others.isConnected = true
  panic = new PanicMachine(
    daemon.ports, 1_500, () => others.takeBackAll(), (state) => states.push(state),
  )
  const body = { result: 'fading_out', fadingOut: 3, stopped: 2 }
  daemon.answers = [{ status: 200, body }]
})

describe('panic', () => {

  test('fades, and says what it did', async () => {
    panic.press()
    await daemon.time.pass(10)
    expect(daemon.bodies).toEqual([{ fadeOutMs: 1_500 }])
    expect(states).toEqual([
      { kind: 'sent', way: 'fade' }, { kind: 'done', way: 'fade', fading: 3, stopped: 2 },
    ])
  })

  test('within five seconds of the last one cuts, without a guard', async () => {
    daemon.answers = []
    panic.press()
    panic.press()
    await daemon.time.pass(5_000)
    panic.press()
    await daemon.time.pass(5_001)
    panic.press()
    expect(daemon.bodies).toEqual([
      { fadeOutMs: 1_500 }, { fadeOutMs: 0 }, { fadeOutMs: 0 }, { fadeOutMs: 1_500 },
    ])
  })

  test('takes back what was pressed before it and has no answer', async () => {
    daemon.answers = ['broken']
    others.press('b1', PLAY)
    await daemon.time.pass(50)
    panic.press()
    await daemon.time.pass(10_000)
    expect(daemon.asked.map(({ path }) => path)).toEqual(['/buttons/b1/play', '/stop'])
  })

  test('the one that cuts takes back what was pressed since the one that fades', async () => {
    daemon.answers = [{ status: 200, body: { fadingOut: 1, stopped: 0 } }, 'broken']
    panic.press()
    await daemon.time.pass(20)
    others.press('b1', PLAY)
    await daemon.time.pass(50)
    panic.press()
    await daemon.time.pass(10_000)
    expect(daemon.asked.map(({ path }) => path)).toEqual(['/stop', '/buttons/b1/play', '/stop'])
  })

  test('without an answer is not sent again once a later one has its own', async () => {
    daemon.answers = ['silent', { status: 200, body: { fadingOut: 0, stopped: 3 } }]
    panic.press()
    await daemon.time.pass(400)
    panic.press()
    await daemon.time.pass(10_000)
    expect(daemon.bodies).toEqual([{ fadeOutMs: 1_500 }, { fadeOutMs: 0 }])
    expect(states.at(-1)).toEqual({ kind: 'done', way: 'cut', fading: 0, stopped: 3 })
  })

  test('that was refused leaves the one before it on its way, and that has the word', async () => {
    const refusal: Sent = { status: 503, body: { error: 'shutting_down', message: 'it ends' } }
    daemon.answers = ['broken', refusal, { status: 200, body: { fadingOut: 1, stopped: 0 } }]
    panic.press()
    await daemon.time.pass(50)
    panic.press()
    await daemon.time.pass(10_000)
    expect(daemon.asked.map(({ key }) => key)).toEqual(['key-1', 'key-2', 'key-1'])
    expect(states.slice(2)).toEqual([
      { kind: 'not_sent', message: 'it ends', mayHaveArrived: true },
      { kind: 'done', way: 'fade', fading: 1, stopped: 0 },
    ])
  })

  test('that was answered says nothing while a later one is on its way', async () => {
    daemon.answers = ['silent', 'silent', { status: 200, body: { fadingOut: 1, stopped: 0 } }]
    panic.press()
    await daemon.time.pass(500)
    panic.press()
    await daemon.time.pass(1_000)
    expect(states.at(-1)).toEqual({ kind: 'sent', way: 'cut' })
  })

  test('fades as long as the show says', async () => {
    panic.fadeMs = 4_000
    panic.press()
    await daemon.time.pass(10)
    expect(daemon.bodies).toEqual([{ fadeOutMs: 4_000 }])
  })

  test('that was not sent says so, once all tries are over', async () => {
    daemon.answers = ['broken', 'broken', 'broken', 'broken']
    panic.press()
    await daemon.time.pass(2_000)
    expect(states.at(-1)).toEqual({ kind: 'not_sent', message: null, mayHaveArrived: false })
    expect(daemon.asked).toHaveLength(4)
  })
})
