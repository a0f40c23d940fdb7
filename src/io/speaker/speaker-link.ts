// Keeps a sound process alive: starts it, watches it, kills one that hangs, starts the next.
import type { Cancel, Timers } from '../../clock/timers.js'
import { BackOff, settledWithin } from '../../clock/waiting.js'
import { OTHER_PATCH } from './addon-patch.js'
import {
  HEARTBEAT_MS, isReport, type Line, type News, type Report, type SoundProcess,
  type SpeakerArguments, type StartSoundProcess,
} from './speaker-wire.js'

/** No line for this long, or a device that takes nothing while it has sound: told as a pause. */
const PAUSED_MS = 1_000
/** What pauses (USB that hiccups, a sound server that stands still) is waited for so long. */
const HANG_MS = 5_000
const PAUSED = `the device takes no sound; what sounds is held for ${HANG_MS / 1_000} s`
const NOT_REALTIME = 'this user may not have real-time scheduling: on a busy machine the sound may '
  + 'break; docs/install.md, "Before the evening", tells how to allow it'
/** Opening may take longer: sound servers start on demand. */
const OPENING_MS = 3_000
/** A machine with much else to do needs seconds to load a process; the next would take as long. */
const LOADING_MS = 20_000
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
  /** The device would not open, or its process ended. Told again and again while it stays away. */
  lost(message: string): void
  /** Its process hung, say, and was killed: the device is tried anew, and may well be there. */
  killed(message: string): void
  /** What people should know, e.g. that the device takes nothing for now; it is not lost yet. */
  notice(message: string): void
}

export class SpeakerLink {
  private process: SoundProcess | null = null
  private restart: Cancel | null = null
  private watch: Cancel | null = null
  private readonly pause = new BackOff(RESTART_MS_MIN, RESTART_MS_MAX)
  private startedMs = 0
  private heardMs = 0
  private movedMs = 0
  private watchedMs = 0
  /** It is loaded, and speaks. */
  private isUp = false
  private open = false
  /** Frames consumed when it was told last. */
  private consumed = 0
  private isPaused = false
  /** What each process says anew. */
  private readonly toldOnce = new Set<string>()
  /** It came as far as to its device. */
  private hasLoaded = false
  /** Why the one after it did not, as told last; null before any device was open. */
  private toldUnloaded: string | null = null
  /** We killed the process, and told why. */
  private isKilled = false
  /** The last one took nothing any more: the next one is open once it took silence. */
  private isDoubted = false
  private partial = ''
  private complaint = ''
  private stopping = false
  private goneNow: (() => void) | null = null

  constructor(
    private readonly wanted: (isDoubted: boolean) => SpeakerArguments,
    private readonly listener: LinkListener,
    private readonly timers: Timers,
    private readonly startProcess: StartSoundProcess,
  ) {}

  start(): void {
    this.watchedMs = this.timers.nowMs()
    this.watch = this.timers.every(HEARTBEAT_MS, () => { this.look() })
    this.spawn()
  }

  /** The process's id while one lives. */
  pid(): number | null {
    return this.process?.pid() ?? null
  }

  send(bytes: Uint8Array): void {
    if (!this.open) return
    this.process?.send(bytes)
  }

  async stop(): Promise<void> {
    this.stopping = true
    this.open = false
    this.watch?.()
    this.restart?.()
    const { process } = this
    if (process === null) return
    const gone = new Promise<void>((resolve) => { this.goneNow = resolve })
    process.end()
    if (await settledWithin(this.timers, gone, STOP_MS)) return
    process.kill()
    await settledWithin(this.timers, gone, STOP_MS)
  }

  private spawn(): void {
    this.restart = null
    this.isUp = false
    this.hasLoaded = false
    this.open = false
    this.isKilled = false
    this.partial = ''
    this.complaint = ''
    this.startedMs = this.timers.nowMs()
    this.heardMs = this.startedMs
    const isPresent = (): boolean => this.process === process
    // What one that was given up had written before is read after it: it is open no more.
    const counts = (): boolean => isPresent() && !this.isKilled && !this.stopping
    const process: SoundProcess = this.startProcess(this.wanted(this.isDoubted), {
      heard: (text) => { if (counts()) this.hear(text) },
      complained: (text) => {
        if (isPresent()) this.complaint = (this.complaint + text).slice(-COMPLAINT_CHARACTERS)
      },
      ended: (how) => { if (isPresent()) this.ended(how) },
    })
    this.process = process
  }

