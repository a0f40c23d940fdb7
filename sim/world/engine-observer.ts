// What was seen of an engine: its events by run, its births in order, the facts on their way.
import type { EngineEvent } from '../../src/engine/events.js'
import type { Fact } from '../../src/engine/ports.js'

type Of<Kind extends EngineEvent['kind']> = Extract<EngineEvent, { kind: Kind }>
export type RunEvent = Of<'run'>
export type DmxEvent = Of<'dmx'>
/** Of the service as a whole: its output, its show, its image. */
export type ServiceEvent = Of<'output' | 'catalogue' | 'image'>

/** What a scenario's output says when it goes, and a show that is refused. */
export const OUTPUT_LOST = 'unplugged'
export const SHOW_REFUSED = 'refused'

export interface Arrival {
  readonly fact: Fact
  readonly at: number
  readonly postedAt: number
}

/** Events of one kind: what the model has accounted for, and what waits for it, by an id. */
class Told<Event> {
  taken = 0
  readonly #waiting = new Set<Event>()

  constructor(private readonly idOf: (event: Event) => string) {}

  add(event: Event): void {
    this.#waiting.add(event)
  }

  /** What was told first of all that waits. */
  get oldest(): Event | undefined {
    return this.#waiting.values().next().value
  }

  next(id: string): Event | undefined {
    for (const event of this.#waiting) if (this.idOf(event) === id) return event
    return undefined
  }

  take(id: string): Event | undefined {
    const event = this.next(id)
    if (event !== undefined && this.#waiting.delete(event)) this.taken += 1
    return event
  }
}

export class EngineObserver {
  readonly runs = new Told<RunEvent>(({ executionId }) => executionId)
  readonly lights = new Told<DmxEvent>(({ dmxExecutionId }) => dmxExecutionId)
  /** The loops that came round, by run. */
  readonly wraps = new Told<Of<'wrap'>>(({ executionId }) => executionId)
  readonly service = new Told<ServiceEvent>(({ kind }) => kind)
  /** Runs that the model has not met yet; `before`: how much was told before, lights apart. */
  readonly births: { readonly event: RunEvent; readonly before: number }[] = []
  readonly lightBirths: DmxEvent[] = []
  /** What each run was told to last, and to end at. */
  readonly lengths = new Map<string, Pick<RunEvent, 'durationMs' | 'startMs' | 'endMs'>>()
  /** In order of their frames, and of their posting within one. */
  readonly arrivals: Arrival[] = []

  /** Everything that was told, replies too; a birth's own lights are told before it. */
  heard = 0
  /** The timelines that were born. */
  readonly #lit = new Set<string>()

  hear(event: EngineEvent): void {
    const isBirth = event.kind === 'run' && event.state === 'starting'
    if (isBirth) this.births.push({ event, before: this.heard })
    if (ORDERED.has(event.kind)) this.heard += 1
    if (event.kind === 'run' || event.kind === 'duration') {
      const { executionId, durationMs, startMs, endMs } = event
      this.lengths.set(executionId, { durationMs, startMs, endMs })
    }
    if (event.kind === 'run') this.runs.add(event)
    else if (event.kind === 'wrap') this.wraps.add(event)
    else if (event.kind === 'dmx') {
      this.lights.add(event)
      if (!this.#lit.has(event.dmxExecutionId)) this.lightBirths.push(event)
      this.#lit.add(event.dmxExecutionId)
    } else if (event.kind !== 'notice' && event.kind !== 'duration') this.service.add(event)
  }
}

/** What comes before a birth or after it is told apart by these. */
const ORDERED: ReadonlySet<EngineEvent['kind']> = new Set(['run', 'image', 'output', 'catalogue'])
