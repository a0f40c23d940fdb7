// The output of the sound thread: the null sink takes the place of a device that was never there,
// and never that of one which goes for a while.
import { beforeEach, expect, it, vi } from 'vitest'
import { VirtualTimers } from '../../src/clock/virtual.js'
import type { OutputCallbacks } from '../../src/io/output/output.js'
import type { SpeakerOptions } from '../../src/io/speaker/speaker-output.js'
import { fixedTarget, TARGET_LIMITS } from '../../src/io/speaker/speaker-target.js'
import { OutputSwitch, type OutputOwner } from '../../src/sound/output-switch.js'

// Other files of this process may have loaded what is made up here.
vi.hoisted(() => vi.resetModules())

/** In place of the speaker: what it tells is told by hand. */
const speakers: OutputCallbacks[] = []
/** What each was opened with. */
const options: SpeakerOptions[] = []
vi.mock('../../src/io/speaker/speaker-output.js', () => ({
  SPEAKER_OPTIONS: {},
  SpeakerOutput: class {
    constructor(_renderer: unknown, asked: SpeakerOptions) {
      options.push(asked)
    }

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

/** An owner that writes down what it is told. */
const ownerOf = (told: string[]): OutputOwner => ({
  render: () => undefined,
  quiet: () => true,
  foresee: () => 0,
  back: () => told.push('back'),
  lost: (message) => told.push(`lost: ${message}`),
  notice: (message) => told.push(`notice: ${message}`),
  ready: (note) => told.push(note === null ? 'ready' : `ready: ${note}`),
})

const opened = (sink: 'speaker' | null, device: string | null = null) => {
  const timers = new VirtualTimers(0)
  const told: string[] = []
  const output = new OutputSwitch({ sink, device, bufferMs: null }, timers)
  output.attach(ownerOf(told))
  return { timers, told, output, speaker: speakers.at(-1)! }
}

/** An output that is done without is stopped first. */
const aSecond = async (timers: VirtualTimers): Promise<void> => {
  await Promise.resolve()
  timers.pass(1_000)
}

beforeEach(() => {
  speakers.length = 0
  options.length = 0
})

it.each([[null, null], ['USB', null], [null, 2], ['hw:1', 200]] as const)(
  'the speaker is that of the configuration: device %s, a buffer of %s ms', (device, bufferMs) => {
    for (const sink of ['speaker', null] as const) {
      options.length = 0
      const output = new OutputSwitch({ sink, device, bufferMs }, new VirtualTimers(0))
      const target = bufferMs === null ? TARGET_LIMITS : fixedTarget(bufferMs)
      expect(options).toMatchObject([{ device, target }])
      expect(output.stats().sinkName).toBe('speaker')
    }
  })

it('what it has to say before there is an owner is told to that, in order, and once', () => {
  const told: string[] = []
  const opening = { sink: 'speaker', device: null, bufferMs: null } as const
  const output = new OutputSwitch(opening, new VirtualTimers(0))
  const speaker = speakers.at(-1)!
  speaker.notice('no real-time scheduling')
  speaker.lost('no device')
  speaker.notice('the device takes no sound')
  speaker.back()
  output.attach(ownerOf(told))
  speaker.notice('time leapt by 1300 ms')
  expect(told).toEqual([
    'notice: no real-time scheduling', 'notice: the device takes no sound', 'back', 'ready',
    'notice: time leapt by 1300 ms',
  ])
})

it('with no sink named a device that goes is waited for, and comes back', async () => {
  const { timers, told, output, speaker } = opened(null)
  speaker.back()
  speaker.lost('the device is gone')
  await aSecond(timers)
  expect(output.stats().sinkName).toBe('speaker')
  speaker.back()
  expect(told).toEqual(['back', 'ready', 'lost: the device is gone', 'back'])
})

const NOBODY = 'no sound device (no device): playing to the null sink, nothing will be heard until '
  + 'the next start; with audio.sink "speaker" a device is waited for'

it('with no sink named and no device it plays to nobody, and says so', async () => {
  const { timers, told, output, speaker } = opened(null)
  speaker.absent('no device')
  await aSecond(timers)
  expect(output.stats().sinkName).toBe('null')
  expect(told).toEqual([
    'back',
    `ready: ${NOBODY}`,
  ])
})

// A sound server that starts on demand, on a machine that is busy starting everything else.
it('with no sink named a device that takes long to open is waited for', async () => {
  const { timers, told, output, speaker } = opened(null)
  speaker.lost('the device takes too long to open')
  await aSecond(timers)
  expect(output.stats().sinkName).toBe('speaker')
  speaker.back()
  expect(told).toEqual([
    'lost: the device takes too long to open',
    'ready: no sound output (the device takes too long to open); it is tried again until it opens',
    'back',
  ])
})

it('a device that took long and is not there is done without, which is told', async () => {
  const { timers, told, output, speaker } = opened(null)
  speaker.lost('the device takes too long to open')
  speaker.absent('no device')
  await aSecond(timers)
  expect(output.stats().sinkName).toBe('null')
  expect(told.slice(2)).toEqual([
    `notice: ${NOBODY}`, 'back',
  ])
})

it('a speaker that was asked for and is not there is tried until it opens', async () => {
  const { timers, told, output, speaker } = opened('speaker')
  speaker.absent('no device')
  await aSecond(timers)
  expect(output.stats().sinkName).toBe('speaker')
  speaker.back()
  expect(told).toEqual([
    'lost: no device', 'ready: no sound output (no device); it is tried again until it opens',
    'back',
  ])
})

it('a speaker that was asked for and went is lost once, though it is not there any more', () => {
  const { told, speaker } = opened('speaker')
  speaker.back()
  speaker.lost('the device is gone')
  speaker.absent('no device')
  expect(told).toEqual(['back', 'ready', 'lost: the device is gone'])
})

it('a device that was named is waited for, and named', async () => {
  const { timers, told, output, speaker } = opened(null, 'USB')
  speaker.absent('no such file')
  await aSecond(timers)
  expect(output.stats().sinkName).toBe('speaker')
  expect(told.at(-1)).toBe(
    'ready: no sound output ("USB", see `cartwall devices`: no such file); ' +
    'it is tried again until it opens',
  )
})
