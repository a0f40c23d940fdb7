// Replays a recorded night on a new engine, and tells whether the same events follow.
import { frame } from '../clock/frame.js'
import { Catalogue, type Show } from '../engine/catalogue.js'
import type { Command, Reply } from '../engine/commands/commands.js'
import { DEFAULT_ENGINE, Engine } from '../engine/engine.js'
import type { EngineEvent } from '../engine/events.js'
import { drawnFrom } from '../engine/ids.js'
import type { Fact, MediaPort } from '../engine/ports.js'
import {
  EventDigest, RECORDING_VERSION, type RecordedFact, type RecordedLine, type RecordingHeader,
} from './recording.js'

/** Why a replay is not the night: it went otherwise, or cannot be compared any further. */
export type Difference =
  | {
      readonly kind: 'otherwise'
      readonly at: number
      /** Events told by then. */
      readonly night: number
      readonly replay: number
    }
  /** Lines that the disk was too slow for: what follows from them is not known. */
  | { readonly kind: 'left_out'; readonly at: number; readonly lines: number }
  | { readonly kind: 'nothing_compared' }

export interface Replay {
  readonly events: number
  readonly hash: string
  readonly frames: number
  /** Checkpoints that agreed before the first that did not, or all of them. */
  readonly checkpoints: number
  /** The first; null where all is the same. */
  readonly difference: Difference | null
}

/** What a replay tells as it goes, in the order of the night. */
export interface ReplayListener {
  event(event: EngineEvent): void
  command(at: number, command: Command): void
  reply(at: number, command: Command, reply: Reply): void
  /** The show from here on. */
  show(show: Show): void
}

/** A recording that cannot be replayed at all, and why, for a person. */
export class Unreadable extends Error {}

export const headerOf = ([first]: readonly RecordedLine[]): RecordingHeader => {
  if (first === undefined || !('kind' in first)) {
    throw new Unreadable('the recording breaks off in its very first line: nothing can be replayed')
  }
  if (first.version !== RECORDING_VERSION) {
    throw new Unreadable(`the recording is of version ${String(first.version)}, ` +
      `this program reads version ${RECORDING_VERSION}: replay it with the cartwall that wrote it`)
  }
  const fault = headerFault(first)
  if (fault !== null) throw new Unreadable(`the first line of the recording is damaged: ${fault}`)
  return first
}

/** One that somebody cut short by hand, e.g. to send a night without its show. */
const headerFault = (header: RecordingHeader): string | null => {
  const { seed, origin, retentionMs, loopHeadBytes, show } = header
  for (const [key, value] of Object.entries({ seed, origin, retentionMs, loopHeadBytes })) {
    if (!Number.isSafeInteger(value)) return `its ${key} is no whole number`
  }
  try {
    new Catalogue(show)
    return null
  } catch {
    return 'its show is none'
  }
}

/** Plays a recording's lines again on a new engine, and compares at every checkpoint. */
export const replayRecording = (
  lines: readonly RecordedLine[], listener: ReplayListener,
): Replay => {
  const digest = new EventDigest()
  const event = (one: EngineEvent): void => {
    digest.add(one)
    listener.event(one)
  }
  const heard = { ...listener, event }
  const player = new Replayer(headerOf(lines), lines.slice(1), heard, () => digest.count)
  let checkpoints = 0
  let difference: Difference | null = null
  while (difference === null) {
    const line = player.take()
    if (line === null) break
    if ('gap' in line) difference = { kind: 'left_out', at: line.at, lines: line.gap }
    if (!('events' in line)) continue
    if (digest.count === line.events && digest.hash === line.hash) checkpoints += 1
    else {
      difference = { kind: 'otherwise', at: line.at, night: line.events, replay: digest.count }
    }
  }
  // What was compared with nothing cannot be said to agree.
  if (checkpoints === 0) difference ??= { kind: 'nothing_compared' }
  const { count: events, hash } = digest
  return { events, hash, frames: player.now, checkpoints, difference }
}

