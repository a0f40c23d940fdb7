// A device that does not open: what its owner is told, and what to name instead.
import { expect, it } from 'vitest'
import type { PlainAddon } from '../../../src/io/speaker/speaker-addon.js'
import { openDevice } from '../../../src/io/speaker/speaker-session.js'
import { TARGET_LIMITS } from '../../../src/io/speaker/speaker-target.js'

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
  const wanted = {
    device, bufferFrames: 480, periodFrames: 64, target: TARGET_LIMITS, learned: null,
    realtimeThread: null, isDoubted: false,
  }
  expect(() => openDevice(refusing(message), wanted)).toThrow(new Error(told))
})
