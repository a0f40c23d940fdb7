// Draws a scenario from a seed: first which classes of fault and feature are on, then the rest.
import { drawBursts, drawRareEdit, drawTrickle, isMedia, rangeOf, type Scene } from './bursts.js'
import { diceOf, type Dice } from './random.js'
import {
  PLAIN_BUTTON, PLAIN_FILE, type Act, type ButtonSpec, type Edit, type FileSpec, type ListSpec,
  type Op, type OptionsSpec, type RunRef, type Scenario,
} from './scenario.js'

/** What can go wrong. Each seed has its own mixture: many bugs need one class to be absent. */
const FAULTS = [
  'slow', 'breaking', 'short', 'endless', 'late ends', 'wrong lengths', 'starving', 'missing',
  'slow looks', 'deaf', 'output', 'swaps', 'lost answers', 'stale ids', 'shutdown', 'suspension',
  'small heads',
] as const
type Fault = (typeof FAULTS)[number]

const FEATURES = [
  'lists', 'shuffle', 'mix', 'loops', 'padlocks', 'lights', 'images', 'fades', 'ranges', 'overlap',
  'keeping', 'curves', 'panic', 'levels',
] as const
type Feature = (typeof FEATURES)[number]

interface Draw extends Scene {
  readonly dice: Dice
  readonly on: (name: Fault | Feature) => boolean
  readonly lists: ListSpec[]
  readonly files: FileSpec[]
  /** Lengths that matter in this show: gaps fall on them, and a frame to either side. */
  readonly marks: number[]
}

const FADES = [0, 0, 5, 20, 250, 1000, 3000] as const
const LENGTHS = [400, 1000, 2000, 3000, 8000, 20_000] as const

export const generate = (seed: number, ops: number): Scenario => {
  const dice = diceOf(seed)
  const calm = dice.chance(0.25)
  const classes = new Set<string>()
  for (const fault of FAULTS) if (!calm && dice.chance(0.3)) classes.add(fault)
  for (const feature of FEATURES) if (dice.chance(0.5)) classes.add(feature)
  const on = (name: Fault | Feature): boolean => classes.has(name)
  const spare = diceOf(seed ^ 0x3c6e_f372)
  const draw: Draw = { dice, spare, on, lists: [], files: [], buttons: [], brisk: false, marks: [] }
  drawShow(draw)
  drawMixedFalls(draw, diceOf(seed ^ 0x1b87_3593))
  const buttons = draw.lists.flatMap((own) => own.buttons)
  const brisk = repeats(on) && draw.marks.some((mark) => mark < 480_000)
  const whole = { ...draw, buttons, brisk }
  const list: Op[] = []
  const focus = dice.chance(0.5) ? dice.whole(0, buttons.length - 1) : null
  while (list.length < ops) {
    if (on('slow looks') && dice.chance(0.01)) list.push(...crowd(whole, ops - list.length))
    else list.push(drawOp(whole, list.at(-1) ?? null, focus))
  }
  list.push(...drawBursts(whole))
  if (on('shutdown')) {
    const place = dice.whole(Math.floor(ops / 2), ops)
    list.splice(place, 0, { gap: gap(whole), op: 'shutdown' })
  }
  return {
    version: 1, seed, note: [...classes].join(', '), dmxAllowed: !dice.chance(0.05),
    retentionMs: 600_000, loopHeadBytes: on('small heads') ? 8 * dice.whole(2, 24_000) : 33_554_432,
    calm, files: draw.files, lists: draw.lists, ops: list,
  }
}

const repeats = (on: Draw['on']): boolean =>
  on('loops') || on('padlocks') || on('lists') || on('swaps')

const drawShow = (draw: Draw): void => {
  const { dice, on } = draw
  for (let n = dice.whole(1, 3); n > 0; n -= 1) {
    const mode = !on('lists') ? 'manual'
      : on('shuffle') && dice.chance(0.5) ? 'shuffle'
      : dice.chance(0.7) ? 'sequence' : 'manual'
    const mixOnTransition = on('mix') && dice.chance(0.7)
    const mayFadeAtEnd = mode === 'manual' || !mixOnTransition
    const buttons = Array.from({ length: dice.whole(1, 4) }, () => drawButton(draw, mayFadeAtEnd))
    const crossfadeMs = dice.pick([100, 500, 1000, 2000, 6000])
    draw.marks.push(crossfadeMs * 48)
    draw.lists.push({
      mode, wrap: dice.chance(0.5), mixOnTransition, crossfadeMs,
      crossfadeCurve: on('curves') && dice.chance(0.5) ? 'equal-power' : 'linear', buttons,
    })
  }
}