/** Feeds an engine; what a port said within a step is said within that step again. */
class Replayer {
  readonly #engine: Engine
  #next = 0
  /** The last ones that the engine asked for: their numbers rise. */
  #ticket = 0
  #stream = 0

  constructor(
    header: RecordingHeader, private readonly lines: readonly RecordedLine[],
    private readonly listener: ReplayListener,
    private readonly told: () => number,
  ) {
    this.#engine = new Engine({
      media: this.#media(),
      ...drawnFrom(header.seed),
      catalogue: new Catalogue(header.show),
      dmxAllowed: header.dmxAllowed,
      origin: frame(header.origin),
      retentionMs: header.retentionMs,
      loopHeadBytes: header.loopHeadBytes,
      cushion: DEFAULT_ENGINE.cushion,
      onEvent: (event) => { listener.event(event) },
    })
  }

  get now(): number {
    return this.#engine.now
  }

  /** Does the next line and answers it; null at the end. */
  take(): RecordedLine | null {
    const line = this.#come()
    if (line === null) return null
    if ('fact' in line) {
      if (this.#isUnasked(line.fact)) this.#ask(line)
      if (this.lines[this.#next] !== line) return line
      this.#next += 1
      if (line.fact.kind === 'catalogue') this.listener.show(line.fact.show)
      this.#engine.post(factOf(line.fact))
    } else if ('command' in line) {
      this.#next += 1
      const { command } = line
      this.listener.command(this.now, command)
      this.#engine.submit(command, (reply) => { this.listener.reply(this.now, command, reply) })
    } else {
      this.#engine.settle()
      // What a frame does last (a command's deadline) is done when time goes on beyond it, as it
      // did in the night, which was told of it only then.
      if ('events' in line && this.told() < line.events) this.#engine.advance(frame(this.now + 1))
      this.#next += 1
    }
    return line
  }

  /**
   * Whoever asks for this answer does it at this frame: with what is due there, or with what the
   * frame does last, e.g. the next command once the deadline of the one before has passed.
   */
  #ask(answer: RecordedLine): void {
    this.#engine.settle()
    if (this.lines[this.#next] === answer) this.#engine.advance(frame(this.now + 1))
  }

  /** Goes to the moment of the next line that nothing said on the way there. */
  #come(): Exclude<RecordedLine, RecordingHeader> | null {
    for (let bound = this.lines.length - this.#next; bound > 0; bound -= 1) {
      const line = this.lines[this.#next]
      if (line === undefined) return null
      if (!('at' in line)) {
        throw new Error(`line ${String(this.#next + 2)} is no line of a recording`)
      }
      if (line.at > this.now) this.#engine.advance(frame(line.at))
      if (this.lines[this.#next] === line) return line
    }
    return null
  }

  /** Streams that say nothing but what the recording says, at the moment at which it was said. */
  #media(): MediaPort {
    return {
      check: (ticket) => {
        this.#ticket = ticket
        this.#within((fact) => fact.kind === 'checked' && fact.ticket === ticket)
      },
      open: ({ stream }) => {
        this.#stream = stream
        this.#within((fact) => 'stream' in fact && fact.stream === stream)
        return {
          read: () => undefined, passed: () => undefined, keepAhead: () => undefined,
          close: () => undefined,
        }
      },
    }
  }

  /**
   * An answer to what the engine asks only when it does what was said before, at this same frame:
   * posted beside that, it would come too early and be taken for the answer to nothing.
   */
  #isUnasked(fact: RecordedFact): boolean {
    if ('ticket' in fact) return fact.ticket > this.#ticket
    return 'stream' in fact && fact.stream > this.#stream
  }

  #within(mine: (fact: RecordedFact) => boolean): void {
    for (;;) {
      const line = this.lines[this.#next]
      if (line === undefined || !('fact' in line) || line.at !== this.now) return
      if (!mine(line.fact)) return
      this.#next += 1
      this.#engine.post(factOf(line.fact))
    }
  }
}

const factOf = (fact: RecordedFact): Fact =>
  fact.kind === 'catalogue' ? { kind: 'catalogue', catalogue: new Catalogue(fact.show) } : fact
