// What each request of the night must be answered, field by field, and what it does to the book.
import type { Book, Options } from './night-book.js'
import { litAt, type SyncWords } from './night-lights.js'
import { placeOf, type Played } from './night-run.js'
import { MS, SECOND, type Piece } from './night-show.js'
import type { RuleName } from '../oracle/rules.js'

type Json = Readonly<Record<string, unknown>>

/** A command to one button. */
export interface ToButton {
  readonly ask: 'play' | 'restart' | 'pause' | 'resume' | 'stop' | 'dmx/sync'
  readonly button: string
  readonly body: Json | null
}

/** What a client asks, before it is put on a wire or into a call. */
export type Request =
  | { readonly ask: 'buttons' | 'status' }
  | { readonly ask: 'execution'; readonly id: string }
  | { readonly ask: 'events'; readonly after: number }
  | ToButton
  | { readonly ask: 'panic'; readonly body: Json | null }
  /** What only the wire can refuse, with what it must say; `error` null: an answer without one. */
  | {
      readonly ask: 'wire'
      readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE' | 'HEAD' | 'OPTIONS'
      readonly path: string; readonly headers: Readonly<Record<string, string>>
      readonly payload: string | null; readonly status: number; readonly error: string | null
    }

export interface Answer {
  readonly status: number
  readonly body: Json
}

/** An answer that must come; its body is asked for when the ids it speaks of are known. */
export interface Expected {
  readonly rule: RuleName
  readonly status: number
  readonly body: () => Json
}

const RETENTION = 600 * SECOND

/** 7, as it is written there. */
const STATUS = {
  invalid_playback_request: 400, execution_not_found: 404, button_not_found: 404,
  stale_execution: 409, execution_not_resumable: 409, dmx_not_active: 409, dmx_initializing: 409,
  dmx_stale_sequence: 409, media_file_missing: 422,
} as const

const no = (rule: RuleName, error: keyof typeof STATUS): Expected => ({
  rule, status: STATUS[error], body: () => ({ error }),
})
const ok = (rule: RuleName, body: () => Json): Expected => ({ rule, status: 200, body })

/** 4.1: supplied, saved, the list's Crossfade, zero. */
const fadeOf = (supplied: unknown, saved: number, mix: number): number =>
  typeof supplied === 'number' ? supplied * MS : saved > 0 ? saved : mix

export class Answers {
  readonly #pieces: ReadonlyMap<string, Piece>
  readonly #runs = new Map<string, Played>()

  constructor(private readonly book: Book) {
    this.#pieces = new Map(book.pieces.map((piece) => [piece.id, piece]))
  }

  /** The id of a run was told. */
  learn(run: Played): void {
    this.#runs.set(run.id ?? '', run)
  }

  /** 3.2 Retention: ten minutes after its end a run is still there, a frame later it is not. */
  known(id: string): Played | null {
    const run = this.#runs.get(id)
    if (run === undefined) return null
    return run.endReason !== null && this.book.now - run.endedAt > RETENTION ? null : run
  }