/** Where any of these is on, nobody can say whether a crossfade will be there in time. */
const UNSURE: readonly Fault[] = [
  'slow', 'breaking', 'short', 'endless', 'late ends', 'wrong lengths', 'starving', 'missing',
  'slow looks', 'deaf', 'swaps',
]

/** Items that fade at End in lists with Mix, all of them long enough for the whole crossfade. */
const drawMixedFalls = (draw: Draw, dice: Dice): void => {
  if (UNSURE.some(draw.on)) return
  draw.lists.forEach((list, n) => {
    const ranges = list.buttons.filter(isMedia).map((one) => rangeOf(draw, one) ?? 0)
    const longest = Math.min(...ranges) / 96
    if (list.mode !== 'sequence' || !list.mixOnTransition || longest < 100) return
    const crossfadeMs = Math.min(list.crossfadeMs, dice.whole(100, Math.floor(longest)))
    const buttons = list.buttons.map((one) => isMedia(one) && dice.chance(0.6)
      ? { ...one, fadeOutAtEnd: true, fadeOutMs: dice.pick(FADES) }
      : one)
    draw.lists[n] = { ...list, crossfadeMs, buttons }
  })
}

const drawButton = (draw: Draw, mayFadeAtEnd: boolean): ButtonSpec => {
  const { dice, on } = draw
  const kind = on('images') ? dice.weigh([
    [6, 'audio'], [1, 'video'], [1, 'image'], [1, 'dmx'], [0.3, 'navigation'],
  ] as const) : dice.chance(0.8) ? 'audio' : 'video'
  const lit = kind === 'dmx' || (on('lights') && kind !== 'navigation' && dice.chance(0.6))
  const lights = lit ? {
    loop: dice.chance(0.5),
    durationMs: dice.chance(0.06) ? null : dice.pick([500, 1000, 2500, 10_000]),
  } : null
  if (kind === 'dmx' || kind === 'navigation') return { ...PLAIN_BUTTON, kind, lights }
  const file = draw.files.length > 0 && dice.chance(0.15)
    ? dice.whole(0, draw.files.length - 1)
    : draw.files.push(drawFile(draw)) - 1
  if (kind === 'image') return { ...PLAIN_BUTTON, kind, file, lights }
  return { ...PLAIN_BUTTON, kind, file, lights, ...drawSettings(draw, file, mayFadeAtEnd) }
}

const drawSettings = (
  { dice, on, files, marks }: Draw, file: number, mayFadeAtEnd: boolean,
): Partial<ButtonSpec> => {
  const lengthMs = files[file]!.frames / 48
  const ranged = on('ranges') && dice.chance(0.6)
  const beyond = ranged && dice.chance(0.03)
  const startMs = beyond ? Math.ceil(lengthMs) + 5
    : ranged ? dice.whole(0, Math.floor(lengthMs / 2)) : 0
  const least = Math.min(repeats(on) ? 50 : 1, Math.floor(lengthMs / 4) + 1)
  const endMs = ranged && dice.chance(0.7)
    ? startMs + dice.whole(least, Math.ceil(lengthMs * 0.8) + least)
    : null
  marks.push(Math.max(1, Math.round((Math.min(endMs ?? lengthMs, lengthMs) - startMs) * 48)))
  const fades = on('fades')
  return {
    startMs, endMs,
    fadeInMs: fades ? dice.pick(FADES) : 0,
    fadeOutMs: fades ? dice.pick(FADES) : 0,
    fadeOutAtEnd: mayFadeAtEnd && fades && dice.chance(0.3),
    isLoopEnabled: on('padlocks') && dice.chance(0.4),
    pauseWhenReplaced: on('keeping') && dice.chance(0.5),
    allowOverlap: on('overlap') && dice.chance(0.5),
    gainDb: on('levels') && dice.chance(0.5) ? dice.pick([-12, -6, 3]) : 0,
  }
}

