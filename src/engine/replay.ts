// Replays a recorded night on a new engine, and tells whether the same events follow.
import { frame } from '../clock/frame.js'
import { Catalogue } from './catalogue.js'
import { Engine } from './engine.js'
import type { EngineEvent } from './events.js'
import { guidSource } from './ids.js'
import type { Fact, MediaPort } from './ports.js'
import { createPrng } from './prng.js'
import {
  EventDigest, RECORDING_VERSION, type RecordedFact, type RecordedLine, type RecordingHeader,
} from './recording.js'

export interface Replay {
  readonly events: number
  readonly hash: string
  readonly frames: number
  /** Checkpoints that agreed before the first that did not, or all of them. */
  readonly checkpoints: number
  /** The first thing that went otherwise than in the night; null where all is the same. */
  readonly difference: string | null
}

/** Plays a recording's lines again on a new engine, and compares at every checkpoint. */
export const replayRecording = (
  lines: readonly RecordedLine[], onEvent: (event: EngineEvent) => void,
): Replay => {
  const [header, ...rest] = lines
  if (header === undefined || !('kind' in header)) {
    throw new Error('a recording begins with its header')
  }
  if (header.version !== RECORDING_VERSION) {
    throw new Error(`a recording of version ${String(header.version)} is not known here`)
  }
  const digest = new EventDigest()
  const player = new Replayer(header, rest, (event) => {
    digest.add(event)
    onEvent(event)
  })
  let checkpoints = 0
  let difference: string | null = null
  for (let line = player.take(); line !== null && difference === null; line = player.take()) {
    if ('gap' in line) {
      difference = `${String(line.gap)} lines are missing at frame ${String(line.at)}`
    }
    if (!('events' in line)) continue
    const same = digest.count === line.events && digest.hash === line.hash
    if (same) checkpoints += 1
    else {
      difference =
        `at frame ${String(line.at)} the night had ${String(line.events)} events with digest ` +
        `${line.hash}, the replay ${String(digest.count)} with ${digest.hash}`
    }
  }
  // What was compared with nothing cannot be said to agree.
  if (checkpoints === 0) difference ??= 'the recording has no checkpoint: nothing was compared'
  const { count: events, hash } = digest
  return { events, hash, frames: player.now, checkpoints, difference }
}

/** Feeds an engine; what a port said within a step is said within that step again. */
class Replayer {
  readonly #engine: Engine
  #next = 0

  constructor(
    header: RecordingHeader, private readonly lines: readonly RecordedLine[],
    onEvent: (event: EngineEvent) => void,
  ) {
    const prng = createPrng(header.seed)
    this.#engine = new Engine({
      media: this.#media(),
      ids: guidSource(prng.fork('ids')),
      prng,
      catalogue: new Catalogue(header.show),
      dmxAllowed: header.dmxAllowed,
      origin: frame(header.origin),
      retentionMs: header.retentionMs,
      loopHeadBytes: header.loopHeadBytes,
      onEvent,
    })
  }

  get now(): number {
    return this.#engine.now
  }

  /** Does the next line and answers it; null at the end. */
  take(): RecordedLine | null {
    const line = this.lines[this.#next]
    if (line === undefined) return null
    if (!('at' in line)) throw new Error(`line ${String(this.#next + 2)} is no line of a recording`)
    this.#next += 1
    if (line.at > this.now) this.#engine.advance(frame(line.at))
    if ('fact' in line) this.#engine.post(factOf(line.fact))
    else if ('command' in line) this.#engine.submit(line.command, () => undefined)
    else this.#engine.settle()
    return line
  }

  /** Streams that say nothing but what the recording says, at the moment at which it was said. */
  #media(): MediaPort {
    return {
      check: (ticket) => {
        this.#within((fact) => fact.kind === 'checked' && fact.ticket === ticket)
      },
      open: ({ stream }) => {
        this.#within((fact) => 'stream' in fact && fact.stream === stream)
        return { read: () => undefined, close: () => undefined }
      },
    }
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
