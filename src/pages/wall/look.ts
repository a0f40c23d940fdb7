// What a button of the wall is at the moment: the union from which its look and its press follow.
import type { LiveImage, LiveRun, LiveTimeline } from '../../contract/live.js'
import { FILE_MISSING, type ShowButton } from '../../contract/show-page.js'

export type Look =
  | { readonly kind: 'idle' }
  | { readonly kind: 'starting'; readonly run: LiveRun }
  | { readonly kind: 'playing'; readonly run: LiveRun }
  | { readonly kind: 'pausing'; readonly run: LiveRun }
  | { readonly kind: 'paused'; readonly run: LiveRun }
  | { readonly kind: 'fading_out'; readonly run: LiveRun }
  | { readonly kind: 'shown' }
  | { readonly kind: 'lit'; readonly timeline: LiveTimeline }
  /** `isThere`: its file is, but cannot be played. */
  | { readonly kind: 'missing'; readonly reason: string; readonly isThere: boolean }

export interface LiveNow {
  readonly runs: readonly LiveRun[]
  readonly image: LiveImage | null
  readonly timelines: readonly LiveTimeline[]
}

export const IDLE: Look = { kind: 'idle' }

/** `now`: null before anything is known. */
export const lookOf = (button: ShowButton, now: LiveNow | null): Look => {
  if (now === null) return IDLE
  const run = now.runs.findLast((each) => each.buttonId === button.id)
  if (run !== undefined) return lookOfRun(run)
  if (now.image?.buttonId === button.id) return { kind: 'shown' }
  const timeline = now.timelines.find((each) => each.buttonId === button.id)
  if (button.kind === 'dmx' && timeline !== undefined) return { kind: 'lit', timeline }
  const reason = missingBecause(button)
  return reason === null ? IDLE : { kind: 'missing', reason, isThere: !isAbsent(reason) }
}

const NO_TIMELINE = 'it has no timeline'

/** As against a file that is there and is empty, damaged, of another kind, or not to be read. */
const isAbsent = (reason: string): boolean =>
  reason.includes(FILE_MISSING) || reason === NO_TIMELINE

const lookOfRun = (run: LiveRun): Look => {
  switch (run.state) {
    case 'starting':
    case 'playing':
    case 'pausing':
    case 'paused':
    case 'fading_out':
      return { kind: run.state, run }
    case 'completed':
    case 'stopped':
    case 'failed':
      return IDLE
  }
}

/** Why a press cannot start it; null: it can. */
const missingBecause = ({ kind, media, dmx }: ShowButton): string | null => {
  if (media !== null && media.missing !== null) return media.missing
  if (kind === 'dmx') return dmx === null ? NO_TIMELINE : dmx.error
  return null
}

export const runOf = (look: Look): LiveRun | null => ('run' in look ? look.run : null)

/**
 * Of one button, told apart by what they are of: a change of the daemon's state keeps what it does
 * not name.
 */
export const sameLook = (a: Look, b: Look): boolean => {
  if (a.kind === 'lit' && b.kind === 'lit') return a.timeline === b.timeline
  return a.kind === b.kind && runOf(a) === runOf(b)
}
