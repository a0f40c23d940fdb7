// The lines of a recorded night: when, what was asked for, and what became of it, in words.
import { FRAMES_PER_MS, frameText, msToFrames } from '../clock/frame.js'
import type { Show } from '../engine/catalogue.js'
import type { Command, Reply } from '../engine/commands/commands.js'
import type { EngineEvent } from '../engine/events.js'
import type { RecordedMark, RecordingHeader } from './recording.js'

type Titles = ReadonlyMap<string, string>

export const titlesOf = ({ playlists }: Show): Titles =>
  new Map(playlists.flatMap(({ buttons }) => buttons.map(({ id, title }) => [id, title])))

/** What is told comes a little late: marks say another time only from so much on. */
const LEAP_MS = 1_000

/** Each line begins with the time of day, as the clock of this machine tells it. */
export class NightLines {
  #titles: Titles
  /** The time of day at the first frame, had the machine never slept. */
  #startedMs: number
  /** Of the line before; a daemon may run for weeks. */
  #day: string
  #next = 0

  constructor(
    private readonly header: RecordingHeader, private readonly marks: readonly RecordedMark[],
    private readonly put: (line: string) => void,
  ) {
    this.#titles = titlesOf(header.show)
    this.#startedMs = new Date(header.startedAt).getTime()
    const { cartwall, show: { title } } = header
    this.#day = new Date(this.#startedMs).toDateString()
    put(`${this.#day}, ${JSON.stringify(title)}, cartwall ${cartwall}`)
  }

  event(event: EngineEvent): void {
    this.#line(event.at, eventWords(event, this.#titles))
  }

  /** Messages of an external clock come by the hundred: only refused ones are told. */
  command(at: number, command: Command): void {
    if (command.kind !== 'sync') this.#line(at, `> ${commandWords(command, this.#titles)}`)
  }

  reply(at: number, command: Command, reply: Reply): void {
    if (reply.ok) return
    const { code, message } = reply.refusal
    this.#line(at, `> ${commandWords(command, this.#titles)} refused: ${code}, ${message}`)
  }

  show(show: Show): void {
    this.#titles = titlesOf(show)
  }

  #line(at: number, words: string): void {
    const time = new Date(this.#startedAt(at) + this.#sinceStart(at))
    const day = time.toDateString()
    if (day !== this.#day) this.put(day)
    this.#day = day
    const clock = time.toTimeString().slice(0, 'HH:MM:SS'.length)
    this.put(`${clock}.${String(time.getMilliseconds()).padStart(3, '0')}  ${words}`)
  }

  #sinceStart(at: number): number {
    return Math.floor((at - this.header.origin) / FRAMES_PER_MS)
  }

  /** By the first mark at or after `at`: it was made when that was told. */
  #startedAt(at: number): number {
    while (this.#next + 1 < this.marks.length && (this.marks[this.#next]?.at ?? at) < at) {
      this.#next += 1
    }
    const mark = this.marks[this.#next]
    if (mark?.wallMs === undefined) return this.#startedMs
    const startedMs = mark.wallMs - this.#sinceStart(mark.at)
    if (Math.abs(startedMs - this.#startedMs) > LEAP_MS) this.#startedMs = startedMs
    return this.#startedMs
  }
}

/** What happened, without the moment: `Warm [2e51e9bc]: playing, at 0:00:00.000 (ready)`. */
export const eventWords = (event: EngineEvent, titles: Titles): string => {
  switch (event.kind) {
    case 'run': {
      const { state, endReason, positionMs, cause, message } = event
      const reason = endReason === null ? '' : `, ${endReason}`
      const why = message === null ? cause : `${cause}: ${message}`
      return `${runWords(event, titles)}: ${state}${reason}, at ${lengthText(positionMs)} (${why})`
    }
    case 'wrap':
      return `${runWords(event, titles)}: came round, ${String(event.passes)}`
    case 'duration':
      return `${runWords(event, titles)}: is ${lengthText(event.durationMs)} long`
    case 'image':
      return `${titleOf(event.buttonId, titles)}: ${event.shown ? 'shown' : 'gone'}`
    case 'dmx': {
      const { buttonId, dmxExecutionId: executionId, change, positionMs } = event
      return `lights of ${runWords({ buttonId, executionId }, titles)}: ${change}, `
        + `at ${lengthText(positionMs)}`
    }
    case 'output':
      return `sound output ${event.available ? 'back' : 'lost'}${because(event.message)}`
    case 'catalogue':
      return `show ${event.change}${because(event.message)}`
    case 'notice': {
      const { buttonId, message } = event
      return buttonId === null ? message : `${titleOf(buttonId, titles)}: ${message}`
    }
  }
}

const because = (message: string | null): string => (message === null ? '' : `: ${message}`)

/** `pause Warm [2e51e9bc] fadeOutMs=500`: what was left out is not named. */
const commandWords = (command: Command, titles: Titles): string => {
  switch (command.kind) {
    case 'panic':
      return `stop all${given({ fadeOutMs: command.fadeOutMs })}`
    case 'play':
    case 'restart': {
      const { kind, buttonId, options } = command
      const { externalSequencing, ...others } = options
      const own = { ...others, externalSequencing: externalSequencing ? true : null }
      return `${kind} ${titleOf(buttonId, titles)}${given(own)}`
    }
    case 'pause':
    case 'resume':
    case 'stop':
    case 'sync': {
      const { kind, buttonId, executionId, ...others } = command
      const run = executionId === null ? '' : ` ${shortOf(executionId)}`
      return `${kind} ${titleOf(buttonId, titles)}${run}${given(others)}`
    }
  }
}

const given = (options: object): string =>
  Object.entries(options)
    .filter(([, value]) => value !== null)
    .map(([name, value]) => ` ${name}=${String(value)}`)
    .join('')

const runWords = (
  { buttonId, executionId }: { readonly buttonId: string; readonly executionId: string },
  titles: Titles,
): string => `${titleOf(buttonId, titles)} ${shortOf(executionId)}`

/** Titles may be empty, and a button may have left the show. */
const titleOf = (buttonId: string, titles: Titles): string => {
  const title = titles.get(buttonId) ?? ''
  return title === '' ? buttonId : title
}

/** Enough of an id to tell the runs of a night apart. */
const shortOf = (executionId: string): string => `[${executionId.slice(0, 8)}]`

const lengthText = (ms: number): string => frameText(msToFrames(ms))
