// Bursts at the end of a scenario, and rare edits of a show: what plain chance meets too seldom.
//
// They are drawn from dice of their own: what they add to a seed changes nothing else of it.
import type { Dice } from './random.js'
import type { Act, ButtonSpec, Edit, FileSpec, ListSpec, Op } from './scenario.js'

export interface Scene {
  readonly spare: Dice
  readonly on: (name: 'padlocks' | 'swaps') => boolean
  readonly lists: readonly ListSpec[]
  /** Those of all lists, as operations count them. */
  readonly buttons: readonly ButtonSpec[]
  readonly files: readonly FileSpec[]
  /** Something in it repeats so often that hours of it would take seconds. */
  readonly brisk: boolean
}

/** Ranges that last longer are not waited for. */
const LENGTH_MAX = 960_000

export const drawBursts = (scene: Scene): Op[] => [
  ...drawChanges(scene), ...drawMessages(scene), ...drawDoomed(scene), ...drawLateMessage(scene),
  ...drawLateLoop(scene), ...drawImageGone(scene), ...drawMixedList(scene),
]

const MODES = ['manual', 'sequence', 'shuffle'] as const

/** Settings that a run captured at its start, and those that are seldom changed. */
export const drawRareEdit = ({ spare, lists, buttons, files, brisk }: Scene): Edit => {
  const button = spare.whole(0, buttons.length - 1)
  const list = spare.whole(0, lists.length - 1)
  const crossfadeCurve = spare.pick(['linear', 'equal-power'] as const)
  const spec = buttons[button]!
  if (spec.lights !== null && spare.chance(0.3)) {
    const durationMs = spare.pick([null, 300, 1000, 4000])
    return { button, set: { lights: { loop: spare.chance(0.5), durationMs } } }
  }
  if (!isMedia(spec)) return { list, set: { crossfadeCurve } }
  // Between two frames, too: 0.01 ms is half a one.
  const startMs = spare.whole(0, 300) + spare.pick([0, 0, 0.01, 0.4])
  // Where the show changes nobody can say which of a fade at End and an early crossfade goes first.
  const landing = lists[list]!.buttons.some((one) => one.fadeOutAtEnd)
  // A short loop over hours of gaps would take seconds.
  const least = brisk ? 60 : 10_000
  return spare.weigh<() => Edit>([
    [2, () => ({ button, set: { startMs, endMs: startMs + least + spare.whole(0, 4000) } })],
    [2, () => ({ button, set: { gainDb: spare.pick([-12, -6, 3]) } })],
    [2, () => ({ button, set: { file: spare.whole(0, files.length - 1) } })],
    [1, () => ({ button, set: { allowOverlap: spare.chance(0.5) } })],
    [1, () => ({ list, set: { crossfadeCurve } })],
    [1, () => ({ list, set: { mixOnTransition: !landing && spare.chance(0.5) } })],
    [landing ? 0 : 1, () => ({ list, set: { mode: spare.pick(MODES) } })],
    [1, () => ({ button, set: { kind: spec.kind === 'audio' ? 'video' : 'audio' } })],
  ])()
}

/** A decoder that supplies less at a time than a starved run waits for; else null. */
export const drawTrickle = (spare: Dice, frames: number): FileSpec['step'] => {
  if (frames >= 100_000 || !spare.chance(0.4)) return null
  const few = Math.max(Math.ceil(frames / 100), spare.whole(200, 959))
  return { frames: few, every: Math.floor(few * (0.8 + spare.next())) }
}

