// Decodes, alone and many to one ffmpeg, through anything that may become of these: they are slow,
// hang, are killed, cannot be started, meet files that are damaged, mute, padded, or change their
// format; what is decoded is dropped meanwhile. Whatever comes, who waits hears the frames of its
// own file from its place on, each once, then once how it ended, and that is a failure for a reason
// alone; in the end no process is left and nobody waits.
import type * as childProcess from 'node:child_process'
import { EventEmitter } from 'node:events'
import { expect, it, vi } from 'vitest'
import { diceOf, type Dice } from '../../../sim/scenario/random.js'
import { frame } from '../../../src/clock/frame.js'
import { VirtualTimers } from '../../../src/clock/virtual.js'
import { BackgroundDecodes } from '../../../src/io/media/decoder/background-decodes.js'
import { DecoderJob } from '../../../src/io/media/decoder/decoder-job.js'
import type { DecodeRequest, JobMessage } from '../../../src/io/media/decoder/decoder-messages.js'
import type { Look } from '../../../src/io/media/look/file-look.js'
import type { ProbeAnswer } from '../../../src/io/media/probe/probe-file.js'
import { eachSeed } from '../../each-seed.js'
import { known, VIDEO } from './decoder-rig.js'
import { ModelFfmpeg, soundOf, type ModelFile } from './model-ffmpeg.js'

vi.hoisted(() => vi.resetModules())

const SEEDS = 20
const KINDS: readonly Omit<ModelFile, 'number'>[] = [
  { kind: 'sound', frames: 300, padding: 0, place: 0 },
  { kind: 'sound', frames: 9_000, padding: 0, place: 0 },
  // Longer than a message of decoded sound, and sought in.
  { kind: 'sound', frames: 180_000, padding: 0, place: 0 },
  { kind: 'sound', frames: 5_000, padding: 900, place: 0 },
  { kind: 'changing', frames: 8_000, padding: 0, place: 3_001 },
  { kind: 'changing', frames: 150_000, padding: 0, place: 120_000 },
  { kind: 'damaged', frames: 6_000, padding: 0, place: 2_000 },
  { kind: 'mute', frames: 4_000, padding: 0, place: 0 },
]
const files = new Map(KINDS.map((file, number) => [`/m/${number}`, { ...file, number }]))
const sounds = new Map([...files].map(([path, file]) => [path, soundOf(file)]))
const MUTE = '/m/7'
const PATHS = [...files.keys(), '/m/missing']

let dice: Dice
let running: ModelFfmpeg[]
/** Files whose ffmpeg was killed, hung or could not be started, or whose probe hung. */
let struck: Set<string>
let canStart: boolean
vi.mock('node:child_process', async (original) => ({
  ...(await original<typeof childProcess>()),
  spawn: (_file: string, args: readonly string[]) => {
    const ffmpeg = new ModelFfmpeg(args, { files, sounds }, dice)
    if (!canStart) {
      for (const path of ffmpeg.paths) struck.add(path)
      const none = Object.assign(new EventEmitter(), { stdio: [], kill: () => false })
      setImmediate(() => none.emit('error', new Error('spawn EMFILE')))
      return none
    }
    running.push(ffmpeg)
    return ffmpeg
  },
}))
vi.mock('prism-media', () => ({
  default: { FFmpeg: { getInfo: () => ({ command: 'ffmpeg', version: '6.1.1' }) } },
}))

interface Heard {
  readonly request: DecodeRequest
  at: number
  end: JobMessage | null
  isDropped: boolean
}

class Play {
  readonly #timers = new VirtualTimers(0)
  readonly #background: BackgroundDecodes
  readonly #heard = new Map<number, Heard>()
  readonly #jobs = new Map<number, DecoderJob>()
  readonly #faults: string[] = []
  #laters: (() => void)[] = []
  #overs = 0

