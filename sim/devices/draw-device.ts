// Draws what a sound path goes through from a seed: a device, what is played, and what goes wrong.
import { diceOf, type Dice } from '../scenario/random.js'
import { PLAIN_FILE, type FileSpec } from '../scenario/scenario.js'
import type { DeviceSpec } from './virtual-device.js'

export type DeviceOp =
  | { readonly kind: 'play' | 'restart' | 'pause' | 'resume' | 'stop'; readonly button: number
      readonly fadeMs: number | null }
  /** A thread is held up: the one that renders, or the sound process. */
  | { readonly kind: 'stall'; readonly who: 'engine' | 'process'; readonly ms: number }
  /** The device takes nothing for so long. */
  | { readonly kind: 'freeze'; readonly ms: number }
  | { readonly kind: 'unplug' | 'plug' | 'crash' }

export interface DeviceScenario {
  readonly seed: number
  readonly note: string
  readonly lengthMs: number
  /** Null: the output without a device. */
  readonly device: DeviceSpec | null
  /** By how much alarms and pipes are late at most. */
  readonly latenessMs: number
  readonly startMs: number
  readonly files: readonly FileSpec[]
  /** In order of their times. */
  readonly ops: readonly (DeviceOp & { readonly atMs: number })[]
}

/** At the end all comes to rest, so that what was late is told. */
const CALM_END_MS = 3_000

const FAULTS = ['stalls', 'long stalls', 'freezes', 'losses', 'crashes', 'late decoders'] as const
type Fault = (typeof FAULTS)[number]

export const drawDeviceScenario = (seed: number): DeviceScenario => {
  const dice = diceOf(seed ^ 0x71d3_5e11)
  const calm = dice.chance(0.2)
  const faults = FAULTS.filter(() => !calm && dice.chance(0.4))
  const on = (fault: Fault): boolean => faults.includes(fault)
  const device = dice.chance(0.1) ? null : drawSpec(dice)
  const lengthMs = calm ? 32_000 : dice.whole(8_000, 18_000)
  const files = [0, 1, 2].map((n) => drawFile(dice, n === 0, on('late decoders')))
  const who = dice.pick(['engine', 'process'] as const)
  const ops = [
    { atMs: dice.whole(0, 400), kind: 'play', button: 0, fadeMs: null } as const,
    ...calm && dice.chance(0.6) ? [{ atMs: 3_000, kind: 'stall', who, ms: 25 } as const] : [],
    ...calm ? [] : drawCommands(dice, lengthMs - CALM_END_MS / 2),
    ...calm ? [] : drawFaults(dice, on, lengthMs - CALM_END_MS),
  ].sort((a, b) => a.atMs - b.atMs)
  return {
    seed, note: calm ? 'calm' : faults.join(', '), lengthMs, device,
    // What takes back has a margin of 3 ms at first, and tells a change that comes later as late.
    latenessMs: dice.next() * (device?.takesBack === true ? 0.5 : 0.8),
    startMs: dice.whole(20, 120), files, ops,
  }
}

const drawSpec = (dice: Dice): DeviceSpec => {
  const card = { ppm: dice.whole(-200, 200), stepFrames: dice.pick([1, 64]) }
  if (!dice.chance(0.5)) return { ...card, serverFrames: 0, takesBack: false }
  // A server reckons its place by the frame.
  return { ...card, stepFrames: 1, serverFrames: 2_400, takesBack: dice.chance(0.6) }
}

const drawFile = (dice: Dice, long: boolean, late: boolean): FileSpec => {
  const frames = long ? 48_000 * 600 : dice.whole(2_000, 200_000)
  const file = { ...PLAIN_FILE, frames, readyAfter: dice.whole(0, 4_800) }
  if (!late || dice.chance(0.3)) return file
  if (dice.chance(0.5)) {
    return { ...file, stall: { at: dice.whole(1, Math.min(frames, 200_000)), frames: 40_000 } }
  }
  const step = Math.ceil(frames / 300) + 4_800
  return { ...file, step: { frames: step, every: dice.whole(4_000, 9_000) } }
}

const drawCommands = (dice: Dice, lengthMs: number): DeviceScenario['ops'] => {
  const found = []
  for (let atMs = dice.whole(100, 2_000); atMs < lengthMs;) {
    const kind = dice.pick(['play', 'play', 'restart', 'pause', 'resume', 'stop', 'stop'] as const)
    const fadeMs = dice.pick([null, 0, 20, 400])
    found.push({ atMs, kind, button: dice.whole(0, 2), fadeMs })
    atMs += dice.pick([1, 20, 700, 2_500, 6_000]) + dice.whole(0, 300)
  }
  return found
}

const drawFaults = (
  dice: Dice, on: (fault: Fault) => boolean, lengthMs: number,
): DeviceScenario['ops'] => {
  const found: (DeviceOp & { readonly atMs: number })[] = []
  const draw = (fault: Fault, meanMs: number, make: () => DeviceOp): void => {
    if (!on(fault)) return
    for (let atMs = dice.whole(300, meanMs); atMs < lengthMs; atMs += dice.whole(50, 2 * meanMs)) {
      const op = make()
      found.push({ atMs, ...op })
      if (op.kind === 'unplug') {
        found.push({ atMs: atMs + dice.pick([20, 500, 4_000]), kind: 'plug' })
      }
      // A command then meets what the process helped itself to, or comes late for the device.
      if (op.kind === 'stall' && dice.chance(0.4)) {
        const kind = dice.pick(['play', 'pause', 'stop'] as const)
        found.push({ atMs: atMs + dice.whole(0, op.ms), kind, button: dice.whole(0, 2), fadeMs: 0 })
      }
    }
  }
  const who = (): 'engine' | 'process' => dice.pick(['engine', 'process'])
  const short = [1, 3, 5, 8, 12, 20, 28]
  const long = [90, 200, 600, 1_300, 3_000, 6_500]
  const freezes = [10, 60, 400, 900, 2_500, 4_000, 9_000]
  draw('stalls', 900, () => ({ kind: 'stall', who: who(), ms: dice.pick(short) }))
  draw('long stalls', 4_000, () => ({ kind: 'stall', ms: dice.pick(long), who: who() }))
  draw('freezes', 5_000, () => ({ kind: 'freeze', ms: dice.pick(freezes) }))
  draw('losses', 6_000, () => ({ kind: 'unplug' }))
  draw('crashes', 5_000, () => ({ kind: 'crash' }))
  return found
}
