// One life of the sound process: a device that does not open, and the end of one that did.
import { expect, it } from 'vitest'
import { VirtualTimers } from '../../../src/clock/virtual.js'
import { DEVICE, type LiveAddon, type PlainAddon } from '../../../src/io/speaker/speaker-addon.js'
import { liveSession, openDevice } from '../../../src/io/speaker/speaker-session.js'
import { TARGET_LIMITS } from '../../../src/io/speaker/speaker-target.js'
import type { SpeakerArguments } from '../../../src/io/speaker/speaker-wire.js'

const wantedOf = (device: string | null): SpeakerArguments => ({
  device, bufferFrames: 480, periodFrames: 64, target: TARGET_LIMITS, learned: null,
  urgentThreads: [], isDoubted: false,
})

const refusing = (message: string): PlainAddon => ({
  MPG123_ENC_FLOAT_32: 1,
  open: () => {
    throw new Error(message)
  },
  write: () => Promise.reject(new Error('nothing was opened')),
})

const OFFER = 'Failed to open output device: it takes 2 channels, 44100 Hz, S16_LE'

it.each([
  ['a card of another format: its converter', 'hw:CARD=USB,DEV=0', OFFER,
    `${OFFER}; "plughw:CARD=USB,DEV=0" takes what cartwall plays`],
  ['a card that is not there: nothing else would be', 'hw:CARD=USB,DEV=0',
    'Failed to open output device: No such device',
    'Failed to open output device: No such device'],
  ['any other device: what it takes', 'stage', OFFER, OFFER],
  ['the default device: what it takes', null, OFFER, OFFER],
])('%s', (_what, device, message, told) => {
  expect(() => openDevice(refusing(message), wantedOf(device))).toThrow(new Error(told))
})

it.each([
  ['a sound server is told that its client leaves', 1, ['opened', 'closed']],
  ['a card is free with the end of the process', 0, ['opened']],
])('where the owner is gone %s', (_what, takesBack, done) => {
  const device = {}
  const calls: string[] = []
  const addon: LiveAddon = {
    ...refusing(''),
    open: () => {
      calls.push('opened')
      return device
    },
    queue: (_handle, into) => {
      into.fill(0)
      into[DEVICE.takesBack] = takesBack
      return 0
    },
    tryWrite: (_handle, _bytes, _offset, frames) => frames,
    explain: String,
    close: (handle) => { if (handle === device) calls.push('closed') },
    waitReadable: () => true,
  }
  const timers = new VirtualTimers(0)
  const ended = (): number => 0
  const session = liveSession(addon, wantedOf(null), ended, timers, () => undefined)
  let step = session.next()
  while (step.done !== true) step = session.next(true)
  expect([step.value, calls]).toEqual([null, done])
})
