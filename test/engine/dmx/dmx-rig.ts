// A rig of DMX runs with its events written down, for tests that look at them on virtual time.
import { frame, msToFrames, type Frame } from '../../../src/clock/frame.js'
import { DmxRuns } from '../../../src/engine/dmx/dmx-runs.js'
import type { SyncReply } from '../../../src/engine/dmx/sync.js'

/** A frame by its milliseconds. */
export const ms = (milliseconds: number): Frame => msToFrames(milliseconds)

export const BUTTON = 'button-a'
export const OTHER = 'button-b'

export interface Told {
  readonly change: string
  readonly at: number
  readonly positionMs: number
}

export class DmxRig {
  readonly told: Told[] = []
  readonly runs = new DmxRuns((event) => {
    this.told.push({ change: event.change, at: event.at, positionMs: event.positionMs })
  }, msToFrames(600_000))
  #sequence = 0

  /** A run that is on at once, of a timeline of `durationMs`. */
  run(
    at: Frame, id: string, options: { durationMs: number; loop: boolean; button?: string },
  ): void {
    this.start(at, id, options, 'itself')
  }

  /** A run that waits for its media. */
  media(
    at: Frame, id: string, options: { durationMs: number; loop: boolean; button?: string },
  ): void {
    this.start(at, id, options, 'media')
  }

  private start(
    at: Frame, dmxExecutionId: string,
    options: { durationMs: number; loop: boolean; button?: string }, follows: 'media' | 'itself',
  ): void {
    const timeline = {
      timelineId: `timeline of ${dmxExecutionId}`,
      loop: options.loop,
      durationFrames: frame(Math.round(options.durationMs * 48)),
      error: null,
    }
    const button = { id: options.button ?? BUTTON, title: '' }
    this.runs.start(at, { dmxExecutionId, button, timeline, follows })
  }

  /** A message of the external clock; what is not said is as a client that plays along says it. */
  sync(at: Frame, executionId: string, positionMs: number, rest: {
    sequence?: number
    isPlaying?: boolean
    forceSeek?: boolean
    button?: string
    hasTimeline?: boolean
  } = {}): SyncReply {
    const sequence = rest.sequence ?? (this.#sequence += 1)
    return this.runs.sync(at, {
      buttonId: rest.button ?? BUTTON,
      hasTimeline: rest.hasTimeline ?? true,
      executionId, sequence, positionMs,
      isPlaying: rest.isPlaying ?? true,
      forceSeek: rest.forceSeek ?? false,
    })
  }

  /** The code of a refusal, or the answer's body. */
  ask(...message: Parameters<DmxRig['sync']>) {
    const reply = this.sync(...message)
    return reply.ok ? reply.body : reply.refusal.code
  }

  /** Where the timeline stands, in ms; null where the button has no live run. */
  positionMs(at: Frame, button = BUTTON): number | null {
    this.runs.settle(at)
    const view = this.runs.runOf(button)
    if (view === null) return null
    const { playhead, loop, duration } = view
    const reached = playhead.position + playhead.rate * (at - playhead.at)
    return (loop ? reached % duration : reached) / 48
  }
}
