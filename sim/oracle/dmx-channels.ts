// Judges the values of DMX channels: each by plain search through the timelines of the runs.
import { frame } from '../../src/clock/frame.js'
import type { DmxView } from '../../src/engine/dmx/dmx-run.js'
import { Lighting } from '../../src/engine/lighting/lighting.js'
import { CURVES } from '../../src/engine/lighting/timeline.js'
import { buildTimeline, type TrackSource } from '../../src/engine/lighting/timeline-build.js'
import type { Judge } from './judge.js'
import type { Dice } from '../scenario/random.js'

interface Timeline {
  readonly frames: number
  readonly tracks: readonly TrackSource[]
}

interface DmxRun {
  readonly timeline: number
  readonly serial: number
  readonly loop: boolean
  readonly follows: DmxView['follows']
  /** Rising in time; lamps that are delayed look at one that is past. */
  readonly heads: readonly { readonly at: number; readonly position: number }[]
  readonly rate: 0 | 1
}

/** A few slots, so that timelines meet in them. */
const SLOTS = 6

const drawTimeline = (dice: Dice): Timeline => {
  const frames = dice.whole(1, 2_000)
  const tracks = Array.from({ length: dice.whole(1, 4) }, (): TrackSource => {
    const wide = dice.chance(0.3)
    // A long track is read by halving what is left, and after a jump back from far ahead.
    const most = dice.chance(0.3) ? 300 : 14
    const keys = Array.from({ length: dice.whole(1, most) }, () => dice.whole(0, frames - 1))
    const at = [...new Set(keys)].sort((a, b) => a - b)
    return {
      universe: dice.whole(0, 2), slot: dice.whole(0, SLOTS - 2), wide, at,
      value: at.map(() => dice.whole(0, wide ? 65_535 : 255)),
      curve: at.map(() => dice.pick(CURVES)),
    }
  })
  return { frames, tracks }
}

const drawRun = (dice: Dice, timeline: number, serial: number, frames: number): DmxRun => ({
  timeline, serial, loop: dice.chance(0.5), follows: dice.pick(['media', 'itself', 'external']),
  heads: [{ at: dice.whole(0, 500), position: dice.whole(0, frames - 1) }],
  rate: dice.chance(0.8) ? 1 : 0,
})

/** An external clock, or a loop of its media, puts it elsewhere. */
const jumped = (dice: Dice, run: DmxRun, frames: number, at: number): DmxRun =>
  ({ ...run, heads: [...run.heads, { at, position: dice.whole(0, frames - 1) }] })

const viewOf = (run: DmxRun, frames: number): DmxView => ({
  dmxExecutionId: `x${run.serial}`, buttonId: `b${run.serial}`, timelineId: `t${run.timeline}`,
  startedSerial: run.serial, loop: run.loop, duration: frame(frames),
  state: run.rate === 1 ? 'running' : 'held', follows: run.follows,
  playhead: {
    at: frame(run.heads.at(-1)!.at), position: frame(run.heads.at(-1)!.position), rate: run.rate,
  },
  sync: 'internal', lastDriftMs: null, worstDriftMs: null, isPlaying: run.rate === 1,
})

export const judgeChannels = (judge: Judge, dice: Dice): void => {
  const timelines = Array.from({ length: dice.whole(1, 3) }, () => drawTimeline(dice))
  const onStop = dice.pick(['blackout', 'hold'] as const)
  const [offset, latency] = [dice.pick([0, 0, 40]), dice.pick([0, 96])]
  const lighting = new Lighting({ onStop, offsetFrames: offset })
  lighting.setTimelines(new Map(timelines.map(({ frames, tracks }, n) =>
    [`t${n}`, buildTimeline(frame(frames), tracks)])))
  let runs = Array.from({ length: dice.whole(1, 4) }, (_, serial) => {
    const timeline = dice.whole(0, timelines.length - 1)
    return drawRun(dice, timeline, serial, timelines[timeline]!.frames)
  })
  const channels = new Map<string, number>()
  // In reverse: who started last is told by its number and not by its place.
  const update = (at: number): void => lighting.update(
    runs.map((one) => viewOf(one, timelines[one.timeline]!.frames)).reverse(), latency, frame(at))
  update(500)
  let now = 640
  for (let n = 0; n < 5; n += 1) {
    lighting.render(frame(now))
    if (onStop === 'blackout') channels.clear()
    for (const one of runs) {
      const delay = offset + (one.follows === 'media' ? latency : 0)
      setChannels(channels, timelines[one.timeline]!, one, now - delay)
    }
    for (const universe of [0, 1, 2]) {
      for (let slot = 0; slot < SLOTS; slot += 1) {
        const told = lighting.universes.get(universe)?.[slot] ?? 0
        const meant = channels.get(`${universe} ${slot}`) ?? 0
        judge.hold('D5/channels', told === meant, () =>
          `slot ${slot} of universe ${universe} is ${told}, should be ${meant}`)
      }
    }
    // One that ends by itself is seen to its end; any other goes dark at once.
    const gone = dice.chance(0.4) ? dice.whole(0, 3) : -1
    runs = runs.filter(({ serial, loop, rate }) => serial !== gone || (!loop && rate === 1))
      .map((one) => one.serial !== gone && dice.chance(0.3)
        ? jumped(dice, one, timelines[one.timeline]!.frames, now) : one)
    update(now)
    now += dice.whole(1, 900)
  }
}

const setChannels = (
  channels: Map<string, number>, { frames, tracks }: Timeline, run: DmxRun, at: number,
): void => {
  const head = run.heads.findLast((one) => one.at <= at) ?? run.heads[0]!
  const gone = head.position + run.rate * (at - head.at)
  const place = run.loop ? gone % frames : Math.min(gone, frames)
  for (const { universe, slot, wide, at: times, value, curve } of tracks) {
    const after = times.findIndex((time) => time > place)
    const left = after < 0 ? times.length - 1 : Math.max(0, after - 1)
    const right = after < 1 ? left : after
    const way = right === left ? 0 : (place - times[left]!) / (times[right]! - times[left]!)
    const kind = curve[left]!
    const part = kind === 'step' ? 0 : kind === 'linear' ? way : way * way * (3 - 2 * way)
    const whole = Math.round(value[left]! + (value[right]! - value[left]!) * part)
    channels.set(`${universe} ${slot}`, wide ? Math.floor(whole / 256) : whole)
    if (wide) channels.set(`${universe} ${slot + 1}`, whole % 256)
  }
}
