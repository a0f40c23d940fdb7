// Decodes as the model knows them: which run sounds from which, and how long their files last.
import { take } from '../../world/lists.js'
import type { SeenStream } from '../../world/media.js'
import type { Arrival } from '../../world/engine-observer.js'
import { wholeMs, type ModelRun, type ModelStream } from './shapes.js'
import type { ModelState } from './state.js'

/** The observer is ahead of the model: what was closed since then is open still. */
const isOpen = (seen: SeenStream, now: number): boolean =>
  seen.closedAt === null || seen.closedAt >= now

export type StreamFact = Extract<Arrival['fact'], { stream: number }>

export class ModelStreams {
  readonly #streams = new Map<number, ModelStream>()
  /** By path, with the frame at which anything was known first. */
  readonly durations = new Map<string, { readonly frames: number; readonly since: number }>()
  /** When a file's length was learned last, and what was known before, in ms. */
  readonly #learned = new Map<string, { readonly at: number; readonly before: number }>()
  /** A probe has told a length since. */
  readonly #outdated = new Set<Arrival['fact']>()
  readonly #perhaps = new Map<string, Set<number>>()

  constructor(private readonly state: ModelState) {}

  /** Notes what a stream told; null where the engine was told something that it knew. */
  hear(fact: StreamFact): ModelStream | null {
    const stream = this.streamOf(fact.stream)
    if (stream === null) return null
    if (fact.kind === 'supplied') {
      if (fact.until <= stream.supplied) return null
      stream.supplied = fact.until
    } else if (fact.kind === 'ended') {
      stream.end = fact.end
      stream.held = fact.held
      stream.source = fact.source
      stream.endKnownAt = this.state.now
    } else stream.broken = fact.message
    // The length that a decoder met is what the file lasts from now on.
    const tells = fact.kind === 'ended' && fact.source !== null && !this.#outdated.has(fact)
    if (tells && isOpen(stream.seen, this.state.now)) {
      const { path } = stream.seen.request
      if (stream.seen.closedAt === this.state.now) this.mayLast(path, fact.source)
      // Two decodes may tell it at one frame: before both of them it was what it was.
      const last = this.#learned.get(path)
      const before = last?.at === this.state.now ? last.before : this.lengthMs(path, null, null)
      this.#learned.set(path, { at: this.state.now, before })
      this.#learn(path, fact.source)
    }
    return stream
  }

  #learn(path: string, frames: number): void {
    const { since = this.state.now } = this.durations.get(path) ?? {}
    this.durations.set(path, { frames, since })
  }

  // Lengths

  /** In whole ms: by its decode, else by its file; what was told, where that is possible too. */
  lengthMs(path: string, met: number | null, told: unknown): number {
    if (typeof told === 'number' && this.#lastsPerhaps(path, told)) return told
    return wholeMs(met ?? this.durations.get(path)?.frames ?? 0)
  }

  /** `before`: what was told before the probe, and is accounted for later. */
  probed(path: string, frames: number, before: readonly Arrival[]): void {
    for (const { fact } of before) this.#outdated.add(fact)
    this.#learn(path, frames)
  }

  /** Whether a stream's end came before or after its close at one frame, nobody can see. */
  mayLast(path: string, frames: number): void {
    const known = this.#perhaps.get(path) ?? new Set<number>()
    this.#perhaps.set(path, known.add(wholeMs(frames)).add(this.lengthMs(path, null, null)))
  }

  /**
   * By one of the orders that are possible at some frame, the file lasts so long; or a decode that
   * the model has not met tells it at this very frame.
   */
  #lastsPerhaps(path: string, ms: number): boolean {
    if (this.#perhaps.get(path)?.has(ms) === true) return true
    const last = this.#learned.get(path)
    if (last?.at === this.state.now && last.before === ms) return true
    return this.state.observer.arrivals.some(({ fact, at }) =>
      at <= this.state.now && fact.kind === 'ended' && fact.source !== null &&
      wholeMs(fact.source) === ms && this.streamOf(fact.stream)?.seen.request.path === path)
  }

  // Claims

  streamOf(n: number): ModelStream | null {
    const known = this.#streams.get(n)
    if (known !== undefined) return known
    const seen = this.state.media.streams[n - 1]
    if (seen?.request.stream !== n) return null
    const stream: ModelStream = {
      seen, from: seen.request.from, supplied: seen.request.from, end: null, endKnownAt: 0,
      source: null, held: false, broken: null,
    }
    this.#streams.set(n, stream)
    return stream
  }

  /** The next pass of a looped run: of those opened for its button the first that nobody has. */
  claimPass(button: string): ModelStream | null {
    const { media: { passes }, now } = this.state
    const open = (passes.get(button) ?? []).filter((pass) => isOpen(pass, now))
    passes.set(button, open)
    const pass = take(open, ({ openedAt }) => openedAt <= now)
    return pass === null ? null : this.streamOf(pass.request.stream)
  }

  /** The run that a decode sounds in: its tail, or the head that its seam blends in. */
  ownerOf(stream: ModelStream): ModelRun | null {
    return this.state.live.find((run) => run.tail === stream || run.seam?.head === stream) ?? null
  }
}
