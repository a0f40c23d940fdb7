// What somebody with a stopwatch expects of the timelines: where each stands, and what every sync
// message must be answered. Whole frames and nothing of the engine's.
import { MS, SECOND, type Piece } from './night-show.js'

export interface Lit {
  readonly piece: Piece
  readonly lights: NonNullable<Piece['lights']>
  /** Null until the answer or the event that tells it. */
  id: string | null
  follows: 'media' | 'itself' | 'external'
  state: 'initializing' | 'running' | 'held' | 'ended'
  /** It stood at `position` at frame `at`. */
  position: number
  at: number
  sync: 'internal' | 'chasing' | 'freewheel'
  sequence: number
  heardAt: number
  last: number | null
  worst: number | null
  endedAt: number
}

export interface SyncWords {
  readonly executionId: string
  readonly sequence: number
  readonly positionMs: number
  readonly isPlaying: boolean
  readonly forceSeek?: boolean
}

type SyncTold = Readonly<Record<string, unknown>>
type SyncRefusal =
  | 'media_file_missing' | 'dmx_not_active' | 'stale_execution' | 'dmx_initializing'
  | 'dmx_stale_sequence'

export type LightsChange =
  | 'initializing' | 'started' | 'held' | 'released' | 'completed' | 'ended'
  | 'chasing' | 'freewheel' | 'corrected'

/** 2.8: drift above this is corrected. */
const DRIFT = 100 * MS
/** An external clock that was silent for a second leaves its timeline freewheeling. */
const QUIET = SECOND
const MEMORY = 600 * SECOND

export const litAt = (lit: Lit, now: number): number => {
  const { length, loop } = lit.lights
  const reached = lit.position + (lit.state === 'running' ? now - lit.at : 0)
  return loop ? reached % length : Math.min(reached, length)
}

export class LightsBook {
  /** In order of their starts; a button has one at most. */
  readonly live: Lit[] = []
  /** In order of their ends. */
  readonly ended: Lit[] = []

  constructor(private readonly tell: (at: number, lit: Lit, change: LightsChange) => void) {}

  of(piece: Piece): Lit | null {
    return this.live.find((lit) => lit.piece === piece) ?? null
  }

  start(now: number, piece: Piece, follows: 'media' | 'itself'): void {
    this.end(now, piece)
    if (piece.lights === null) return
    const lit: Lit = {
      piece, lights: piece.lights, id: null, follows, state: 'initializing', position: 0, at: now,
      sync: 'internal', sequence: -1, heardAt: 0, last: null, worst: null, endedAt: 0,
    }
    this.live.push(lit)
    if (follows === 'itself') this.sounds(now, piece)
    else this.tell(now, lit, 'initializing')
  }

  sounds(now: number, piece: Piece): void {
    const lit = this.of(piece)
    if (lit?.state !== 'initializing') return
    this.#place(lit, now, 0, true)
    this.tell(now, lit, 'started')
  }

  hold(now: number, piece: Piece): void {
    const lit = this.of(piece)
    if (lit === null || lit.state !== 'running' || lit.follows === 'external') return
    this.#place(lit, now, litAt(lit, now), false)
    this.tell(now, lit, 'held')
  }

  release(now: number, piece: Piece): void {
    const lit = this.of(piece)
    if (lit === null || lit.state !== 'held' || lit.follows === 'external') return
    this.#place(lit, now, lit.position, true)
    this.tell(now, lit, 'released')
  }

  end(now: number, piece: Piece): void {
    const lit = this.of(piece)
    if (lit !== null) this.#finish(now, lit, 'ended')
  }

  /** The next frame at which a timeline does something by itself; Infinity where none will. */
  due(): number {
    let due = Infinity
    for (const lit of this.live) due = Math.min(due, endOf(lit), quietOf(lit))
    return due
  }

  settle(now: number): void {
    for (const lit of [...this.live]) {
      if (endOf(lit) === now) this.#finish(now, lit, 'completed')
      else if (quietOf(lit) === now) {
        lit.sync = 'freewheel'
        this.tell(now, lit, 'freewheel')
      }
    }
  }

  /** The error, or the body of the answer. */
  sync(now: number, piece: Piece, words: SyncWords): SyncRefusal | SyncTold {
    if (piece.lights === null) return 'media_file_missing'
    const { executionId, sequence } = words
    const lit = this.of(piece)
    if (lit?.id !== executionId) {
      const owner = [...this.live, ...this.ended].find((one) => one.id === executionId)
      if (owner === undefined || owner.piece === piece) return 'dmx_not_active'
      const forgotten = owner.state === 'ended' && now - owner.endedAt > MEMORY
      return forgotten ? 'dmx_not_active' : 'stale_execution'
    }
    if (lit.state === 'initializing') return 'dmx_initializing'
    if (sequence <= lit.sequence) return 'dmx_stale_sequence'
    return this.#obey(now, lit, words)
  }

  #obey(now: number, lit: Lit, words: SyncWords): SyncTold {
    const { executionId, sequence, isPlaying, forceSeek = false } = words
    const { loop, length } = lit.lights
    const here = litAt(lit, now)
    const told = loop ? (words.positionMs * MS) % length : words.positionMs * MS
    const apart = loop ? shorterWay(here - told, length) : here - told
    const driftMs = apart / MS
    const turned = isPlaying !== (lit.state === 'running')
    const past = !loop && told >= length
    const corrected = past || turned || forceSeek || Math.abs(apart) > DRIFT
    lit.follows = 'external'
    lit.sequence = sequence
    lit.heardAt = now
    lit.last = driftMs
    if (!forceSeek && Math.abs(driftMs) >= Math.abs(lit.worst ?? 0)) lit.worst = driftMs
    if (lit.sync !== 'chasing') {
      lit.sync = 'chasing'
      this.tell(now, lit, 'chasing')
    }
    const position = past ? length : corrected ? Math.round(told) : here
    if (corrected) this.#place(lit, now, position, isPlaying)
    if (past) this.#finish(now, lit, 'completed')
    else if (turned) this.tell(now, lit, isPlaying ? 'released' : 'held')
    else if (corrected) this.tell(now, lit, 'corrected')
    return { executionId, sequence, corrected, positionMs: position / MS, driftMs, isPlaying }
  }

  #place(lit: Lit, at: number, position: number, runs: boolean): void {
    lit.state = runs ? 'running' : 'held'
    lit.position = position
    lit.at = at
  }

  #finish(now: number, lit: Lit, change: 'completed' | 'ended'): void {
    this.#place(lit, now, litAt(lit, now), false)
    lit.state = 'ended'
    lit.endedAt = now
    this.live.splice(this.live.indexOf(lit), 1)
    this.ended.push(lit)
    this.tell(now, lit, change)
  }
}

/** A loop is a circle: from half its length on the other way round is shorter. */
const shorterWay = (apart: number, length: number): number =>
  apart >= length / 2 ? apart - length : apart < -length / 2 ? apart + length : apart

const endOf = (lit: Lit): number =>
  lit.state === 'running' && !lit.lights.loop
    ? lit.at + lit.lights.length - lit.position : Infinity

const quietOf = (lit: Lit): number => (lit.sync === 'chasing' ? lit.heardAt + QUIET : Infinity)