/** Where a range ends commands come thick and fast: before, within and after its last blend. */
const drawChanges = (scene: Scene): Op[] => {
  const { spare, lists, buttons } = scene
  if (!spare.chance(0.4)) return []
  const own = spare.pick(lists)
  const spec = spare.pick(own.buttons)
  const button = buttons.indexOf(spec)
  const length = rangeOf(scene, spec)
  if (length === null) return []
  const blend = own.mixOnTransition ? own.crossfadeMs * 48 : 0
  const last = Math.min(Math.max(blend, spec.fadeOutAtEnd ? spec.fadeOutMs * 48 : 0), length / 2)
  const ops: Op[] = [{ gap: 0, op: 'restart', button, options: {} }]
  let gap = Math.max(0, length - Math.floor(last) + spare.whole(-200, 960))
  if (blend > 0 && spare.chance(0.3)) {
    // The next has begun already: whoever locks the padlock now comes too late.
    ops.push({ gap: gap + 1_200, ...change(button, { isLoopEnabled: true }) })
    gap = spare.whole(1, 9_600)
  }
  for (let n = spare.whole(2, 5); n > 0; n -= 1) {
    const other = buttons.indexOf(spare.pick(own.buttons))
    ops.push({ gap, ...drawChange(scene, button, other) })
    gap = spare.pick([0, 1, spare.whole(1, 960), spare.whole(1, 9_600)])
  }
  ops.push({ gap: length, op: 'wait' })
  return ops
}

const drawChange = ({ spare, on }: Scene, own: number, other: number): Act => {
  const button = spare.chance(0.6) ? own : other
  const fadeMs = spare.pick([null, 0, 0, 0, 20, 60_000])
  const locks = on('padlocks') || on('swaps')
  return spare.weigh<() => Act>([
    [3, () => ({ op: 'pause', button, run: 'live', fadeMs })],
    [3, () => ({ op: 'resume', button, run: 'live', fadeMs })],
    [3, () => ({ op: 'stop', button, run: 'live', fadeMs })],
    [1, () => ({ op: 'play', button, options: {} })],
    [locks ? 3 : 0, () => change(own, { isLoopEnabled: spare.chance(0.6) })],
    [on('swaps') ? 1 : 0, () => change(button, { gone: true })],
  ])()
}

/** A successor whose decoder is slow and finds nothing is told to pause while it starts. */
const drawDoomed = (scene: Scene): Op[] => {
  const { spare, buttons, files } = scene
  const doomed = buttons.findIndex(({ file }, n) => {
    const { readyAfter = null, breaksAt = null } = file === null ? {} : files[file]!
    return readyAfter !== null && readyAfter > 0 && breaksAt === 0 && n > 0
  })
  if (doomed < 0 || !spare.chance(0.7)) return []
  const before = buttons[doomed - 1]!
  const length = rangeOf(scene, before)
  if (length === null) return []
  const wait = spare.whole(1, files[buttons[doomed]!.file!]!.readyAfter!)
  return [
    { gap: 0, op: 'panic', fadeMs: 0 },
    { gap: 0, op: 'restart', button: doomed - 1, options: {} },
    { gap: length + wait, op: 'pause', button: doomed, run: 'live', fadeMs: null },
    { gap: 480_000, op: 'wait' },
  ]
}

/** A list whose items fade at End or blend, whichever goes first, plays alone for a while. */
const drawMixedList = ({ spare, lists, buttons }: Scene): Op[] => {
  const list = lists.find((one) => one.mixOnTransition && one.mode === 'sequence' &&
    one.buttons.some(({ fadeOutAtEnd }) => fadeOutAtEnd))
  if (list === undefined || !spare.chance(0.6)) return []
  return [
    { gap: 0, op: 'panic', fadeMs: 0 },
    { gap: 0, op: 'restart', button: buttons.indexOf(spare.pick(list.buttons)), options: {} },
    { gap: spare.whole(1, 2_880_000), op: 'wait' },
  ]
}

/** Ids of timelines are known for ten minutes after their end. */
const drawLateMessage = ({ spare, buttons, brisk }: Scene): Op[] => {
  const lit = buttons.filter(({ lights }) => (lights?.durationMs ?? null) !== null)
  if (lit.length < 2 || brisk || !spare.chance(0.15)) return []
  const [first, second] = [spare.pick(lit), spare.pick(lit)].map((one) => buttons.indexOf(one))
  const minutes = spare.pick([4, 6, 9, 10, 11])
  return [
    { gap: 0, op: 'play', button: first!, options: {} },
    { gap: 480, op: 'panic', fadeMs: 0 },
    {
      gap: minutes * 2_880_000 + spare.whole(-1, 1), op: 'sync', button: second!, run: 'other',
      step: 1, at: { ms: 0 }, isPlaying: true, forceSeek: false,
    },
  ]
}

