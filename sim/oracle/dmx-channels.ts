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

/** A run as the engine tells it, with its past: lamps that are delayed look there. */
interface DmxRun extends DmxView {
  readonly timeline: Timeline
  /** Rising in time. */
  readonly playheads: readonly DmxView['playhead'][]
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

const drawRun = (dice: Dice, serial: number, timelines: readonly Timeline[]): DmxRun => {
  const n = dice.whole(0, timelines.length - 1)
  const timeline = timelines[n]!
  const loop = dice.chance(0.5)
  const follows = dice.pick(['media', 'itself', 'external'] as const)
  const [at, position] = [dice.whole(0, 500), dice.whole(0, timeline.frames - 1)].map(frame)
  const isPlaying = dice.chance(0.8)
  const playhead = { at: at!, position: position!, rate: isPlaying ? 1 : 0 } as const
  return {
    timeline, playheads: [playhead], playhead, loop, follows, isPlaying, startedSerial: serial,
    dmxExecutionId: `x${serial}`, buttonId: `b${serial}`, title: `b${serial}`, timelineId: `t${n}`,
    duration: frame(timeline.frames), state: isPlaying ? 'running' : 'held',
    sync: 'internal', lastDriftMs: null, worstDriftMs: null,
  }
}

/** An external clock, or a loop of its media, puts it elsewhere. */
const jumped = (dice: Dice, run: DmxRun, at: number): DmxRun => {
  const position = frame(dice.whole(0, run.timeline.frames - 1))
  const playhead = { ...run.playhead, at: frame(at), position }
  return { ...run, playhead, playheads: [...run.playheads, playhead] }
}

export const judgeChannels = (judge: Judge, dice: Dice): void => {
  const timelines = Array.from({ length: dice.whole(1, 3) }, () => drawTimeline(dice))
  const onStop = dice.pick(['blackout', 'hold'] as const)
  const [offset, latency] = [dice.pick([0, 0, 40]), dice.pick([0, 96])]
  const lighting = new Lighting({ onStop, offsetFrames: offset })
  lighting.setTimelines(new Map(timelines.map(({ frames, tracks }, n) =>
    [`t${n}`, buildTimeline(frame(frames), tracks)])))
  let runs = Array.from({ length: dice.whole(1, 4) }, (_, n) => drawRun(dice, n, timelines))
  const channels = new Map<string, number>()
  // In reverse: who started last is told by its number and not by its place.
  const update = (at: number): void => {
    lighting.update(runs.toReversed(), latency, frame(at))
  }
  update(500)
  let now = 640
  for (let n = 0; n < 5; n += 1) {
    lighting.render(frame(now))
    if (onStop === 'blackout') channels.clear()
    for (const one of runs) {
      const delay = offset + (one.follows === 'media' ? latency : 0)
      setChannels(channels, one, now - delay)
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
    runs = runs.filter((one) => one.startedSerial !== gone || (!one.loop && one.isPlaying))
      .map((one) => one.startedSerial !== gone && dice.chance(0.3) ? jumped(dice, one, now) : one)
    update(now)
    now += dice.whole(1, 900)
  }
}

const setChannels = (channels: Map<string, number>, run: DmxRun, at: number): void => {
  const { timeline: { frames, tracks }, playheads } = run
  const head = playheads.findLast((one) => one.at <= at) ?? playheads[0]!
  const gone = head.position + head.rate * (at - head.at)
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