  constructor(seed: number) {
    dice = diceOf(seed)
    running = []
    struck = new Set()
    canStart = true
    this.#background = new BackgroundDecodes({
      timers: this.#timers, looks: this.#looks,
      factsOf: async (path) => {
        const answer = await this.#factsOf(path)
        return answer.ok ? answer.facts : null
      },
      send: (message, taken) => {
        this.#hear(message)
        this.#laters.push(taken)
      },
      isBusy: () => [...this.#jobs.values()].some(({ isAwaited }) => isAwaited),
      decodeAlone: (job, request, send, over) => this.#alone(job, request, send, over),
    })
  }

  async go(steps: number): Promise<void> {
    for (let n = 0; n < steps; n += 1) {
      this.#act()
      await this.#pass(dice.pick([0, 1, 20, 200]))
    }
    canStart = true
    const isWaiting = (): boolean =>
      [...this.#heard.values()].some(({ end, isDropped }) => end === null && !isDropped)
    for (let n = 0; n < 3_000 && isWaiting(); n += 1) {
      this.#wantMore()
      await this.#pass(20)
    }
    for (let n = 0; n < 50; n += 1) await this.#pass(20)
    for (const one of this.#heard.values()) this.#judge(one)
    const left = running.filter(({ hasExited }) => !hasExited)
    expect([left.length, this.#jobs.size, this.#overs, this.#timers.size]).toEqual([0, 0, 0, 0])
  }

  #act(): void {
    const act = dice.whole(0, 9)
    const ffmpeg = running.filter(({ hasExited }) => !hasExited).at(-1)
    if (act <= 1) for (let n = dice.whole(1, 8); n > 0; n -= 1) this.#begin(true)
    else if (act <= 3) this.#begin(false)
    else if (act === 4) {
      // The oldest that are open are those that are at work.
      const open = [...this.#heard].filter(([, { end, isDropped }]) => end === null && !isDropped)
      const [job, one] = open[dice.whole(0, 5)] ?? []
      if (job === undefined || one === undefined) return
      one.isDropped = true
      this.#jobs.get(job)?.drop()
      this.#background.drop(job)
    } else if (act <= 6) this.#wantMore()
    else if (act === 7) canStart = dice.chance(0.7)
    else if (ffmpeg !== undefined && dice.chance(0.3)) {
      for (const path of ffmpeg.paths) struck.add(path)
      if (dice.chance(0.5)) ffmpeg.isHung = true
      else ffmpeg.strike()
    }
  }

  #begin(background: boolean): void {
    const path = dice.pick(PATHS)
    const from = dice.pick([0, 0, 7, 2_000, 100_000])
    const length = dice.pick([1, 500, 4_000, 60_000])
    const to = background || dice.chance(0.4) ? from + length : null
    const job = this.#heard.size + 1
    // A head is asked for as a whole.
    const until = background && to !== null ? to : from + 2_000
    // One that goes on where another has come to.
    const goesOn = from <= (files.get(path)?.frames ?? 0) && dice.chance(0.5)
    const origin = goesOn ? Math.max(0, from - 1_500) : from
    const request = { path, origin, from, to, until, background }
    this.#heard.set(job, { request, at: from, end: null, isDropped: false })
    if (background) this.#background.add(job, request)
    else {
      this.#jobs.set(job, this.#alone(job, request, (message) => this.#hear(message), () => {
        this.#jobs.delete(job)
      }))
    }
  }

  #alone(
    job: number, request: DecodeRequest, send: (message: JobMessage) => void, over: () => void,
  ): DecoderJob {
    this.#overs += 1
    const around = { timers: this.#timers, looks: this.#looks, send,
      factsOf: (path: string) => this.#factsOf(path) }
    const one = new DecoderJob(job, request, around, () => {
      this.#overs -= 1
      over()
    })
    void one.run()
    return one
  }

  #wantMore(): void {
    for (const [job, one] of this.#jobs) one.want(this.#heard.get(job)!.at + 30_000)
  }

  readonly #looks = { lookLately: (path: string) => this.#later((): Look => {
    const file = files.get(path)
    return file === undefined ? { kind: 'missing', message: 'gone' } : {
      kind: 'file', stamp: 's', disk: 1, own: null, isMp4: file.padding > 0, seeking: 'exact',
      type: file.kind === 'mute' ? 'video/mp4' : '',
    }
  }) }

  async #factsOf(path: string): Promise<ProbeAnswer> {
    const { kind, frames, padding } = files.get(path)!
    const askedAt = this.#timers.nowMs()
    // A probe may take longer than all of a decode, and than anybody waits for one.
    for (let n = dice.pick([0, 1, 15]); n > 0; n -= 1) await this.#later(() => undefined)
    if (this.#timers.nowMs() - askedAt > 2_000) struck.add(path)
    return this.#later(() => known({
      duration: frame(frames), soundEnd: padding > 0 ? frame(frames) : null,
      ...kind === 'mute' ? { audio: null, video: VIDEO } : {},
    }))
  }

  #later<T>(answer: () => T): Promise<T> {
    return new Promise((resolve) => this.#laters.push(() => resolve(answer())))
  }

  #hear(message: JobMessage): void {
    const one = this.#heard.get(message.job)!
    const { request: { path, background }, at } = one
    const told = `${message.kind} of ${message.job}, ${path} from ${one.request.from}`
    // What was on its way may come after a drop.
    if (one.isDropped && !background) this.#faults.push(`${told}, which was dropped`)
    if (one.end !== null) this.#faults.push(`${told}, which ended`)
    if (message.kind === 'pcm') {
      const { number } = files.get(path)!
      const { left, right } = message
      const wrong = left.findIndex((sample, n) => sample !== at + n || right[n] !== number)
      if (wrong >= 0) this.#faults.push(`${told}: ${left[wrong]} at ${at + wrong}`)
      one.at += left.length
    } else if (message.kind === 'silence') {
      if (path !== MUTE || at !== one.request.from) this.#faults.push(told)
      one.at += message.count
    } else one.end = message
  }

  #judge({ request: { path, from, to }, at, end, isDropped }: Heard): void {
    if (isDropped) return
    const file = files.get(path)
    const told = [path, from, to, end?.kind]
    if (end?.kind !== 'done') {
      const { kind = 'missing', place = 0 } = file ?? {}
      const isHurt = kind === 'damaged' && (to === null || to > place)
      expect([...told, kind === 'missing' || isHurt || struck.has(path)]).toEqual([...told, true])
      return
    }
    const { frames, kind, place } = file!
    const last = Math.max(from, Math.min(to ?? Infinity, frames))
    if (kind === 'damaged') expect(at).toBeLessThanOrEqual(Math.max(from, Math.min(last, place)))
    else {
      expect([...told, at, end.end]).toEqual([...told, last, last])
      expect([null, frames]).toContain(end.source)
    }
  }

  async #pass(ms: number): Promise<void> {
    this.#timers.pass(ms)
    for (const ffmpeg of running) if (dice.chance(0.7)) ffmpeg.goOn()
    const laters = this.#laters
    this.#laters = []
    for (const act of laters) {
      if (dice.chance(0.6)) act()
      else this.#laters.push(act)
    }
    for (let n = 0; n < 2; n += 1) await new Promise((resolve) => setImmediate(resolve))
    const atWork = running.filter(({ hasExited }) => !hasExited)
    expect([this.#faults, atWork.length <= this.#jobs.size + 3]).toEqual([[], true])
    const wanted = new Set([...this.#heard.values()]
      .filter(({ end, isDropped }) => end === null && !isDropped)
      .map(({ request }) => request.path))
    const forNobody = atWork.filter(({ paths }) => !paths.some((path) => wanted.has(path)))
    expect(forNobody.map(({ paths }) => paths)).toEqual([])
  }
}

it('each hears its own frames, then its end, and no process is left', () =>
  eachSeed(SEEDS, (seed) => new Play(seed).go(40)), 120_000)