  expect(request: Exclude<Request, { ask: 'events' | 'wire' }>): Expected {
    if ('button' in request) return this.#command(request)
    switch (request.ask) {
      case 'buttons':
        return ok('D2/buttons', () => this.#buttons())
      case 'status':
        return ok('2.7/status', () => this.#status())
      case 'execution':
        return this.#execution(request.id)
      case 'panic':
        return this.#panic(request.body ?? {})
    }
  }

  #command({ ask, button, body: given }: ToButton): Expected {
    const piece = this.#pieces.get(button)
    if (piece === undefined) return no('7/button-not-found', 'button_not_found')
    const body = given ?? {}
    switch (ask) {
      case 'play':
      case 'restart':
        return this.#start(ask, piece, body)
      case 'pause':
        return this.#pause(piece, body)
      case 'resume':
        return this.#resume(piece, body)
      case 'stop':
        return this.#stop(piece, body)
      case 'dmx/sync':
        return this.#sync(piece, body as unknown as SyncWords)
    }
  }

  // Reads

  #execution(id: string): Expected {
    const run = this.known(id)
    if (run !== null) return ok('2.2/execution', () => this.#body(run))
    return no(this.#runs.has(id) ? '3.2/forgotten' : 'D3/id-unknown', 'execution_not_found')
  }

  #body(run: Played): Json {
    const { id, piece, state, endReason } = run
    const positionMs = Math.floor(placeOf(run, this.book.now) / MS)
    const durationMs = endReason === null ? this.book.durationMs(piece) : run.lastDurationMs
    return { executionId: id, buttonId: piece.id, state, positionMs, durationMs, endReason }
  }

  #buttons(): Json {
    return { buttons: this.book.pieces.map((piece) => this.#entry(piece)) }
  }

  #entry(piece: Piece): Json {
    const run = this.book.liveOf(piece)
    const lit = this.book.lights.of(piece)
    return {
      id: piece.id, title: piece.title, kind: piece.kind,
      playlistId: piece.listId, playlistTitle: `l${piece.listIndex}`,
      isPlaying: (run !== null && run.state !== 'paused') || this.book.image === piece ||
        (piece.kind === 'dmx' && lit !== null),
      isPaused: run?.state === 'paused', isLoopEnabled: piece.padlock,
      hasDmxTimeline: piece.lights !== null,
      durationMs: piece.kind === 'dmx'
        ? Math.floor((piece.lights?.length ?? 0) / MS) : this.book.durationMs(piece),
      executionId: run?.id ?? null, dmxExecutionId: lit?.id ?? null,
    }
  }

  #status(): Json {
    const { live, lights, now } = this.book
    const items = (paused: boolean): Json[] => live
      .filter((run) => (run.state === 'paused') === paused)
      .map((run) => ({
        id: run.piece.id, title: run.piece.title, kind: run.piece.kind, executionId: run.id,
        state: run.state, positionMs: Math.floor(placeOf(run, now) / MS),
        durationMs: this.book.durationMs(run.piece),
        dmxExecutionId: lights.of(run.piece)?.id ?? null,
      }))
    return {
      state: 'ready', version: 'sim', uptimeMs: 0, show: 'show',
      audio: { state: 'ok', sink: 'sim', latencyMs: 0, underruns: 0, armedHeads: 0 },
      dmx: { enabled: true, universes: 0, activeTimelines: lights.live.length },
      lights: {
        output: { state: 'off', message: null },
        timelines: lights.live.map((lit) => ({
          dmxExecutionId: lit.id, buttonId: lit.piece.id, sync: lit.sync,
          isPlaying: lit.state === 'running', positionMs: litAt(lit, now) / MS,
          durationMs: lit.lights.length / MS, lastDriftMs: lit.last, worstDriftMs: lit.worst,
        })),
      },
      log: { state: 'ok', message: null, lost: 0 },
      active: [...items(false), ...this.#lone()],
      paused: items(true),
    }
  }

  /** A picture that is shown comes first, then the lamps in order of their starts. */
  #lone(): Json[] {
    const { image, lights } = this.book
    const lamps = lights.live.map((lit) => lit.piece).filter((piece) => piece.kind === 'dmx')
    return (image === null ? lamps : [image, ...lamps]).map((piece) => ({
      id: piece.id, title: piece.title, kind: piece.kind, executionId: null, state: null,
      positionMs: null, durationMs: null, dmxExecutionId: lights.of(piece)?.id ?? null,
    }))
  }

  // Commands