/** A pass that fades at its End loops after all, and the next one does not: it fades again. */
const drawLateLoop = (scene: Scene): Op[] => {
  const { spare, buttons } = scene
  const fading = buttons.filter((one) =>
    one.fadeOutAtEnd && one.fadeOutMs > 0 && (rangeOf(scene, one) ?? 0) > 960)
  if (fading.length === 0 || !spare.chance(0.5)) return []
  const spec = spare.pick(fading)
  const button = buttons.indexOf(spec)
  const length = rangeOf(scene, spec)!
  const fade = Math.min(spec.fadeOutMs * 48, length)
  const late = spare.whole(1, fade - 1)
  const soon = spare.whole(0, Math.min(480, length - 1))
  return [
    { gap: 0, op: 'panic', fadeMs: 0 },
    { gap: 0, ...change(button, { isLoopEnabled: false }) },
    { gap: 0, op: 'restart', button, options: {} },
    { gap: length - late, ...change(button, { isLoopEnabled: true }) },
    { gap: late + soon, ...change(button, { isLoopEnabled: false }) },
    { gap: Math.max(0, length - soon - Math.floor(fade / 2)), op: 'read' },
    { gap: Math.floor(fade / 4), op: 'read' },
    { gap: fade, op: 'wait' },
  ]
}

/** An image that is shown leaves the show, and is read, and is told to go. */
const drawImageGone = ({ spare, buttons, on }: Scene): Op[] => {
  const button = buttons.findIndex(({ kind }) => kind === 'image')
  if (button < 0 || !on('swaps') || !spare.chance(0.5)) return []
  return [
    { gap: 0, op: 'play', button, options: {} },
    { gap: 480, ...change(button, { gone: true }) },
    { gap: 0, op: 'read' },
    { gap: 480, op: 'stop', button, run: null, fadeMs: null },
  ]
}

/** A clock that stutters: messages that come twice, out of order, close together or far apart. */
const drawMessages = ({ spare, buttons }: Scene): Op[] => {
  const lit = buttons.filter(({ lights }) => lights !== null)
  if (lit.length === 0 || !spare.chance(0.3)) return []
  const button = buttons.indexOf(spare.pick(lit))
  const messages = Array.from({ length: spare.whole(3, 6) }, (): Op => ({
    gap: spare.pick([0, 1, spare.whole(1, 12_000), 48_000, 48_001]), op: 'sync', button,
    run: 'live', step: spare.pick([1, 1, 0, -1, -2]),
    at: { driftMs: spare.pick([0, 100, 101, spare.whole(-300, 300)]) },
    isPlaying: spare.chance(0.7), forceSeek: spare.chance(0.1),
  }))
  return [{ gap: 0, op: 'play', button, options: {} }, ...messages]
}

/** The show is replaced by one in which this button is another. */
const change = (button: number, set: Partial<ButtonSpec>): Act =>
  ({ op: 'swap', busyFor: 0, edits: [{ button, set }] })

export const isMedia = ({ kind }: ButtonSpec): boolean => kind === 'audio' || kind === 'video'

/** How long a button sounds, by its file; null where it makes no sound, or lasts too long. */
export const rangeOf = ({ files }: Pick<Scene, 'files'>, button: ButtonSpec): number | null => {
  const { file, startMs, endMs } = button
  if (!isMedia(button) || file === null) return null
  const { frames } = files[file]!
  const to = endMs === null ? frames : Math.min(endMs * 48, frames)
  const length = Math.max(1, Math.floor(to - startMs * 48))
  return length > LENGTH_MAX ? null : length
}
