// What somebody with a stopwatch and the API document expects of a night without faults: every
// change of every run, at its frame. Nothing here comes from the engine or from the other model.
import { LightsBook, litAt, type Lit, type LightsChange } from './night-lights.js'
import {
  DECIDE, dueOf, EARLY, END, placeOf, READY_NOW, type Cause, type Due, type Played, type Reason,
  type State,
} from './night-run.js'
import { MS, piecesOf, SECOND, type Piece, type ShowSpec } from './night-show.js'
import type { RuleName } from '../oracle/rules.js'

/** In a hall every decoder is ready five milliseconds after it was asked. */
const READY = 240
/** A list looks for its next item so long before its moment. */
const LEAD = 5 * SECOND
/** 3.4.8: 32 MiB of decoded stereo, four bytes a sample; and sixty seconds. */
const OVERLAP_MOST = Math.min((32 * 1024 * 1024) / 8, 60_000 * MS)

/** 2.3, as a client sends it. */
export interface Options {
  readonly pauseWhenReplaced?: boolean | null
  readonly allowOverlap?: boolean | null
  readonly externalSequencing?: boolean
  readonly loop?: boolean | null
  readonly loopCrossfadeMs?: number | null
}

export type Change = { readonly rule: RuleName; readonly at: number } & (
  | { readonly kind: 'run'; readonly run: Played; readonly state: State; readonly cause: Cause
      readonly endReason: Reason | null; readonly position: number; readonly durationMs: number }
  | { readonly kind: 'dmx'; readonly lit: Lit; readonly change: LightsChange
      readonly position: number }
  | { readonly kind: 'image'; readonly piece: Piece; readonly shown: boolean }
  | { readonly kind: 'notice'; readonly run: Played })

export class Book {
  readonly pieces: readonly Piece[]
  readonly lights: LightsBook
  /** In order of creation. */
  readonly live: Played[] = []
  /** In order of their ends. */
  readonly ended: Played[] = []
  image: Piece | null = null
  now = 0
  #changes: Change[] = []
  #serial = 0
  #order = 0
  /** Files whose length somebody has met, in frames. */
  readonly #known = new Map<string, number>()

  constructor(show: ShowSpec) {
    this.pieces = piecesOf(show)
    for (const path of show.probed) this.#known.set(path, show.lengths.get(path) ?? 0)
    this.lights = new LightsBook((at, lit, change) => {
      const rule = LIGHTS_RULE[change]
      this.#changes.push({ kind: 'dmx', rule, at, lit, change, position: litAt(lit, at) })
    })
  }

  take(): readonly Change[] {
    const changes = this.#changes
    if (changes.length > 0) this.#changes = []
    return changes
  }

  durationMs(piece: Piece): number {
    return Math.floor((piece.path === null ? 0 : (this.#known.get(piece.path) ?? 0)) / MS)
  }

  liveOf(piece: Piece): Played | null {
    return this.live.find((run) => run.piece === piece) ?? null
  }

  // Time

  passTo(to: number): void {
    for (;;) {
      let first: Due | null = null
      for (const run of this.live) {
        const due = dueOf(run)
        if (due.at > to) continue
        if (first === null || due.at < first.at || (due.at === first.at && due.what < first.what)) {
          first = due
        }
      }
      const lit = this.lights.due()
      if (first === null && lit > to) break
      if (first === null || lit < first.at) {
        this.now = lit
        this.lights.settle(lit)
      } else {
        this.now = first.at
        this.#meet(first)
      }
    }
    this.now = to
  }

  #meet({ run, what }: Due): void {
    switch (what) {
      case READY_NOW:
        this.#ready(run)
        return
      case DECIDE:
        run.decided = true
        run.comesRound = run.loops && run.state !== 'fading_out'
        return
      case EARLY:
        run.successor = this.#follow(run)
        return
      case END:
        this.#endOfRange(run)
        return
      default:
        if (run.state === 'pausing') this.#rest(run, 'fade_done', '3.2/pause-fade')
        else {
          const rule = run.fadeReason === 'replaced' ? '3.2/replaced' : '3.2/stop-fade'
          this.#end(run, run.fadeReason, 'fade_done', rule)
        }
    }
  }

  #ready(run: Played): void {
    run.readyAt = Infinity
    const { path, source, end } = run.piece
    // A decoder that was told to stop before the end of the file has not seen how long it is.
    if (path !== null && end === source) this.#known.set(path, source)
    if (run.state !== 'starting') return
    if (run.pauseWhenReady) {
      this.lights.sounds(this.now, run.piece)
      this.#rest(run, 'ready', '3.2/pause-fade')
    } else this.#sound(run)
  }

  #sound(run: Played): void {
    if (!run.automatic) this.#replace(run)
    run.state = 'playing'
    run.moves = true
    run.at = this.now
    this.lights.sounds(this.now, run.piece)
    this.#tell(run, 'ready', run.automatic ? '3.3/gapless' : '3.2/sounds')
  }

