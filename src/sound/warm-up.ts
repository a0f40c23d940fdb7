// Plays a short show of its own on the virtual clock, before the first press comes.
//
// V8 compiles what has run for a while. Until then the first press of all takes 20 to 40 ms to mix
// the 120 ms that a device has in stock: of twelve daemons whose button was pressed when they had
// just become ready, five had a gap of 1 to 10 ms in its first moments. So the thread goes through
// it before, from the command to what is sent to the sound process, by the same code. Nothing of it
// leaves the thread.
import { createTimeMemory } from '../clock/shared-time.js'
import { FRAMES_PER_MS, FRAMES_PER_SECOND } from '../clock/frame.js'
import type { Timers } from '../clock/timers.js'
import { VirtualTimers } from '../clock/virtual.js'
import type { Button, Playlist } from '../engine/catalogue.js'
import { NO_OPTIONS, type Command, type Reply } from '../engine/commands/commands.js'
import type { MediaStream, OpenRequest } from '../engine/ports.js'
import type { Decoding } from '../io/media/decoder/decoder-messages.js'
import { DecodedStream } from '../io/media/media-stream.js'
import { MEDIA_DEFAULTS } from '../io/media/media-port.js'
import type { Head } from '../io/media/preroll-entry.js'
import { MARGIN_LIMITS } from '../io/speaker/speaker-target.js'
import {
  readHead, type Line, type SoundProcess, type SoundProcessListener,
} from '../io/speaker/speaker-wire.js'
import { EngineHost, type ArmingMedia, type MediaNews } from './engine-host.js'
import { OutputSwitch } from './output-switch.js'
import type { Opening } from './sound-messages.js'

/** How often the device tells what it played. */
const REPORT_MS = 2
/** Between two commands: what is in stock is all of the new sound, and reports were met. */
const APART_MS = 150
/** What passes in one turn of the thread. */
const TURN_MS = 10
/** Of the show: after four a press takes 1 to 3 ms, and 30 after none; more change nothing. */
const ROUNDS = 4
const OPENING: Opening = { sink: 'speaker', device: null, bufferMs: null }

/** What came of it. */
export interface WarmUp {
  /** To its commands, in order: the status, or why one was refused. */
  readonly answers: readonly (number | string)[]
  /** Frames that the sound process was sent for good. */
  readonly frames: number
}

/** In turns of the thread, to its end or until it is not wanted any more. */
export const warmUpInTurns = (isWanted: () => boolean): void => {
  const steps = warmUp()
  const turn = (): void => {
    if (isWanted() && steps.next().done !== true) setImmediate(turn)
  }
  setImmediate(turn)
}

/** Cut where other work may be done. */
export function* warmUp(): Generator<void, WarmUp> {
  let last: WarmUp = { answers: [], frames: 0 }
  for (let n = 0; n < ROUNDS; n += 1) last = yield* new TrialShow().play()
  return last
}

class TrialShow {
  readonly #timers = new VirtualTimers(0)
  readonly #device = new TrialDevice(this.#timers)
  readonly #replies: Reply[] = []
  readonly #host: EngineHost
  #commands = 0

  constructor() {
    const output = new OutputSwitch(OPENING, this.#timers, {
      startProcess: (_wanted, listener) => this.#device.start(listener),
      afterReading: (act) => { act() },
    })
    const setup = {
      ...OPENING, show: { title: '', playlists: [LIST] }, dmxAllowed: false,
      time: createTimeMemory(), seed: 1, record: false,
    }
    this.#host = new EngineHost(setup, {
      output, timers: this.#timers, media: (news) => new TrialMedia(news, this.#timers),
      stopped: () => undefined,
      tell: (message) => {
        if (message.kind !== 'news') return
        this.#replies.push(...message.replies.map(({ reply }) => reply))
      },
    })
  }

  *play(): Generator<void, WarmUp> {
    yield* this.#pass()
    yield* this.#carryOut({ kind: 'play', buttonId: FIRST.id, options: NO_OPTIONS })
    yield* this.#carryOut({ kind: 'play', buttonId: SECOND.id, options: NO_OPTIONS })
    const run = { buttonId: SECOND.id, executionId: this.#run() }
    yield* this.#carryOut({ kind: 'pause', ...run, fadeOutMs: null })
    yield* this.#carryOut({ kind: 'resume', ...run, fadeInMs: null })
    yield* this.#carryOut({ kind: 'stop', ...run, fadeOutMs: 0 })
    this.#host.heard({ kind: 'stop' })
    const answers = this.#replies.map((reply) => (reply.ok ? reply.status : reply.refusal.code))
    return { answers, frames: this.#device.sent }
  }

  *#carryOut(command: Command): Generator<void> {
    this.#commands += 1
    this.#host.heard({ kind: 'command', id: this.#commands, command })
    yield* this.#pass()
  }

  *#pass(): Generator<void> {
    for (let ms = 0; ms < APART_MS; ms += TURN_MS) {
      yield
      this.#timers.pass(TURN_MS)
    }
  }

  /** The run of the last start. */
  #run(): string {
    const reply = this.#replies.at(-1)
    return reply?.ok === true && 'executionId' in reply.body ? reply.body.executionId ?? '' : ''
  }
}

