// One life of the sound process with the patched addon: opens its device, feeds it, tells its end.
import type { Timers } from '../../clock/timers.js'
import { BackOff } from '../../clock/waiting.js'
import { STEREO_FRAME_BYTES } from '../../engine/ports.js'
import type { DeviceHandle, LiveAddon, PlainAddon } from './speaker-addon.js'
import { DeviceLost, LiveDevice } from './speaker-device.js'
import { LiveFeed, type ReadInput, type Steps } from './speaker-live.js'
import { limitsOf, type TargetLimits } from './speaker-target.js'
import type { Line, SpeakerArguments } from './speaker-wire.js'

const RETRY_MS_MIN = 100
const RETRY_MS_MAX = 1_000
/** After so many vain attempts a fresh process tries on, whatever a library may have kept. */
const ATTEMPTS_MAX = 300

/** Looks at a device that is to take silence, and how many of them before it is told again. */
const TAKEN_WAIT_MS = 5
const TELL_EVERY = 100

/** Throws where the device does not open, and says what to name where it opens for others only. */
export const openDevice = (addon: PlainAddon, wanted: SpeakerArguments): DeviceHandle => {
  const { device, bufferFrames, periodFrames } = wanted
  try {
    return addon.open(2, 48_000, addon.MPG123_ENC_FLOAT_32, device, bufferFrames, periodFrames)
  } catch (error) {
    const message = words(error)
    // A card by itself takes its own formats only; behind `plughw` ALSA converts what is played.
    const isCard = device?.startsWith('hw:') === true && message.includes('it takes')
    const told = isCard ? `${message}; "plug${device}" takes what cartwall plays` : message
    throw new Error(told, { cause: error })
  }
}

/** Answers why it ended, for the owner; null where the owner went away. */
export function* liveSession(
  addon: LiveAddon, wanted: SpeakerArguments, read: ReadInput, timers: Timers,
  tell: (line: Line) => void,
): Steps<string | null> {
  tell({ kind: 'started' })
  const handle = yield* openPatiently(addon, wanted, tell)
  if (handle === null || typeof handle === 'string') return handle
  try {
    if (wanted.isDoubted && !(yield* untilTaken(new LiveDevice(addon, handle), wanted, tell))) {
      return null
    }
    const device = new LiveDevice(addon, handle)
    const { takesBack, period } = device
    const limits = limitsOf(wanted.target, takesBack, period, wanted.learned)
    tell({ kind: 'opened', mode: 'live', takesBack, target: limits.startFrames })
    const limitsFor = (quantum: number): TargetLimits =>
      limitsOf(wanted.target, takesBack, Math.max(quantum, period), null)
    yield* new LiveFeed(device, read, timers, tell, limits, limitsFor).run()
    device.close()
  } catch (error) {
    if (!(error instanceof DeviceLost)) throw error
    return error.message
  }
  return null
}

/** Tries until the device opens; null when the owner went away in the meantime. */
function* openPatiently(
  addon: LiveAddon, wanted: SpeakerArguments, tell: (line: Line) => void,
): Steps<DeviceHandle | string | null> {
  const pause = new BackOff(RETRY_MS_MIN, RETRY_MS_MAX)
  for (let attempt = 0; attempt < ATTEMPTS_MAX; attempt += 1) {
    try {
      return openDevice(addon, wanted)
    } catch (error) {
      tell({ kind: 'closed', message: words(error) })
    }
    // The owner sends nothing before the device is open, so input now is its end.
    if (yield { input: true, ms: pause.nextMs() }) return null
  }
  return 'the device does not open'
}

/** Plays a moment of silence; false where the owner went away before it was taken. */
function* untilTaken(
  device: LiveDevice, wanted: SpeakerArguments, tell: (line: Line) => void,
): Steps<boolean> {
  let left = wanted.target.startFrames
  const silence = new Uint8Array(left * STEREO_FRAME_BYTES)
  for (let turn = 0; ; turn += 1) {
    if (left > 0) left -= device.write(silence, 0, left)
    device.ask()
    if (left === 0 && device.fill === 0) return true
    if (turn % TELL_EVERY === 0) tell({ kind: 'closed', message: 'the device takes no sound' })
    // The owner sends nothing before the device is open, so input now is its end.
    if (yield { input: true, ms: TAKEN_WAIT_MS }) return false
  }
}

export const words = (error: unknown): string => {
  if (!(error instanceof Error)) return String(error)
  // Node's message for a missing package goes on with the files that asked for it, that for an
  // addon which was not built with the places where it was looked for.
  return (error.message.split('\n')[0] ?? error.message).replace(/ Tried:$/, '')
}
