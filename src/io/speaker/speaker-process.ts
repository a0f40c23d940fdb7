// The sound process: owns the native addon and one device, so that neither can harm the daemon.
//
// Run as `node speaker-process.js ARGUMENTS` (one JSON value) or `node speaker-process.js
// --devices`. It ends when its stdin does, when the device is lost, or by its owner's SIGKILL.
import { readSync, writeSync } from 'node:fs'
import { realTimers } from '../../clock/real.js'
import { leaveSignalsToOwner } from '../programs.js'
import { DEVICE_PRIORITY, helperThreads } from '../thread-priority.js'
import { isOfOtherPatch } from './addon-patch.js'
import {
  ADDON_CURE, type DeviceHandle, loadAddon, isLive, type LiveAddon, type PlainAddon,
} from './speaker-addon.js'
import { PlainFeed } from './speaker-plain.js'
import { liveSession, openDevice, words } from './speaker-session.js'
import type { Line, SpeakerArguments } from './speaker-wire.js'

const REPORTS = 3
const STDIN = 0
const STDERR = 2

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

const refuse = (message: string): never => {
  writeSync(STDERR, message)
  process.exit(1)
}

const live = (addon: LiveAddon, wanted: SpeakerArguments): void => {
  addon.dieWithParent?.()
  const urgent = [
    { thread: 0, priority: DEVICE_PRIORITY }, ...helperThreads(), ...wanted.urgentThreads,
  ]
  const granted = urgent.map(({ thread, priority }) => addon.realtime?.(thread, priority))
  if (granted.includes(false)) tell({ kind: 'not_realtime' })
  if (isOfOtherPatch()) tell({ kind: 'other_patch' })
  const read = (into: Buffer): number => readSync(STDIN, into, 0, into.length, null)
  const session = liveSession(addon, wanted, read, timers, tell)
  let step = session.next()
  // Each turn is a wait: this process has nothing else to do.
  while (step.done !== true) {
    const { input, ms } = step.value
    step = session.next(addon.waitReadable(input ? STDIN : -1, ms))
  }
  if (step.value !== null) end(step.value)
}

const plain = (addon: PlainAddon, wanted: SpeakerArguments): void => {
  tell({ kind: 'started' })
  let handle: DeviceHandle
  try {
    handle = openDevice(addon, wanted)
  } catch (error) {
    end(words(error))
    return
  }
  const target = wanted.target.startFrames
  tell({ kind: 'opened', mode: 'plain', takesBack: false, target })
  new PlainFeed(addon, handle, timers, tell, (message) => {
    if (message !== null) end(message)
    process.exit(0)
  }).run(process.stdin)
}

const main = (argument: string): void => {
  let addon: PlainAddon
  try {
    addon = loadAddon()
  } catch (error) {
    // An install alone leaves an addon that is there and was not built as it is.
    const message = `the sound addon \`speaker\` does not load (${words(error)}); ${ADDON_CURE}`
    if (argument !== '--devices') return end(message)
    return refuse(message)
  }
  if (argument === '--devices') {
    // To list none would say that there is none.
    if (!isLive(addon)) return refuse(`the sound addon is not patched: no list; ${ADDON_CURE}`)
    process.stdout.write(JSON.stringify(addon.devices?.() ?? []))
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
