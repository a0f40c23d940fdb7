// Buttons and runs for the tests of pages, with everything set that a test does not care about.
import type { LiveParts, LiveRun } from '../../../src/contract/live.js'
import type { ShowButton } from '../../../src/contract/show-page.js'

export const aButton = (parts: Partial<ShowButton>): ShowButton => ({
  id: 'b1', title: 'Warm', kind: 'audio', startMs: 0, endMs: null, fadeInMs: 0, fadeOutMs: 0,
  fadeOutAtEnd: false, isLoopEnabled: false, pauseWhenReplaced: false, allowOverlap: false,
  gainDb: 0, color: null, hotkey: null, pressAgain: 'pause', fit: 'contain', dissolveMs: 0,
  target: null, dmx: null, durationMs: 60_000, media: null,
  ...parts,
})

export const aRun = (parts: Partial<LiveRun>): LiveRun => ({
  executionId: 'e1', buttonId: 'b1', title: 'Warm', kind: 'audio', state: 'playing',
  endReason: null, serial: 1, order: 1, range: { start: 0, end: 480_000 }, duration: 960_000,
  starving: false, fade: { begin: 0, end: 0, from: 1, to: 1 }, loops: false, next: null,
  anchor: { at: 1_000, position: 0, moving: true, until: 480_000, then: { kind: 'end' } },
  ...parts,
})

export const SILENT: LiveParts = {
  runs: [], image: null, timelines: [],
  output: { state: 'ok', sink: 'null', latency: 0, underruns: 0, armedHeads: 0 },
  lights: { state: 'off', message: null }, service: 'ready', stages: [], show: '"s1"', waves: null,
  armed: null,
}