  private hear(text: string): void {
    this.heardMs = this.timers.nowMs()
    this.isUp = true
    const lines = (this.partial + text).split('\n')
    this.partial = lines.pop() ?? ''
    if (this.partial.length > LINE_CHARACTERS) {
      this.fail('the sound process speaks out of turn')
      return
    }
    // Only the last report of a burst says what is so.
    let report: Report | null = null
    for (const written of lines) {
      const line = JSON.parse(written) as Line
      if (isReport(line)) report = line
      else this.learn(line)
    }
    if (report === null || !this.open) return
    const consumed = report.taken - report.fill
    if (consumed !== this.consumed || report.fill === 0) {
      this.movedMs = this.heardMs
      this.isPaused = false
    }
    this.consumed = consumed
    this.listener.report(report)
  }

  private tellOnce(notice: string): void {
    if (!this.toldOnce.has(notice)) this.listener.notice(notice)
    this.toldOnce.add(notice)
  }

  private learn(news: News): void {
    if (news.kind === 'started') {
      this.hasLoaded = true
      return
    }
    if (news.kind === 'not_realtime') return this.tellOnce(NOT_REALTIME)
    if (news.kind === 'other_patch') return this.tellOnce(OTHER_PATCH)
    if (news.kind === 'opened') {
      this.open = true
      this.hasLoaded = true
      this.toldUnloaded = ''
      // What it met on the way says nothing of an end hours later.
      this.complaint = ''
      this.isDoubted = false
      this.isPaused = false
      this.movedMs = this.heardMs
      this.consumed = 0
      this.listener.opened(news)
      return
    }
    this.open = false
    this.complaint = news.message
    this.listener.lost(news.message)
  }

  /** A look that itself comes late says that we were stopped, not that the process hangs. */
  private look(): void {
    const now = this.timers.nowMs()
    const late = now - this.watchedMs > 2 * HEARTBEAT_MS
    this.watchedMs = now
    if (this.process === null || late) {
      this.heardMs = now
      this.movedMs = now
      return
    }
    const unheardMs = now - this.heardMs
    if (!this.open) {
      if (this.isUp && unheardMs > OPENING_MS) this.fail('the device hangs while it opens')
      if (!this.isUp && unheardMs > LOADING_MS) this.fail('the sound process does not start')
      return
    }
    const pausedMs = Math.max(unheardMs, now - this.movedMs)
    if (pausedMs > HANG_MS) {
      this.isDoubted = true
      // The process waits in a call to the device, or stands still itself: nobody can tell.
      this.fail(unheardMs > HANG_MS ? 'the sound process hangs' : 'the device stopped taking sound')
    } else if (pausedMs > PAUSED_MS && !this.isPaused) {
      this.isPaused = true
      this.listener.notice(PAUSED)
    }
  }

  private fail(message: string): void {
    this.complaint = message
    this.open = false
    this.isKilled = true
    this.process?.kill()
    this.listener.killed(message)
    this.heardMs = this.timers.nowMs()
  }

  private ended(how: string): void {
    this.process = null
    this.open = false
    this.goneNow?.()
    if (this.stopping) return
    const why = reasonOf(this.complaint)
    if (!this.isKilled) this.listener.lost(why === '' ? `the sound process ended (${how})` : why)
    if (!this.isKilled && !this.hasLoaded && why !== '') this.tellUnloaded(why)
    if (this.timers.nowMs() - this.startedMs > SOUND_MS) this.pause.restart()
    this.restart = this.timers.after(this.pause.nextMs(), () => { this.spawn() })
  }

  /** That the device was lost is told; that it cannot come back, e.g. after an upgrade, is news. */
  private tellUnloaded(why: string): void {
    if (this.toldUnloaded === null || this.toldUnloaded === why) return
    this.toldUnloaded = why
    this.listener.notice(`the sound process does not load: ${why}`)
  }
}

/** The last line; of a crash of Node, which ends in a stack and Node's version, the error. */
const reasonOf = (complaint: string): string => {
  const lines = complaint.trim().split('\n')
  const last = lines.at(-1) ?? ''
  if (!/^Node\.js v/.test(last)) return last
  return lines.findLast((line) => /^\w*Error\b/.test(line)) ?? ''
}
