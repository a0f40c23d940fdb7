// The output of the sound thread: the null sink takes the place of a device that was never there,
// and never that of one which goes for a while.
import { beforeEach, expect, it, vi } from 'vitest'
import { VirtualTimers } from '../../src/clock/virtual.js'
import type { OutputCallbacks } from '../../src/io/output/output.js'
import { Outlet, type Stage } from '../../src/sound/output-switch.js'

/** In place of the speaker: what it tells is told by hand. */
const speakers: OutputCallbacks[] = []
vi.mock('../../src/io/speaker/speaker-output.js', () => ({
  SPEAKER_OPTIONS: {},
  SpeakerOutput: class {
    start(callbacks: OutputCallbacks): void {
      speakers.push(callbacks)
    }

    stats() {
      return { sinkName: 'speaker' }
    }

    stop(): Promise<void> {
      return Promise.resolve()
    }
  },
}))

const opened = (sink: 'speaker' | null, device: string | null = null) => {
  const timers = new VirtualTimers(0)
  const told: string[] = []
  const outlet = new Outlet({ sink, device, bufferMs: null }, timers)
  outlet.attach({
    render: () => undefined,
    quiet: () => true,
    foresee: () => 0,
    back: () => told.push('back'),
    lost: (message) => told.push(`lost: ${message}`),
    notice: () => undefined,
    ready: (note) => told.push(note === null ? 'ready' : `ready: ${note}`),
  } satisfies Stage)
  return { timers, told, outlet, speaker: speakers.at(-1)! }
}

beforeEach(() => {
  speakers.length = 0
})

it('with no sink named a device that goes is waited for, and comes back', async () => {
  const { timers, told, outlet, speaker } = opened(null)
  speaker.back()
  speaker.lost('the device is gone')
  await Promise.resolve()
  timers.pass(1_000)
  expect(outlet.stats().sinkName).toBe('speaker')
  speaker.back()
  expect(told).toEqual(['back', 'ready', 'lost: the device is gone', 'back'])
})

it('with no sink named and no device it plays to nobody, and says so', async () => {
  const { timers, told, outlet, speaker } = opened(null)
  speaker.lost('no device')
  await Promise.resolve()
  timers.pass(1_000)
  expect(outlet.stats().sinkName).toBe('null')
  expect(told).toEqual([
    'back',
    'ready: no sound device (no device): playing to the null sink, nothing will be heard',
  ])
})

it('a speaker that was asked for and is not there is tried until it opens', async () => {
  const { timers, told, outlet, speaker } = opened('speaker')
  speaker.lost('no device')
  await Promise.resolve()
  timers.pass(1_000)
  expect(outlet.stats().sinkName).toBe('speaker')
  speaker.back()
  expect(told).toEqual([
    'lost: no device', 'ready: no sound output (no device); it is tried again until it opens',
    'back',
  ])
})

it('a device that was named is waited for, and named', async () => {
  const { timers, told, outlet, speaker } = opened(null, 'USB')
  speaker.lost('no such file')
  await Promise.resolve()
  timers.pass(1_000)
  expect(outlet.stats().sinkName).toBe('speaker')
  expect(told.at(-1)).toBe(
    'ready: no sound output ("USB", see `cartwall devices`: no such file); ' +
    'it is tried again until it opens',
  )
})
