// What a button says of its last press, and for how long: all of it by the last press. Without a
// browser, whose time nobody can move by hand.
import { signal } from '@preact/signals'
import { beforeEach, expect, test, vi } from 'vitest'
import { knownFrom } from '../../../src/pages/shared/live-state.js'
import { Presses } from '../../../src/pages/wall/press/presses.js'
import type { Sent } from '../../../src/pages/wall/press/sender.js'
import { PageTime } from '../../pages/wall/page-time.js'
import { aButton, SILENT } from '../../pages/wall/show-parts.js'

/** In place of the browser's time, and of the daemon behind it. */
let time = new PageTime()
let answer: Sent
vi.mock('../../../src/client/time.js', () => ({
  nowMs: () => time.now(), after: (ms: number, act: () => void) => time.after(ms, act),
}))
vi.mock('../../../src/pages/wall/press/press-ports.js', () => ({
  pressPorts: {
    now: () => time.now(), after: (ms: number, act: () => void) => time.after(ms, act),
    key: () => 'key', post: () => Promise.resolve(answer),
  },
}))

const REFUSED: Sent = {
  status: 422, body: { error: 'media_file_missing', message: 'no readable file is there' },
}

const wall = (): Presses => {
  vi.stubGlobal('document', { addEventListener: () => undefined })
  const state = { kind: 'state' as const, n: 1, at: 0, missed: null, ...SILENT }
  const presses = new Presses(signal(knownFrom(state)), () => undefined)
  presses.isConnected = true
  return presses
}

beforeEach(() => {
  time = new PageTime()
  answer = REFUSED
})

test('a refusal stands for six seconds, counted from the last one', async () => {
  const presses = wall()
  const button = aButton({})
  const message = (): string | null => presses.signOf(button.id).value.message
  presses.press(button, false)
  await time.pass(4_000)
  expect(message()).toBe('no readable file is there')
  presses.press(button, false)
  await time.pass(5_900)
  expect(message()).toBe('no readable file is there')
  await time.pass(200)
  expect(message()).toBeNull()
})

test('a press that is taken ends what was said of the one before', async () => {
  const presses = wall()
  const button = aButton({})
  presses.press(button, false)
  await time.pass(1_000)
  answer = { status: 202, body: { result: 'accepted' } }
  presses.press(button, false)
  expect(presses.signOf(button.id).value).toEqual({ pressed: true, ignored: false, message: null })
  await time.pass(10)
  expect(presses.signOf(button.id).value.pressed).toBe(false)
})

test('a pause of what fades out says that it is not paused: a stop is not taken back', async () => {
  const presses = wall()
  const told = async (state: string, executionId: string) => {
    answer = { status: 200, body: { state } }
    presses.turn({ kind: 'pause', buttonId: 'b1', executionId, fadeMs: null })
    await time.pass(10)
    return presses.signOf('b1').value.message
  }
  expect(await told('fading_out', 'e1')).toBe('not paused: it is being stopped')
  expect(await told('pausing', 'e2')).toBeNull()
})