const drawFile = ({ dice, spare, on, marks }: Draw): FileSpec => {
  const ms = dice.pick(LENGTHS)
  const frames = ms * 48 + (dice.chance(0.3) ? dice.whole(-20, 20) : 0)
  marks.push(frames)
  const file: { -readonly [K in keyof FileSpec]: FileSpec[K] } = { ...PLAIN_FILE, frames }
  if (dice.chance(0.3)) file.readyAfter = dice.whole(1, 2400)
  if (dice.chance(0.3)) file.holds = false
  if (on('slow') && dice.chance(0.5)) {
    file.readyAfter = dice.chance(0.1) ? null : dice.whole(4800, 480_000)
  }
  if (on('breaking') && dice.chance(0.4)) {
    file.breaksAt = dice.chance(0.3) ? 0 : dice.whole(1, frames)
  }
  if (on('short') && dice.chance(0.3)) {
    file.frames = repeats(on) ? dice.whole(1_000, 9_600) : dice.whole(1, 100)
    marks.push(file.frames)
  }
  if (on('endless') && dice.chance(0.3)) file.endless = true
  if (on('late ends') && dice.chance(0.6)) file.tellsEndEarly = false
  if (on('starving') && dice.chance(0.6)) {
    const step = dice.whole(Math.ceil(frames / 100), 48_000)
    if (dice.chance(0.6)) {
      file.step = { frames: step, every: Math.floor(step * (0.3 + dice.next() * 1.2)) }
      file.step = drawTrickle(spare, frames) ?? file.step
    } else file.stall = { at: dice.whole(1, frames), frames: dice.whole(480, 300_000) }
  }
  if (on('missing') && dice.chance(0.3)) file.missing = true
  if (on('slow looks') && dice.chance(0.5)) file.checkedAfter = dice.whole(1, 300_000)
  if (on('deaf') && dice.chance(0.15)) file.checkedAfter = null
  return file
}

/** A gap of time: often none, often exactly on something that matters or a frame beside it. */
const gap = ({ dice, on, marks, brisk }: Draw): number => dice.weigh<() => number>([
  [3, () => 0],
  [1, () => 1],
  [3, () => dice.whole(1, 480)],
  [4, () => dice.whole(1, 48_000)],
  [4, () => 48 * dice.whole(1, 3000)],
  [2, () => dice.whole(1, 960_000)],
  [4, () => Math.max(0, (marks.length > 0 ? dice.pick(marks) : 4800) + dice.whole(-1, 1))],
  [3, () => Math.max(0, dice.pick([5, 20, 250, 1000, 3000]) * 48 + dice.whole(-1, 1))],
  [brisk ? 0 : 0.3, () => 48 * 600_000 + dice.whole(-1, 1)],
  [on('suspension') && !brisk ? 0.5 : 0, () => dice.whole(1, 48_000 * 7200)],
])()

/** More commands at one frame than may wait behind a slow look. */
const crowd = (draw: Draw, most: number): readonly Op[] => {
  const { dice } = draw
  const count = Math.min(most, dice.whole(14, 20))
  return Array.from({ length: count }, () => {
    const button = dice.whole(0, draw.buttons.length - 1)
    return { gap: 0, ...(dice.chance(0.7) ? start(draw, button, 'play') : drawAct(draw, button)) }
  })
}

const drawOp = (draw: Draw, last: Op | null, focus: number | null): Op => {
  const { dice, on } = draw
  if (last !== null && dice.chance(0.15)) {
    const answer = atTheEndOf(draw, last)
    if (answer !== null) return answer
  }
  const isFocus = focus !== null && dice.chance(0.6)
  const button = isFocus ? focus : dice.whole(0, draw.buttons.length - 1)
  const act = last === null ? start(draw, button, 'play') : drawAct(draw, button)
  const again = on('lost answers') && dice.chance(0.1) && act.op !== 'swap' && act.op !== 'kept'
  return again ? { gap: gap(draw), ...act, again } : { gap: gap(draw), ...act }
}

/** Another command for the same run where the fade of the last one ends, or a frame beside it. */
const atTheEndOf = (draw: Draw, last: Op): Op | null => {
  if (last.op !== 'pause' && last.op !== 'stop') return null
  const { dice, buttons } = draw
  const { button } = last
  const frames = 48 * (last.fadeMs ?? buttons[button]!.fadeOutMs)
  if (frames === 0) return null
  const act: Act = dice.weigh<() => Act>([
    [3, () => ({ op: 'resume', button, run: 'live', fadeMs: fade(draw) })],
    [1, () => ({ op: 'stop', button, run: 'live', fadeMs: fade(draw) })],
    [1, () => ({ op: 'pause', button, run: 'live', fadeMs: fade(draw) })],
    [1, () => start(draw, button, 'restart')],
  ])()
  return { gap: frames + dice.whole(-1, 1), ...act }
}

const start = (draw: Draw, button: number, op: 'play' | 'restart'): Act =>
  ({ op, button, options: drawOptions(draw) })

const drawOptions = ({ dice, on }: Draw): OptionsSpec => {
  const options: { -readonly [K in keyof OptionsSpec]: OptionsSpec[K] } = {}
  if (on('loops') && dice.chance(0.5)) options.loop = dice.weigh([[5, true], [2, false], [1, null]])
  if (on('loops') && dice.chance(0.4)) {
    options.loopCrossfadeMs = dice.pick([null, 0, 1, 100, 500, 2000, 60_000])
  }
  if (dice.chance(0.15)) options.externalSequencing = dice.chance(0.9)
  if (on('keeping') && dice.chance(0.3)) options.pauseWhenReplaced = dice.chance(0.7)
  if (on('overlap') && dice.chance(0.4)) options.allowOverlap = dice.chance(0.7)
  return options
}

