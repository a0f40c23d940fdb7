// Judges what lamps get: each channel by plain search through the timelines of the runs that are
// lit.
import { frame } from '../../src/clock/frame.js'
import type { DmxView } from '../../src/engine/dmx/dmx-run.js'
import { Lighting } from '../../src/engine/lighting/lighting.js'
import { CURVES } from '../../src/engine/lighting/timeline.js'
import { buildTimeline, type TrackSource } from '../../src/engine/lighting/timeline-build.js'
import type { Judge } from './judge.js'
import type { Dice } from '../scenario/random.js'

interface Show {
  readonly frames: number
  readonly tracks: readonly TrackSource[]
}

interface Lit {
  readonly show: number
  readonly serial: number
  readonly loop: boolean
  readonly follows: DmxView['follows']
  readonly at: number
  readonly position: number
  readonly rate: 0 | 1
}

/** A few slots, so that timelines meet in them. */
const SLOTS = 6

const drawShow = (dice: Dice): Show => {
  const frames = dice.whole(1, 2_000)
  const tracks = Array.from({ length: dice.whole(1, 4) }, (): TrackSource => {
    const wide = dice.chance(0.3)
    const keys = Array.from({ length: dice.whole(1, 14) }, () => dice.whole(0, frames - 1))
    const at = [...new Set(keys)].sort((a, b) => a - b)
    return {
      universe: dice.whole(0, 2), slot: dice.whole(0, SLOTS - 2), wide, at,
      value: at.map(() => dice.whole(0, wide ? 65_535 : 255)),
      curve: at.map(() => dice.pick(CURVES)),
    }
  })
  return { frames, tracks }
}

const drawLit = (dice: Dice, show: number, serial: number, frames: number): Lit => ({
  show, serial, loop: dice.chance(0.5), follows: dice.pick(['media', 'itself', 'external']),
  at: dice.whole(0, 500), position: dice.whole(0, frames - 1), rate: dice.chance(0.8) ? 1 : 0,
})

const viewOf = (lit: Lit, frames: number): DmxView => ({
  dmxExecutionId: `x${lit.serial}`, buttonId: `b${lit.serial}`, timelineId: `t${lit.show}`,
  startedSerial: lit.serial, loop: lit.loop, duration: frame(frames),
  state: lit.rate === 1 ? 'running' : 'held', follows: lit.follows,
  playhead: { at: frame(lit.at), position: frame(lit.position), rate: lit.rate },
  sync: 'internal', lastDriftMs: null, worstDriftMs: null, isPlaying: lit.rate === 1,
})

export const judgeLamps = (judge: Judge, dice: Dice): void => {
  const shows = Array.from({ length: dice.whole(1, 3) }, () => drawShow(dice))
  const onStop = dice.pick(['blackout', 'hold'] as const)
  const [offset, latency] = [dice.pick([0, 0, 40]), dice.pick([0, 96])]
  const lighting = new Lighting({ onStop, offsetFrames: offset })
  lighting.setTimelines(new Map(shows.map(({ frames, tracks }, n) =>
    [`t${n}`, buildTimeline(frame(frames), tracks)])))
  let lit = Array.from({ length: dice.whole(1, 4) }, (_, serial) => {
    const show = dice.whole(0, shows.length - 1)
    return drawLit(dice, show, serial, shows[show]!.frames)
  })
  const lamps = new Map<string, number>()
  const update = (at: number): void => lighting.update(
    mixed(lit.map((one) => viewOf(one, shows[one.show]!.frames))), latency, frame(at))
  update(500)
  let now = 640
  for (let n = 0; n < 5; n += 1) {
    lighting.render(frame(now))
    if (onStop === 'blackout') lamps.clear()
    for (const one of lit) {
      const delay = offset + (one.follows === 'media' ? latency : 0)
      shine(lamps, shows[one.show]!, one, now - delay)
    }
    for (const universe of [0, 1, 2]) {
      for (let slot = 0; slot < SLOTS; slot += 1) {
        const told = lighting.universes.get(universe)?.[slot] ?? 0
        const meant = lamps.get(`${universe} ${slot}`) ?? 0
        judge.hold('D5/channels', told === meant, () =>
          `slot ${slot} of universe ${universe} is ${told}, should be ${meant}`)
      }
    }
    // One that ends by itself is seen to its end; any other goes dark at once.
    const gone = dice.chance(0.4) ? dice.whole(0, 3) : -1
    lit = lit.filter(({ serial, loop, rate }) => serial !== gone || (!loop && rate === 1))
    update(now)
    now += dice.whole(1, 900)
  }
}

/** Who started last is told by its number and not by its place. */
const mixed = (views: readonly DmxView[]): readonly DmxView[] => [...views].reverse()

const shine = (
  lamps: Map<string, number>, { frames, tracks }: Show, lit: Lit, at: number,
): void => {
  const gone = lit.position + lit.rate * (at - lit.at)
  const place = lit.loop ? gone % frames : Math.min(gone, frames)
  for (const { universe, slot, wide, at: times, value, curve } of tracks) {
    const after = times.findIndex((time) => time > place)
    const left = after < 0 ? times.length - 1 : Math.max(0, after - 1)
    const right = after < 1 ? left : after
    const way = right === left ? 0 : (place - times[left]!) / (times[right]! - times[left]!)
    const kind = curve[left]!
    const part = kind === 'step' ? 0 : kind === 'linear' ? way : way * way * (3 - 2 * way)
    const whole = Math.round(value[left]! + (value[right]! - value[left]!) * part)
    lamps.set(`${universe} ${slot}`, wide ? Math.floor(whole / 256) : whole)
    if (wide) lamps.set(`${universe} ${slot + 1}`, whole % 256)
  }
}
