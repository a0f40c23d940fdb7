// What was seen of an engine: its events by run, its births in order, and the facts on their way to
// it.
import type { EngineEvent } from '../../src/engine/events.js'
import type { Fact, Purpose } from '../../src/engine/ports.js'
import type { SimMedia } from './media.js'

export type RunEvent = Extract<EngineEvent, { kind: 'run' }>
export type DmxEvent = Extract<EngineEvent, { kind: 'dmx' }>
export type WrapEvent = Extract<EngineEvent, { kind: 'wrap' }>
export type ImageEvent = Extract<EngineEvent, { kind: 'image' }>

/** What a scenario's output says when it goes. */
export const OUTPUT_LOST = 'unplugged'

export interface ToldLength {
  readonly durationMs: number
  readonly startMs: number
  readonly endMs: number | null
}

export interface Arrival {
  readonly fact: Fact
  readonly at: number
  readonly postedAt: number
}

export class EngineObserver {
  readonly runs = new Map<string, RunEvent[]>()
  readonly lights = new Map<string, DmxEvent[]>()
  readonly images: ImageEvent[] = []
  /** Runs that were born and that the model has not met yet. */
  readonly births: RunEvent[] = []
  readonly lightBirths: DmxEvent[] = []
  /** The loops that came round, by run; and what each run was told to last, and to end at. */
  readonly wraps = new Map<string, WrapEvent[]>()
  readonly lengths = new Map<string, ToldLength>()
  wrapEvents = 0
  runEvents = 0
  lightEvents = 0
  /** In order of their frames, and of their posting within one. */
  readonly arrivals: Arrival[] = []

  /** Everything that was told, replies too; a birth's own lights are told before it. */
  #heard = 0
  readonly #order = new Map<RunEvent, number>()

  constructor(readonly media: SimMedia) {}

  /** How much was told before this birth, lights apart. */
  orderOf(birth: RunEvent): number {
    return this.#order.get(birth)!
  }

  purposeOf(stream: number): Purpose {
    return this.media.streams[stream - 1]!.request.purpose
  }

  hear(event: EngineEvent): void {
    if (event.kind === 'run' && event.state === 'starting') this.#order.set(event, this.#heard)
    if (ORDERED.has(event.kind)) this.#heard += 1
    if (event.kind === 'run') {
      this.runEvents += 1
      this.#length(event)
      push(this.runs, event.executionId, event)
      if (event.state === 'starting') this.births.push(event)
    } else if (event.kind === 'dmx') {
      this.lightEvents += 1
      if (push(this.lights, event.dmxExecutionId, event) === 1) this.lightBirths.push(event)
    } else if (event.kind === 'image') this.images.push(event)
    else if (event.kind === 'duration') this.#length(event)
    else if (event.kind === 'wrap') {
      this.wrapEvents += 1
      push(this.wraps, event.executionId, event)
    }
  }

  #length({ executionId, durationMs, startMs, endMs }: ToldLength & { executionId: string }): void {
    this.lengths.set(executionId, { durationMs, startMs, endMs })
  }

  replied(): void {
    this.#heard += 1
  }

  arrives(fact: Fact, at: number, postedAt: number): void {
    let place = 0
    for (let end = this.arrivals.length; place < end;) {
      const middle = (place + end) >> 1
      if (this.arrivals[middle]!.at > at) end = middle
      else place = middle + 1
    }
    this.arrivals.splice(place, 0, { fact, at, postedAt })
  }

  /** The birth of a run of this button at this frame, by hand or by itself. */
  takeBirth(buttonId: string, at: number, cause: 'command' | 'sequence'): RunEvent | null {
    const birth = take(this.births, (event) =>
      event.buttonId === buttonId && event.at === at && event.cause === cause)
    if (birth !== null) this.#order.delete(birth)
    return birth
  }

  takeLightBirth(buttonId: string, at: number): DmxEvent | null {
    return take(this.lightBirths, (event) => event.buttonId === buttonId && event.at === at)
  }
}

/** What comes before a birth or after it is told apart by these. */
const ORDERED: ReadonlySet<EngineEvent['kind']> = new Set(['run', 'image', 'output', 'catalogue'])

const push = <T>(map: Map<string, T[]>, key: string, item: T): number => {
  const list = map.get(key)
  if (list !== undefined) return list.push(item)
  map.set(key, [item])
  return 1
}

const take = <T>(items: T[], fits: (item: T) => boolean): T | null => {
  const place = items.findIndex(fits)
  return place < 0 ? null : items.splice(place, 1)[0]!
}
