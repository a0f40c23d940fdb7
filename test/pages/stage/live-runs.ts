// Runs, images and changes as GET /api/v1/live tells them, for tests of what pages make of them.
import type { LiveAnchor, LiveChange, LiveImage, LiveRun } from '../../../src/contract/live.js'

/** Frames of so many milliseconds. */
export const ms = (count: number): number => count * 48

export const anchor = (fields: Partial<LiveAnchor>): LiveAnchor => ({
  at: 0, position: 0, moving: true, until: null, then: null, ...fields,
})

export const run = (
  executionId: string, fields: Partial<LiveRun>,
): LiveRun => ({
  executionId,
  buttonId: `button-${executionId}`,
  title: executionId,
  kind: 'video',
  state: 'playing',
  endReason: null,
  serial: 1,
  order: 1,
  range: { start: 0, end: ms(10_000) },
  duration: ms(10_000),
  starving: false,
  anchor: anchor({}),
  fade: { begin: 0, end: 0, from: 1, to: 1 },
  loops: false,
  next: null,
  ...fields,
})

export const change = (
  at: number, runs: readonly LiveRun[], fields: { readonly image?: LiveImage | null },
): LiveChange => ({ kind: 'change', n: 1, at, events: [], runs, ...fields })

export const image = (buttonId: string, at: number): LiveImage => ({
  buttonId, title: buttonId, at,
})
