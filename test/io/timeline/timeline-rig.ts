// Timelines from their text, for the tests of them.
import { msToFrames } from '../../../src/clock/frame.js'
import {
  SLOTS, cursorsOf, evaluate, type CompiledTimeline,
} from '../../../src/engine/lighting/timeline.js'
import { compileText } from '../../../src/io/timeline/timeline-file.js'

/** What its universes show, so many milliseconds after its beginning. */
export const at = (timeline: CompiledTimeline, ms: number): Uint8Array[] => {
  const into = Array.from(timeline.universes, () => new Uint8Array(SLOTS))
  evaluate(timeline, cursorsOf(timeline), msToFrames(ms), into)
  return into
}

export const compiled = (text: string): CompiledTimeline => {
  const result = compileText(text)
  if (!result.ok) throw new Error(JSON.stringify(result.faults))
  return result.timeline
}

/** The places of its faults. */
export const faultsOf = (value: unknown): string[] => {
  const result = compileText(typeof value === 'string' ? value : JSON.stringify(value))
  return result.ok ? [] : result.faults.map(({ place }) => place)
}
