// Keeps a sound process alive: starts it, watches it, kills one that hangs, starts the next.
import { spawn, type ChildProcess } from 'node:child_process'
import { existsSync } from 'node:fs'
import type { Readable, Writable } from 'node:stream'
import { fileURLToPath } from 'node:url'
import { settledWithin } from '../output/output-deadline.js'
import {
  HEARTBEAT_MS, isReport, type Line, type News, type Report, type SpeakerArguments,
} from './speaker-wire.js'

/** No line for this long, or a device that takes nothing while it has sound, means a hang. */
const HANG_MS = 1_000
/** Opening may take longer: sound servers start on demand. */
const OPENING_MS = 3_000
const RESTART_MS_MIN = 100
const RESTART_MS_MAX = 1_000
/** A process that lived this long was sound; the next failure starts with the shortest pause. */
const SOUND_MS = 5_000
const STOP_MS = 600
const COMPLAINT_CHARACTERS = 2_000
const LINE_CHARACTERS = 65_536

export interface LinkListener {
  opened(news: Extract<News, { kind: 'opened' }>): void
  report(report: Report): void
  /** Told again and again while the device stays away. */
  lost(message: string): void
}

/** The compiled program; a test that runs the sources finds it where the build puts it. */
export const speakerProgram = (): string => {
  const here = new URL('./speaker-process.js', import.meta.url)
  const beside = fileURLToPath(here)
  if (existsSync(beside)) return beside
  return fileURLToPath(new URL('../../dist/io/speaker/speaker-process.js', import.meta.url))
}

/** The environment without what would hang the device or change the program. */
export const speakerEnvironment = (): NodeJS.ProcessEnv => {
  const environment = { ...process.env }
  delete environment['PULSE_LATENCY_MSEC']
  delete environment['NODE_OPTIONS']
  return environment
}

export class SpeakerLink {
  private child: ChildProcess | null = null
  private restart: NodeJS.Timeout | null = null
  private watch: NodeJS.Timeout | null = null
  private pause = RESTART_MS_MIN
  private startedMs = 0
  private heardMs = 0
  private movedMs = 0
  private watchedMs = 0
  private open = false
  private last: Report = [0, 0, 0, 0]
  private partial = ''
  private complaint = ''
  private stopping = false

  constructor(
    private readonly wanted: SpeakerArguments,
    private readonly listener: LinkListener,
  ) {}

  start(): void {
    this.watchedMs = performance.now()
    this.watch = setInterval(() => { this.look() }, HEARTBEAT_MS)
    this.spawn()
  }

  /** The process's id while one lives. */
  pid(): number | null {
    return this.child?.pid ?? null
  }

  send(bytes: Uint8Array): void {
    if (!this.open) return
    this.child?.stdin?.write(bytes)
  }

  async stop(): Promise<void> {
    this.stopping = true
    this.open = false
    if (this.watch !== null) clearInterval(this.watch)
    if (this.restart !== null) clearTimeout(this.restart)
    const child = this.child
    if (child === null || child.exitCode !== null || child.signalCode !== null) return
    const gone = new Promise<void>((resolve) => { child.once('exit', () => { resolve() }) })
    child.stdin?.end()
    if (await settledWithin(gone, STOP_MS)) return
    child.kill('SIGKILL')
    await settledWithin(gone, STOP_MS)
  }

  private spawn(): void {
    this.restart = null
    this.open = false
    this.partial = ''
    this.complaint = ''
    this.startedMs = performance.now()
    this.heardMs = this.startedMs
    const child = spawn(process.execPath, [speakerProgram(), JSON.stringify(this.wanted)], {
      stdio: ['pipe', 'ignore', 'pipe', 'pipe'],
      env: speakerEnvironment(),
    })
    this.child = child
    // A process that goes away breaks its pipes; its exit tells all there is to tell.
    child.stdin?.on('error', () => undefined)
    child.stderr?.on('error', () => undefined)
    child.stderr?.on('data', (chunk: Buffer) => {
      this.complaint = (this.complaint + chunk.toString('utf8')).slice(-COMPLAINT_CHARACTERS)
    })
    const reports = child.stdio[3] as Readable & Writable
    reports.on('error', () => undefined)
    reports.on('data', (chunk: Buffer) => { if (this.child === child) this.hear(chunk) })
    // Exactly one of the two begins the next life; `close` also follows an `error` of the spawn.
    child.once('error', (error) => { this.complaint = error.message })
    child.once('close', (code, signal) => { this.ended(child, signal ?? `code ${String(code)}`) })
  }

  private hear(chunk: Buffer): void {
    this.heardMs = performance.now()
    const lines = (this.partial + chunk.toString('latin1')).split('\n')
    this.partial = lines.pop() ?? ''
    if (this.partial.length > LINE_CHARACTERS) this.fail('the sound process speaks out of turn')
    // Only the last report of a burst says what is so.
    let report: Report | null = null
    for (const text of lines) {
      const line = JSON.parse(text) as Line
      if (isReport(line)) report = line
      else this.learn(line)
    }
    if (report === null || !this.open) return
    const consumed = report[0] - report[1]
    if (consumed !== this.last[0] - this.last[1] || report[1] === 0) this.movedMs = this.heardMs
    this.last = report
    this.listener.report(report)
  }

  private learn(news: News): void {
    if (news.kind === 'opened') {
      this.open = true
      this.movedMs = this.heardMs
      this.last = [0, 0, 0, 0]
      this.listener.opened(news)
      return
    }
    this.open = false
    this.complaint = news.message
    if (!this.stopping) this.listener.lost(news.message)
  }

  /** A look that itself comes late says that we were stopped, not that the process hangs. */
  private look(): void {
    const now = performance.now()
    const late = now - this.watchedMs > 2 * HEARTBEAT_MS
    this.watchedMs = now
    if (this.child === null || late) {
      this.heardMs = now
      this.movedMs = now
      return
    }
    if (now - this.heardMs > (this.open ? HANG_MS : OPENING_MS)) {
      this.fail(this.open ? 'the sound process hangs' : 'the device hangs while it opens')
    } else if (this.open && now - this.movedMs > HANG_MS) {
      this.fail('the device stopped taking sound')
    }
  }

  private fail(message: string): void {
    this.complaint = message
    this.open = false
    this.child?.kill('SIGKILL')
    this.listener.lost(message)
    this.heardMs = performance.now()
  }

  private ended(child: ChildProcess, how: string): void {
    if (this.child !== child) return
    this.child = null
    this.open = false
    if (this.stopping) return
    const why = this.complaint.trim().split('\n').pop() ?? ''
    this.listener.lost(why === '' ? `the sound process ended (${how})` : why)
    if (performance.now() - this.startedMs > SOUND_MS) this.pause = RESTART_MS_MIN
    this.restart = setTimeout(() => { this.spawn() }, this.pause)
    this.pause = Math.min(RESTART_MS_MAX, this.pause * 2)
  }
}
