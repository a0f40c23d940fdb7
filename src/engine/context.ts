// What every part of the engine looks at: the present frame, the show, the runs, and the doors out.
import { frame, ZERO, type Frame } from '../clock/frame.js'
import {
  Catalogue, effectiveEnd, EMPTY_SHOW, endFrame, startFrame, type Button,
} from './catalogue.js'
import type { EngineEvent } from './events.js'
import type { Asker, Fact, IdSource, MediaPort, OpenRequest, StreamId } from './ports.js'
import type { Executions } from './runs/executions.js'
import type { Run } from './runs/run.js'
import { viewOf } from './runs/run-view.js'
import { Pass } from './sound/voice.js'

type MediaFact = Extract<Fact, { stream: StreamId }>

/** Whether a file is there, and why that is not known where it is not. */
type CheckAnswer = (found: boolean, trouble: string | null) => void

export class Context {
  now: Frame = ZERO
  catalogue = new Catalogue(EMPTY_SHOW)
  dmxAllowed = true
  /** Views that changed since they were last taken. */
  readonly touched = new Set<Run>()
  /** How often a decoder was late while its run sounded. */
  starvations = 0
  readonly #passes = new Map<StreamId, Pass>()
  readonly #checks = new Map<number, CheckAnswer>()
  readonly #durations = new Map<string, Frame>()
  #stream = 0
  #ticket = 0

  constructor(
    private readonly media: MediaPort,
    readonly ids: IdSource,
    readonly runs: Executions,
    readonly emit: (event: EngineEvent) => void,
    private readonly onRetire: () => void,
    private readonly cushion: Frame,
  ) {}

  /** Asks whether a media file is there; the answer comes as a fact. */
  check(path: string, asker: Asker, found: CheckAnswer): number {
    const ticket = (this.#ticket += 1)
    this.#checks.set(ticket, found)
    this.media.check(ticket, path, asker)
    return ticket
  }

  forgetCheck(ticket: number): void {
    this.#checks.delete(ticket)
  }

  checked(ticket: number, found: boolean, trouble: string | null): void {
    const answer = this.#checks.get(ticket)
    this.#checks.delete(ticket)
    answer?.(found, trouble)
  }

  open(request: Omit<OpenRequest, 'stream'>, owner: (pass: Pass) => void): Pass {
    const stream = (this.#stream += 1)
    const { buttonId, purpose, path, from, to, ahead, hold } = request
    const asked = { stream, buttonId, purpose, path, from, to, ahead, hold }
    const pass = new Pass(asked, this.media.open(asked), owner, () => {
      this.#passes.delete(stream)
    }, this.cushion)
    this.#passes.set(stream, pass)
    return pass
  }

  /** Notes what a stream told; its owner hears of it once the pass says so. */
  heard(fact: MediaFact): void {
    const pass = this.#passes.get(fact.stream)
    if (pass === undefined) return
    if (fact.kind === 'supplied') {
      if (fact.until <= pass.supplied) return
      pass.supplied = fact.until
    } else if (fact.kind === 'ended') {
      pass.end = fact.end
      pass.held = fact.held
      pass.source = fact.source
    } else pass.broken = fact.message
    pass.owner(pass)
  }

  /** The file that a live stream decodes. */
  pathOf(stream: StreamId): string | null {
    return this.#passes.get(stream)?.path ?? null
  }

  duration(path: string): Frame | null {
    return this.#durations.get(path) ?? null
  }

  learnDuration(path: string, frames: Frame): void {
    this.#durations.set(path, frames)
  }

  /** The length of a button's range: by its decoder, else by End and what a probe said. */
  rangeLength(button: Button, pass: Pass | null): Frame | null {
    const from = startFrame(button)
    if (pass !== null && pass.end !== null) return frame(pass.end - from)
    const probed = button.media === null ? null : this.duration(button.media)
    const to = effectiveEnd(endFrame(button), probed)
    return to === null ? null : frame(Math.max(0, to - from))
  }

  /** Keeps a run's terminal snapshot; its view is the last that changes. */
  retire(run: Run): void {
    this.runs.retire(this.view(run), this.now)
    this.onRetire()
  }

  view(run: Run): ReturnType<typeof viewOf> {
    return viewOf(run, this.duration(run.path))
  }

  notice(run: Run | null, message: string): void {
    this.emit({
      kind: 'notice', at: this.now, message,
      buttonId: run?.button.id ?? null, executionId: run?.executionId ?? null,
    })
  }
}
