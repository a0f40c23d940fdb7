// The log as the daemon holds it: lines go to a process that writes them, and never block here.
//
// Node writes to a pipe, a file or a terminal synchronously, whatever stream stands before it. So
// no thread of the daemon writes to its own stdout or stderr: a process of its own does, which is
// started again where it ends, and left behind where it hangs.
import { fork, type ChildProcess } from 'node:child_process'
import type { Timers } from '../../clock/timers.js'
import { waited } from '../../clock/waiting.js'
import type { LogStatus } from '../../contract/schemas.js'
import { compiledProgram, startedProcess } from '../programs.js'
import { LogLines } from './log-lines.js'
import type { FromLogProcess, LogFormat, LogTarget, ToLogProcess } from './log-messages.js'

/** After a write that failed, or a process that ended: until the next try. */
const RETRY_MS = 1_000
/** What still waits at the end is given this long to be taken. */
const LAST_MS = 400
/**
 * A daemon that cannot start says why in its first half second, in which on a small or busy machine
 * the log process does not even run.
 */
const UP_MS = 1_900
const LOOK_MS = 5

const WARN = 40

export class LogLink {
  readonly #lines: Readonly<Record<LogTarget, LogLines>>
  #child: ChildProcess | null = null
  /** When the log process was heard of first; null: not yet. */
  #upAt: number | null = null
  #isClosed = false

  constructor(private readonly timers: Timers, private readonly format: LogFormat) {
    const lines = (target: LogTarget): LogLines => new LogLines({
      send: (text) => {
        this.#send({ target, text })
      },
      // On stdout there is one line, which other programs read: nothing else belongs there.
      lossLine: (count) => (target === 2 ? lossLine(count, timers.wallMs()) : ''),
      nowMs: () => timers.nowMs(),
    })
    this.#lines = { 1: lines(1), 2: lines(2) }
    this.#start()
  }

  /** Lines for stderr, line ends included; this is the shape of a pino destination. */
  write(text: string): void {
    this.#lines[2].add(text)
  }

  /** Lines for stdout. */
  say(text: string): void {
    this.#lines[1].add(text)
  }

  /** For `/status`: whether lines reach stderr, and how many did not. */
  status(): LogStatus {
    const { trouble, lost } = this.#lines[2]
    return { state: trouble === null ? 'ok' : 'failing', message: trouble, lost }
  }

  /** What waits is written if that can be had soon; then the log process ends. */
  async close(): Promise<void> {
    const from = this.timers.nowMs()
    const deadline = (): number =>
      this.#upAt === null ? from + UP_MS : Math.max(from, this.#upAt) + LAST_MS
    while (this.timers.nowMs() < deadline() && !this.#isWritten()) {
      await waited(this.timers, LOOK_MS)
    }
    this.#isClosed = true
    this.#child?.kill('SIGKILL')
  }

  #isWritten(): boolean {
    return [this.#lines[1], this.#lines[2]]
      .every((lines) => lines.isEmpty || lines.isStuck)
  }

  #start(): void {
    if (this.#isClosed) return
    const child = startedProcess(() => fork(compiledProgram('io/log/log-process'), [this.format], {
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'], execArgv: [], env: logEnvironment(),
    }))
    this.#child = child
    this.#upAt = null
    child.unref()
    child.channel?.unref()
    child.on('message', (message) => {
      if (this.#child === child) this.#heard(message as FromLogProcess)
    })
    const gone = (why: string): void => {
      if (this.#child !== child) return
      this.#child = null
      child.kill('SIGKILL')
      this.#ended(why)
    }
    child.on('error', (error) => {
      gone(error.message)
    })
    child.on('exit', (code, signal) => {
      gone(`the log process ended (${signal ?? `code ${String(code)}`})`)
    })
    // What is sent to none would be lost.
    if (child.pid === undefined) return
    for (const lines of [this.#lines[1], this.#lines[2]]) lines.resume()
  }

  #send(message: ToLogProcess): void {
    // A failure of the channel is followed by the process's end, which counts what was out.
    this.#child?.send(message, undefined, undefined, () => undefined)
  }

  #heard(message: FromLogProcess): void {
    this.#upAt ??= this.timers.nowMs()
    if ('isUp' in message) {
      for (const lines of [this.#lines[1], this.#lines[2]]) lines.up()
      return
    }
    const { target, failure } = message
    const lines = this.#lines[target]
    if (failure === null) {
      lines.written()
      return
    }
    lines.failed(failure)
    const child = this.#child
    this.timers.background.after(RETRY_MS, () => {
      if (this.#child === child) lines.resume()
    })
  }

  #ended(why: string): void {
    for (const lines of [this.#lines[1], this.#lines[2]]) lines.failed(why)
    this.timers.background.after(RETRY_MS, () => {
      this.#start()
    })
  }
}

const lossLine = (count: number, time: number): string => {
  const msg = `${String(count)} line${count === 1 ? '' : 's'} of this log could not be written`
  return `${JSON.stringify({ level: WARN, time, lost: count, msg })}\n`
}

const logEnvironment = (): NodeJS.ProcessEnv => {
  const environment = { ...process.env }
  delete environment['NODE_OPTIONS']
  return environment
}