const ref = ({ dice, on }: Draw): RunRef => on('stale ids') && dice.chance(0.3)
  ? dice.weigh([[3, 'older'], [2, 'other'], [1, 'unknown'], [1, 'lights'], [1, 'live']])
  : 'live'

const fade = ({ dice, on }: Draw): number | null =>
  on('fades') ? dice.pick([null, null, 0, 1, 20, 250, 1000, 3000]) : dice.pick([null, 0, 250])

const drawAct = (draw: Draw, button: number): Act => {
  const { dice, on } = draw
  return dice.weigh<() => Act>([
    [6, () => start(draw, button, 'play')],
    [2, () => start(draw, button, 'restart')],
    [5, () => ({ op: 'pause', button, run: ref(draw), fadeMs: fade(draw) })],
    [5, () => ({ op: 'resume', button, run: ref(draw), fadeMs: fade(draw) })],
    [4, () => ({
      op: 'stop', button, run: dice.chance(0.3) ? null : ref(draw), fadeMs: fade(draw),
    })],
    [3, () => ({ op: 'wait' })],
    [1, () => ({ op: 'read' })],
    [on('panic') ? 0.4 : 0, () => ({ op: 'panic', fadeMs: fade(draw) })],
    [on('lights') || on('images') ? 6 : 0, () => sync(draw, button)],
    [on('output') ? 1 : 0, () => ({ op: 'output', up: dice.chance(0.6) })],
    [on('missing') ? 0.5 : 0, () => onFile(draw, (file) =>
      ({ op: 'file', file, set: { missing: dice.chance(0.6) } }))],
    [on('wrong lengths') ? 0.6 : 0, () => onFile(draw, (file) => {
      const wrong = dice.chance(0.5) ? dice.whole(1, 960_000) : draw.files[file]!.frames
      return { op: 'probe', file, frames: wrong }
    })],
    [on('swaps') ? 1.5 : 0, () => swap(draw)],
  ])()
}

/** A show of lamps alone has no files. */
const onFile = ({ dice, files }: Draw, act: (file: number) => Act): Act =>
  files.length === 0 ? { op: 'wait' } : act(dice.whole(0, files.length - 1))

const sync = (draw: Draw, button: number): Act => {
  const { dice, on } = draw
  const at = dice.weigh<{ driftMs: number } | { ms: number }>([
    [3, { driftMs: dice.whole(-90, 90) }],
    [2, { driftMs: dice.pick([99, 100, 101, -99, -100, -101]) }],
    [1, { driftMs: dice.pick([100.001, -100.001, 99.999]) }],
    [2, { ms: dice.whole(0, 12_000) }],
    [0.3, { ms: dice.pick([0, 500, 1000, 2500, 10_000, 1e15]) }],
  ])
  return {
    op: 'sync', button, run: on('stale ids') && dice.chance(0.2) ? ref(draw) : 'live',
    step: dice.chance(0.1) ? dice.pick([0, -1]) : dice.whole(1, 3), at,
    isPlaying: dice.chance(0.8), forceSeek: dice.chance(0.15),
  }
}

const swap = (draw: Draw): Act => {
  const { dice } = draw
  const busyFor = dice.chance(0.6) ? 0 : dice.whole(1, 48_000)
  if (dice.chance(0.15)) return { op: 'kept', busyFor }
  const edits = Array.from({ length: dice.whole(1, 3) }, () => edit(draw))
  if (draw.spare.chance(0.4)) edits.push(drawRareEdit(draw))
  return { op: 'swap', busyFor, edits }
}

const edit = (draw: Draw): Edit => {
  const { dice, lists } = draw
  const button = dice.whole(0, draw.buttons.length - 1)
  const list = dice.whole(0, lists.length - 1)
  return dice.weigh<() => Edit>([
    [4, () => ({ button, set: { isLoopEnabled: dice.chance(0.5) } })],
    [2, () => ({ button, set: { fadeOutMs: dice.pick(FADES), fadeInMs: dice.pick(FADES) } })],
    [1, () => ({ button, set: { gone: dice.chance(0.6) } })],
    [1, () => ({ button, set: { pauseWhenReplaced: dice.chance(0.5) } })],
    [1, () => ({ list, set: { crossfadeMs: dice.pick([100, 1000, 4000]) } })],
    [1, () => ({ list, set: { wrap: dice.chance(0.5) } })],
  ])()
}
