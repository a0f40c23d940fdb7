// The sound process: owns the native addon and one device, so that neither can harm the daemon.
//
// Run as `node speaker-process.js ARGUMENTS` (one JSON value) or `node speaker-process.js
// --devices`. It ends when its stdin does, when the device is lost, or by its owner's SIGKILL.
import { readSync, writeSync } from 'node:fs'
import { realTimers } from '../../clock/real.js'
import { BackOff } from '../../clock/waiting.js'
import { leaveSignalsToOwner } from '../programs.js'
import { loadAddon, isLive, type LiveAddon, type PlainAddon } from './speaker-addon.js'
import { DeviceLost, LiveFeed, type FrameInput } from './speaker-live.js'
import { PlainFeed } from './speaker-plain.js'
import type { DeviceHandle } from './speaker-addon.js'
import type { Line, SpeakerArguments } from './speaker-wire.js'

const REPORTS = 3
const STDIN = 0
const RETRY_MS_MIN = 100
const RETRY_MS_MAX = 1_000
/** Of 99: above all that is no sound, below the sound servers' own threads. */
const PROCESS_PRIORITY = 4
const THREAD_PRIORITY = 3
/** After so many vain attempts a fresh process tries on, whatever a library may have kept. */
const ATTEMPTS_MAX = 300

const timers = realTimers()

const tell = (line: Line): void => {
  try {
    writeSync(REPORTS, `${JSON.stringify(line)}\n`)
  } catch {
    // Nobody listens any more.
    process.exit(0)
  }
}

const end = (message: string): never => {
  tell({ kind: 'ended', message })
  process.exit(1)
}

const open = (addon: PlainAddon, wanted: SpeakerArguments): DeviceHandle =>
  addon.open(
    2, 48_000, addon.MPG123_ENC_FLOAT_32, wanted.device, wanted.bufferFrames, wanted.periodFrames,
  )

/** Tries until the device opens; null when the owner went away in the meantime. */
const openPatiently = (addon: LiveAddon, wanted: SpeakerArguments): DeviceHandle | null => {
  const pause = new BackOff(RETRY_MS_MIN, RETRY_MS_MAX)
  for (let attempt = 0; attempt < ATTEMPTS_MAX; attempt += 1) {
    try {
      return open(addon, wanted)
    } catch (error) {
      tell({ kind: 'closed', message: words(error) })
    }
    // The owner sends nothing before the device is open, so input now is its end.
    if (addon.waitReadable(STDIN, pause.nextMs())) return null
  }
  return end('the device does not open')
}

const live = (addon: LiveAddon, wanted: SpeakerArguments): void => {
  addon.dieWithParent?.()
  addon.realtime?.(0, PROCESS_PRIORITY)
  if (wanted.realtimeThread !== null) addon.realtime?.(wanted.realtimeThread, THREAD_PRIORITY)
  const handle = openPatiently(addon, wanted)
  if (handle === null) return
  const state = new Float64Array(4)
  addon.queue(handle, state)
  tell({ kind: 'opened', mode: 'live', bufferFrames: state[2] ?? 0 })
  try {
    const input: FrameInput = {
      wait: (ms) => addon.waitReadable(STDIN, ms),
      read: (into) => readSync(STDIN, into, 0, into.length, null),
    }
    new LiveFeed(addon, handle, input, timers, tell).run()
  } catch (error) {
    if (!(error instanceof DeviceLost)) throw error
    end(error.message)
  }
}

const plain = (addon: PlainAddon, wanted: SpeakerArguments): void => {
  let handle: DeviceHandle
  try {
    handle = open(addon, wanted)
  } catch (error) {
    end(words(error))
    return
  }
  tell({ kind: 'opened', mode: 'plain', bufferFrames: 0 })
  new PlainFeed(addon, handle, timers, tell, (message) => {
    if (message !== null) end(message)
    process.exit(0)
  }).run(process.stdin)
}

const words = (error: unknown): string => {
  if (!(error instanceof Error)) return String(error)
  // Node's message for a missing package goes on with the files that asked for it.
  return error.message.split('\n')[0] ?? error.message
}

const main = (argument: string): void => {
  let addon: PlainAddon
  try {
    addon = loadAddon()
  } catch (error) {
    if (argument === '--devices') process.exit(1)
    end(`the sound addon \`speaker\` does not load (${words(error)}); \`npm run setup\` builds it`)
    return
  }
  if (argument === '--devices') {
    process.stdout.write(JSON.stringify(isLive(addon) ? addon.devices?.() ?? [] : []))
    return
  }
  leaveSignalsToOwner()
  const wanted = JSON.parse(argument) as SpeakerArguments
  if (!isLive(addon)) {
    plain(addon, wanted)
    return
  }
  live(addon, wanted)
  process.exit(0)
}

main(process.argv[2] ?? '--devices')