const LIST_ID = '00000000-0000-4000-8000-000000000000'

const buttonOf = (n: number): Button => ({
  id: `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`,
  title: '', kind: 'audio', playlistId: LIST_ID, media: String(n), startMs: 0, endMs: null,
  fadeInMs: 20, fadeOutMs: 20, fadeOutAtEnd: false, isLoopEnabled: false,
  pauseWhenReplaced: false, allowOverlap: false, gainDb: -6, dmx: null, own: null,
})
const FIRST = buttonOf(1)
const SECOND = buttonOf(2)
const LIST: Playlist = {
  id: LIST_ID, title: '', mode: 'manual', wrap: false, mixOnTransition: true, crossfadeMs: 50,
  crossfadeCurve: 'linear', buttons: [FIRST, SECOND],
}

/** A second of sound, all of it there as of an armed head; it goes with what played it. */
const headOfASecond = (): Head => ({
  pieces: [{
    at: 0, count: FRAMES_PER_SECOND,
    sound: {
      left: new Float32Array(FRAMES_PER_SECOND).fill(0.25),
      right: new Float32Array(FRAMES_PER_SECOND).fill(-0.25),
    },
  }],
  until: FRAMES_PER_SECOND, end: { end: FRAMES_PER_SECOND, source: FRAMES_PER_SECOND },
})

class TrialMedia implements ArmingMedia {
  readonly armedHeads = 0
  readonly #head = headOfASecond()

  constructor(private readonly news: MediaNews, private readonly timers: Timers) {}

  check(ticket: number): void {
    this.news.post({ kind: 'checked', ticket, found: true })
  }

  open(request: OpenRequest): MediaStream {
    const stream = new DecodedStream(request, {
      decoding: NO_DECODER, timers: this.timers, holdBytes: MEDIA_DEFAULTS.holdBytes,
      post: (fact) => { this.news.post(fact) }, released: () => undefined,
    }, () => undefined)
    stream.start(this.#head)
    return stream
  }

  setArmed(): void {
    // It has what it plays.
  }

  setImages(): void {
    // It shows none.
  }

  closeAll(): Promise<void> {
    return Promise.resolve()
  }
}

const NO_DECODER: Decoding = { decode: () => 0, want: () => undefined, drop: () => undefined }

/** Takes what it is sent, and plays it as time passes. */
class TrialDevice implements SoundProcess {
  /** Frames that it was sent; what was taken back does not count. */
  sent = 0
  private played = 0
  private listener: SoundProcessListener | null = null

  constructor(private readonly timers: Timers) {}

  start(listener: SoundProcessListener): this {
    this.listener = listener
    this.timers.after(0, () => {
      this.tell({
        kind: 'opened', mode: 'live', takesBack: true, target: MARGIN_LIMITS.startFrames,
      })
    })
    this.timers.every(REPORT_MS, () => { this.play() })
    return this
  }

  pid(): null {
    return null
  }

  send(bytes: Uint8Array): void {
    const { count, replaced } = readHead(Buffer.from(bytes.buffer, bytes.byteOffset), 0)
    this.sent += count - replaced
  }

  end(): void {
    this.kill()
  }

  kill(): void {
    this.listener?.ended('over')
    this.listener = null
  }

  private play(): void {
    const target = MARGIN_LIMITS.startFrames
    this.played = Math.min(this.sent, this.played + REPORT_MS * FRAMES_PER_MS)
    const fill = this.sent - this.played
    const kept = Math.max(0, fill - target)
    this.tell({
      taken: this.sent, fill, kept, delay: fill - kept, target, underruns: 0, late: 0,
    })
  }

  private tell(line: Line): void {
    this.listener?.heard(`${JSON.stringify(line)}\n`)
  }
}