  #endOfRange(run: Played): void {
    if (run.comesRound) {
      run.position = run.piece.start + run.overlap
      run.at = this.now
      run.decided = false
      run.comesRound = false
      return
    }
    if (run.state === 'fading_out') {
      this.#end(run, run.fadeReason, 'media_end', '3.2/stop-fade')
      return
    }
    const onward = run.state === 'playing' && run.goesOn && run.successor === null
    this.#end(run, 'natural_end', 'media_end', '3.2/natural-end')
    if (onward) this.#follow(run)
  }

  /** The next of the list that can play and does not yet; it takes its predecessor's place. */
  #follow(run: Played): Played | null {
    const piece = this.#nextOf(run.piece)
    if (piece === null) {
      this.#changes.push({ kind: 'notice', rule: '3.3/goes-on', at: this.now, run })
      return null
    }
    const next = this.#create(piece, {}, run.order, true)
    this.#tell(next, 'sequence', run.early > 0 ? '3.3/early' : '3.3/goes-on')
    next.readyAt = run.nextReady
    if (next.readyAt <= this.now) {
      next.readyAt = Infinity
      this.#sound(next)
    }
    return next
  }

  #nextOf(piece: Piece): Piece | null {
    const items = this.pieces.filter(
      (one) => one.list === piece.list && (one.kind === 'audio' || one.kind === 'video'))
    const own = items.indexOf(piece)
    const after = [...items.slice(own + 1), ...(piece.list.wrap ? items.slice(0, own + 1) : [])]
    return after.find((one) => one.there && this.liveOf(one) === null) ?? null
  }

  // What commands do

  /** A start that was accepted. */
  start(piece: Piece, options: Options): Played {
    const before = this.liveOf(piece)
    if (before !== null) this.#end(before, 'explicit_stop', 'command', '3.2/restart')
    this.#order += 1
    const run = this.#create(piece, options, this.#order, false)
    this.#tell(run, 'command', '3.2/start')
    return run
  }

  #create(piece: Piece, options: Options, order: number, automatic: boolean): Played {
    const external = options.externalSequencing === true
    const loops = options.loop ?? (!external && piece.padlock)
    const half = Math.floor((piece.end - piece.start) / 2)
    const { mixOnTransition } = piece.list
    const wish = typeof options.loopCrossfadeMs === 'number' ? options.loopCrossfadeMs * MS
      : mixOnTransition ? (piece.fadeOut > 0 ? piece.fadeOut : piece.mix) : 0
    const goesOn = piece.list.mode !== 'manual' && !external && options.loop !== true
    this.#serial += 1
    const run: Played = {
      piece, serial: this.#serial, id: null, order, state: 'starting', endReason: null,
      position: piece.start, at: this.now, moves: false, readyAt: this.now + READY,
      pauseWhenReady: false, fadeEnd: Infinity, fadeReason: 'explicit_stop',
      kept: options.pauseWhenReplaced ?? piece.kept,
      overlaps: options.allowOverlap ?? piece.overlaps,
      loops, overlap: Math.min(wish, half, OVERLAP_MOST), decided: false, comesRound: false,
      goesOn, early: goesOn ? this.#earlyOf(piece, half) : 0, successor: null, earlyFrom: 0,
      nextReady: 0, automatic, endedAt: 0, lastDurationMs: 0,
    }
    this.live.push(run)
    this.lights.start(this.now, piece, 'media')
    return run
  }

  #earlyOf(piece: Piece, half: number): number {
    const next = piece.mix > 0 ? this.#nextOf(piece) : null
    if (next === null || next === piece) return 0
    return Math.min(piece.mix, half, Math.floor((next.end - next.start) / 2))
  }

  #replace(incoming: Played): void {
    if (incoming.overlaps) return
    for (const run of [...this.live]) {
      if (run.order >= incoming.order) continue
      if (run.state !== 'starting' && run.state !== 'playing') continue
      const frames = run.piece.fadeOut > 0 ? run.piece.fadeOut : incoming.piece.mix
      if (run.kept) this.pause(run, frames, 'replaced')
      else this.stop(run, frames, 'replaced')
    }
  }

  pause(run: Played, frames: number, cause: 'command' | 'replaced'): void {
    const replaced = cause === 'replaced'
    if (run.state === 'starting' || frames === 0) {
      this.lights.sounds(this.now, run.piece)
      this.#rest(run, cause, replaced ? '3.2/replaced-paused' : '3.2/pause-cut')
      return
    }
    run.state = 'pausing'
    run.fadeEnd = this.now + frames
    this.#tell(run, cause, replaced ? '3.2/replaced-paused' : '3.2/pause-fade')
  }

  #rest(run: Played, cause: Cause, rule: RuleName): void {
    this.#halt(run)
    run.state = 'paused'
    run.pauseWhenReady = false
    this.lights.hold(this.now, run.piece)
    this.#tell(run, cause, rule)
  }

  /** From paused or pausing: accepted anew. */
  rise(run: Played, fadeIn: number): void {
    this.#order += 1
    run.order = this.#order
    this.#replace(run)
    // One that this resume replaced may come again at the end.
    if (run.successor !== null && run.successor.state !== 'playing') run.successor = null
    // Who follows is chosen anew: at once if the end is near.
    const left = run.piece.end - placeOf(run, this.now)
    run.nextReady = left <= run.early + LEAD ? this.now + READY : 0
    run.earlyFrom = Math.max(this.now + fadeIn, run.nextReady)
    const rule = run.state === 'paused' ? '3.2/resume' : '3.2/resume-pausing'
    run.state = 'playing'
    run.fadeEnd = Infinity
    run.position = placeOf(run, this.now)
    run.at = this.now
    run.moves = true
    this.lights.release(this.now, run.piece)
    this.#tell(run, 'command', rule)
  }

  stop(run: Played, frames: number, reason: 'explicit_stop' | 'replaced'): void {
    const cause = reason === 'replaced' ? 'replaced' : 'command'
    if (run.state === 'starting' || run.state === 'paused' || frames === 0) {
      const rule = reason === 'replaced' ? '3.2/replaced'
        : run.state === 'paused' ? '3.2/stop-paused' : '3.2/stop-cut'
      this.#end(run, reason, cause, rule)
      return
    }
    run.state = 'fading_out'
    run.fadeReason = reason
    run.fadeEnd = this.now + frames
    this.lights.end(this.now, run.piece)
    this.#tell(run, cause, reason === 'replaced' ? '3.2/replaced' : '3.2/stop-fade')
  }

  show(piece: Piece): void {
    this.hide()
    this.image = piece
    this.#changes.push({ kind: 'image', rule: 'D3/image', at: this.now, piece, shown: true })
    this.lights.start(this.now, piece, 'itself')
  }

  hide(): void {
    const piece = this.image
    this.image = null
    if (piece === null) return
    this.lights.end(this.now, piece)
    this.#changes.push({ kind: 'image', rule: 'D3/image', at: this.now, piece, shown: false })
  }

  #halt(run: Played): void {
    run.position = placeOf(run, this.now)
    run.at = this.now
    run.moves = false
    run.fadeEnd = Infinity
  }

  #end(run: Played, reason: Reason, cause: Cause, rule: RuleName): void {
    this.#halt(run)
    run.state = reason === 'natural_end' ? 'completed' : 'stopped'
    run.endReason = reason
    run.endedAt = this.now
    run.lastDurationMs = this.durationMs(run.piece)
    this.live.splice(this.live.indexOf(run), 1)
    this.ended.push(run)
    this.lights.end(this.now, run.piece)
    this.#tell(run, cause, rule)
  }

  #tell(run: Played, cause: Cause, rule: RuleName): void {
    const { state, endReason, piece } = run
    this.#changes.push({
      kind: 'run', rule, at: this.now, run, state, cause, endReason,
      position: placeOf(run, this.now), durationMs: this.durationMs(piece),
    })
  }
}

const LIGHTS_RULE: Readonly<Record<LightsChange, RuleName>> = {
  initializing: '3.5/start', started: '3.5/start', held: '3.5/follows', released: '3.5/follows',
  completed: '3.5/completes', ended: '3.5/follows', chasing: 'D5/no-other-change',
  freewheel: 'D5/no-other-change', corrected: '3.5/drift',
}