  #start(word: 'play' | 'restart', piece: Piece, options: Options): Expected {
    if (piece.kind === 'navigation') return no('1/navigation', 'invalid_playback_request')
    const active = word === 'play' ? this.#alreadyActive(piece) : null
    if (active !== null) return active
    if (piece.kind !== 'dmx' && !piece.there) return no('7/media-missing', 'media_file_missing')
    let run: Played | null = null
    if (piece.kind === 'dmx') this.book.lights.start(this.book.now, piece, 'itself')
    else if (piece.kind === 'image') this.book.show(piece)
    else run = this.book.start(piece, options)
    const lit = this.book.lights.of(piece)
    return {
      rule: '2.4/accepted', status: 202,
      body: () => ({
        result: 'accepted', id: piece.id, executionId: run?.id ?? null, dmxAllowed: true,
        dmxExecutionId: lit?.id ?? null,
      }),
    }
  }

  #alreadyActive(piece: Piece): Expected | null {
    const run = this.book.liveOf(piece)
    const lit = this.book.lights.of(piece)
    const shines = piece.kind === 'dmx' && lit !== null
    if (run === null && !shines && this.book.image !== piece) return null
    if (run?.state === 'fading_out') return no('3.2/play-stopping', 'execution_not_resumable')
    const resumes = run?.state === 'paused'
    if (run !== null && resumes) this.book.rise(run, fadeOf(null, piece.fadeIn, piece.mix))
    return ok(resumes ? '3.2/play-paused' : '2.6/already-active', () => ({
      result: 'already_active', id: piece.id, executionId: run?.id ?? null,
      dmxExecutionId: lit?.id ?? null,
    }))
  }

  /** D3, which run an id means: the run, or what its id is refused with, or null: it ended. */
  #meant(piece: Piece, id: unknown, word: 'pause' | 'resume' | 'stop'): Played | Expected | null {
    const run = this.known(String(id))
    if (run === null) return no('D3/id-unknown', 'execution_not_found')
    if (run.piece !== piece) return no('D3/id-other-button', 'stale_execution')
    if (run.endReason === null) return run
    if (this.book.liveOf(piece) === null) return null
    return no('D3/id-older', word === 'resume' ? 'execution_not_resumable' : 'stale_execution')
  }

  #pause(piece: Piece, body: Json): Expected {
    const run = this.#meant(piece, body['executionId'], 'pause')
    if (run === null) return no('D3/id-ended', 'execution_not_resumable')
    if ('rule' in run) return run
    const { state } = run
    const frames = fadeOf(body['fadeOutMs'], piece.fadeOut, piece.mix)
    if (state === 'starting') run.pauseWhenReady = true
    if (state === 'playing') this.book.pause(run, frames, 'command')
    const rule = state === 'playing' ? (frames > 0 ? '3.2/pause-fade' : '3.2/pause-cut')
      : state === 'fading_out' ? '3.2/stopping-keeps' : '3.2/pause-again'
    return ok(rule, () => this.#body(run))
  }

  #resume(piece: Piece, body: Json): Expected {
    const run = this.#meant(piece, body['executionId'], 'resume')
    if (run === null) return no('3.2/terminal-resume', 'execution_not_resumable')
    if ('rule' in run) return run
    const { state } = run
    if (state === 'fading_out') return no('3.2/stopping-keeps', 'execution_not_resumable')
    if (state === 'starting') run.pauseWhenReady = false
    if (state === 'pausing' || state === 'paused') {
      this.book.rise(run, fadeOf(body['fadeInMs'], piece.fadeIn, piece.mix))
    }
    const rule = state === 'pausing' ? '3.2/resume-pausing'
      : state === 'paused' ? '3.2/resume' : '3.2/resume-noop'
    return ok(rule, () => this.#body(run))
  }

  #stop(piece: Piece, body: Json): Expected {
    const { book } = this
    const id = body['executionId'] ?? null
    const meant = id === null ? book.liveOf(piece) : this.#meant(piece, id, 'stop')
    if (meant !== null && 'rule' in meant) return meant
    const told = (rule: RuleName, result: string, executionId: () => unknown): Expected =>
      ok(rule, () => ({ result, id: piece.id, executionId: executionId() }))
    if (meant === null) {
      const lit = book.lights.of(piece) !== null || book.image === piece
      const dark = id === null && lit
      if (dark && book.image === piece) book.hide()
      else if (dark) book.lights.end(book.now, piece)
      const rule = id === null ? '2.5/stop-answer' : '3.2/terminal-stop'
      return told(rule, dark ? 'stopped' : 'already_stopped', () => id)
    }
    const { state } = meant
    this.#fade(meant, body['fadeOutMs'])
    const rule = state === 'fading_out' ? '3.2/stop-again'
      : state === 'paused' ? '3.2/stop-paused' : '2.5/stop-answer'
    const result = meant.endReason === null ? 'fading_out' : 'stopped'
    return told(rule, result, () => meant.id)
  }

  #fade(run: Played, supplied: unknown): void {
    if (run.state === 'fading_out') return
    const { fadeOut, mix } = run.piece
    this.book.stop(run, fadeOf(supplied, fadeOut, mix), 'explicit_stop')
  }

  #panic(body: Json): Expected {
    const { book } = this
    let fadingOut = 0
    let stopped = 0
    for (const run of [...book.live]) {
      this.#fade(run, body['fadeOutMs'])
      if (run.endReason === null) fadingOut += 1
      else stopped += 1
    }
    if (book.image !== null) {
      book.hide()
      stopped += 1
    }
    for (const lit of [...book.lights.live]) {
      book.lights.end(book.now, lit.piece)
      stopped += 1
    }
    const result = fadingOut > 0 ? 'fading_out' : stopped > 0 ? 'stopped' : 'already_stopped'
    return ok('D/panic', () => ({ result, fadingOut, stopped }))
  }

  #sync(piece: Piece, words: SyncWords): Expected {
    const told = this.book.lights.sync(this.book.now, piece, words)
    return typeof told === 'string'
      ? no('D5/sync-refusals', told) : ok('3.5/sync-answer', () => told)
  }
}
