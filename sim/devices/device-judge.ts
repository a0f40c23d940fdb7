// Judges the sound path from outside: by what was rendered, what is heard, and what is told.
import type { OutputCallbacks, OutputStats } from '../../src/io/output/output.js'
import type { StereoBlock } from '../../src/engine/ports.js'
import { Violation } from '../oracle/judge.js'
import { LOOK_AHEAD } from '../oracle/limiter.js'
import {
  BLOCK, CAUTION, CEILING, CHANCE, FLOOR, JITTER, LATE_BY_CHANCE, LEAP_MAX, LOOK, ONE_GAP,
  READS_SEEN, SERVER_STOCK, STOCK, UNREAD,
} from './device-bounds.js'
import type { DeviceRule } from './device-rules.js'
import { HeardOrder } from './heard-order.js'
import { latenessOf, type Stall, Stalls } from './stalls.js'
import { MARGIN_LIMITS } from '../../src/io/speaker/speaker-target.js'
import { type DeviceSpec, type Listener, UNSETTLED_FRAMES } from './virtual-device.js'

interface Gap {
  readonly at: number
  /** Frames of silence, once it is over. */
  silent: number
  /** What counts it may have died on its way. */
  unsure: boolean
}

/** What is so at this moment. */
export interface Moment {
  /** The frame of the world, and of the engine. */
  readonly now: number
  readonly engine: number
  readonly stats: OutputStats
  /** A device is plugged in and takes sound; it plays. */
  readonly present: boolean
  readonly plugged: boolean
  readonly running: boolean
  /** When something happens in the engine by itself. */
  readonly due: number | null
}

export class DeviceJudge implements Listener, Omit<OutputCallbacks, 'absent'> {
  readonly order = new HeardOrder(
    () => this.#mayBeLate(), (wrong) => this.#hold('device/in-order', false, wrong))
  readonly records: string[] = []
  readonly #stalls = new Stalls()
  readonly gaps: Gap[] = []
  /** Gaps, ends of sound, devices that went: by the clock alone nothing is sure close to them. */
  readonly #troubles: number[] = []
  #underruns = 0
  #target = 0
  #frozenUntil = -Infinity
  #floor = 0
  /** Frames that were told to have come too late. */
  #lateTold = 0
  outcome: 'none' | 'back' | 'lost' = 'none'
  #sounding = false
  /** The engine's frame at which the sound began, which a device that takes nothing still has. */
  #beganAt = 0
  /** Since when each holds: nothing is late, no sound, a device that is there or not. */
  #calm = { since: 0, target: 0 }
  #silent = { since: 0, debt: 0 }
  #turnedAt = 0
  #heardAt = 0
  #presence = { is: false, since: 0 }
  /** How much was rendered at one moment. */
  #step = { now: 0, frames: 0 }
  /** Until then something is held up, or was done to the device. */
  #disturbedUntil = 0
  /** Frames that the engine is behind the clock for good; null where nobody knows. */
  #base: number | null = 0

  constructor(private readonly device: DeviceSpec | null, private readonly look: () => Moment) {}

  // What happens

  /** @param over the engine is quiet, and this block was silent. */
  rendered(block: StereoBlock, count: number, over: boolean): void {
    this.order.render(block, count, over)
    const { now, engine, stats } = this.look()
    this.#step = now === this.#step.now ? { now, frames: this.#step.frames + count }
      : { now, frames: count }
    this.#hold('device/time', this.#step.frames <= LEAP_MAX, 'it leaps over more than a second')
    if (over === this.#sounding) {
      this.#sounding = !over
      this.#turnedAt = now
      this.#troubles.push(now)
      this.#calm = { since: Math.max(now, this.#disturbedUntil), target: this.#target }
      // What is queued at a device is heard first: time stands where it is heard.
      const led = this.device !== null && stats.state === 'open' && this.order.next > 0
      const debt = now - (led ? Math.max(this.order.next, this.#beganAt) : engine)
      if (!over) this.#beganAt = engine
      this.#silent = { since: now, debt }
      // More than a second is not caught up; close to it nobody can tell, nor where the device has
      // read what a process that stood still has not told yet.
      const owed = this.#base === null ? 0 : Math.abs(debt - this.#base)
      const isKnown = owed > 51_000 && now - this.#stalls.until > CHANCE
      if (over && owed > 45_000) this.#base = isKnown ? debt : null
    }
  }

  stalls(who: Stall['who'], ms: number): void {
    const { now, due, engine } = this.look()
    const most = this.#takesBack ? SERVER_STOCK : CEILING
    const foreseen = Math.max(STOCK, Math.min(most, (due ?? Infinity) - engine))
    const bridge = this.#takesBack ? foreseen
      : Math.max(who === 'engine' ? foreseen : 0, this.#target)
    this.#stalls.add({ who, from: now, to: now + ms * 48, bridge })
    this.#disturbed(this.#stalls.until)
    // A server's estimate that settles beside a stall looks like the gap that this may have made.
    const isDoubtful = who === 'process' && 3 * ms * 48 >= this.#target && this.#unsure() > 0
    if (isDoubtful) this.gaps.push({ at: now, silent: 0, unsure: true })
  }

  /** @param before the engine's frame as the command came; it was handed over by now. */
  commanded(before: number): void {
    const { now, engine } = this.look()
    // Of many that waited together for the engine each moves it on, to a millisecond at most.
    const isHeldUp = this.#stalls.recent(now, 4_800).some(({ who }) => who === 'engine')
    this.#hold('device/prompt', this.#sounding || isHeldUp || engine > before,
      `a command of frame ${before} waits for the next step`)
  }

  /** Something was done to the device or to its process. */
  disturbed(ms: number): void {
    const { now } = this.look()
    // What died on the way to the owner cannot be counted by it; a hang is ended after a second.
    for (const gap of this.gaps) {
      if (now - Math.max(gap.at, this.#disturbedUntil) < 72_000) gap.unsure = true
    }
    this.#troubles.push(now)
    this.order.overtaken = 0
    this.#disturbed(now + ms * 48)
  }

  /** A device that stands still is silent: by the clock that may be a gap, its return another. */
  freezes(ms: number): void {
    this.disturbed(ms)
    this.#frozenUntil = Math.max(this.#frozenUntil, this.look().now + ms * 48)
    const perhaps = { at: this.look().now, silent: 0, unsure: true }
    this.gaps.push(perhaps, perhaps)
  }

  #disturbed(until: number): void {
    this.#disturbedUntil = Math.max(this.#disturbedUntil, until)
    this.#calm = { since: this.#disturbedUntil, target: this.#target }
    this.#silent.since = Infinity
  }

  opened(): void {
    this.order.opened()
    this.#floor = this.#takesBack ? MARGIN_LIMITS.floorFrames : FLOOR
    this.#record('the device is open')
  }

  closed(): void {
    this.order.closed()
    this.disturbed(0)
  }

  heard(left: number, right: number, now: number): void {
    this.order.hear(left, right)
    this.#heardAt = now
  }

  dry(): void {
    if (this.order.isOver()) return
    const { now } = this.look()
    const recent = this.#stalls.recent(now, 7_200)
    const late = latenessOf(recent, now)
    const process = latenessOf(recent.filter(({ who }) => who === 'process'), now)
    const slack = BLOCK + LOOK + CHANCE + (this.device?.stepFrames ?? 0)
    this.#record(`a gap; late by ${late}, the process by ${process}, it has ${this.#target}`)
    const bridge = Math.min(...recent.map((stall) => stall.bridge))
    const fits = this.#takesBack ? late > bridge - slack
      : (process > 0 && process > this.#target - slack) || late > Math.max(STOCK, bridge) - slack
    this.#hold('device/gap-bridged', fits,
      `a gap, the buffer is ${this.#target}; held up for ${late}, the process for ${process}`)
    const last = this.gaps.at(-1)
    const isSame = last !== undefined && now - last.at - last.silent < ONE_GAP
    if (!this.#takesBack || !isSame) this.gaps.push({ at: now, silent: 0, unsure: false })
    this.#troubles.push(now)
  }

  again(silent: number): void {
    if (this.gaps.at(-1)?.silent === 0) this.gaps.at(-1)!.silent = silent
  }

  back(): void {
    this.#hold('device/returns', this.outcome !== 'back', 'it is told twice that it is back')
    this.outcome = 'back'
    this.#record('back')
  }

  lost(message: string): void {
    this.#hold('device/lost-told', this.outcome !== 'lost', 'a loss is told twice')
    const { now, present } = this.look()
    const held = !message.includes('stopped taking') || now - this.#presence.since > 168_000
    this.#hold('device/lost-told', present || held, 'a device that pauses is told as lost at once')
    this.outcome = 'lost'
    this.#record(`lost: ${message}`)
  }

  notice(message: string): void {
    const { now, engine, stats } = this.look()
    // While a device paces a standstill is told, and no more: what it cost shows in silence.
    const isPaced = this.#sounding && this.device !== null && stats.state === 'open'
    if (message.startsWith('time leapt') && !isPaced) this.#base = now - engine
    this.#silent = { since: now, debt: now - engine }
    if (message.includes('came too late')) {
      // Told to a tenth of a millisecond. Where it was an end, more was heard than was rendered.
      this.#lateTold += (parseFloat(message) + 0.1) * 48
      this.#silent.since = Infinity
    }
    this.#record(message)
  }

  // What is so

  /** Each report: what it changed at once. */
  reported(): void {
    const { now, stats } = this.look()
    // Of one that is closed the last word stands.
    if (stats.state !== 'open') return
    const before = this.#target
    // Beyond its own buffer a device has more than the longest queue, or nothing.
    const beyond = stats.latencyFrames > CEILING ? this.device!.serverFrames : 0
    this.#target = stats.latencyFrames - beyond
    const stood = Math.max(this.#frozenUntil, this.#stalls.until)
    const mayWait = this.#takesBack && now - stood < READS_SEEN
    const isWithin = this.#target >= this.#floor - this.#unsure() &&
      this.#target <= (mayWait ? UNREAD : CEILING)
    this.#hold('device/queue-shrinks', isWithin,
      `a queue of ${this.#target}; its floor is ${this.#floor}`)
    if (stats.underruns === this.#underruns || this.device === null) return
    this.#underruns = stats.underruns
    this.#record(`underruns ${this.#underruns}, the queue is ${this.#target}`)
    if (this.device.serverFrames > 0 || before === 0) {
      if (this.#target > before && !mayWait) this.#floor = Math.max(this.#floor, this.#target)
      return
    }
    const recent = this.#stalls.recent(now, 19_200)
    const longest = Math.max(0, ...recent.map(({ from, to }) => to - from))
    const grown = Math.min(CEILING, Math.ceil(before * 1.5))
    // Where the engine was held up too, the stock may have run out: the buffer is not to blame.
    const isMixed = recent.some(({ who }) => who === 'engine') && this.#target === before
    // Of a device that stood still for long the buffer learns nothing, of one that did not it does.
    const isFrozen = now - this.#frozenUntil < 19_200 && [before, grown].includes(this.#target)
    const fits = isFrozen || (longest > 3_840 ? recent.length > 1 || this.#target === before
      : longest > 1_440 || this.#target === grown || isMixed)
    this.#hold('device/queue-grows', fits,
      `an underrun made ${this.#target} of a queue of ${before}, the stall was ${longest}`)
    if (this.#target > before) this.#floor = this.#target
  }

  get #takesBack(): boolean {
    return this.device?.takesBack === true
  }

  /** A process that was held up brings a change when the device has read what it replaces. */
  #mayBeLate(): boolean {
    const recent = this.#stalls.recent(this.look().now, 14_400)
    const isHeldUp = recent.some(({ who }) => who === 'process')
    return this.#takesBack && (isHeldUp || this.order.overtaken < LATE_BY_CHANCE)
  }

  /** Of a server's own delay there is an estimate only, which settles in the first seconds. */
  #unsure(): number {
    return this.device?.serverFrames === 0 ? 0 : UNSETTLED_FRAMES[0]!
  }

  /** Now and then. */
  judge(): void {
    const moment = this.look()
    const { now, present } = moment
    if (present !== this.#presence.is) this.#presence = { is: present, since: now }
    this.#judgeOutcome(moment)
    this.#judgeTime(moment)
    if (this.device === null) return
    this.#judgeGaps(moment)
    if (this.#sounding && moment.stats.state === 'open') this.#judgeSound(moment)
  }

  #judgeOutcome({ now, present, plugged }: Moment): void {
    const since = now - Math.max(this.#presence.since, this.#disturbedUntil)
    const gone = now - Math.max(this.#presence.since, this.#stalls.until, this.#turnedAt)
    const away = !present && gone > (plugged ? 312_000 : 144_000) && this.#sounding
    this.#hold('device/lost-told', !away || this.outcome === 'lost',
      `the device is away for ${gone} frames, and nobody says so`)
    this.#hold('device/returns', !present || since < 240_000 || this.outcome === 'back',
      'the device is there for five seconds, and nobody uses it')
  }

  #judgeTime({ now, engine }: Moment): void {
    const { since, debt } = this.#silent
    if (this.#sounding && this.device !== null) return
    if (this.#base === null || now - since < 4_800) return
    const is = Math.abs(now - engine - this.#base)
    const was = Math.abs(debt - this.#base)
    this.#hold('device/time', is <= Math.max(0, was - (now - since) / 16) + JITTER,
      `after ${now - since} frames of silence the engine is ${is} off, it was ${was}`)
  }

  #judgeGaps({ now, stats }: Moment): void {
    const settled = now - this.#disturbedUntil > 72_000
    const old = this.gaps.filter(({ at }) => settled && now - at > 72_000)
    const sure = old.filter((gap) => this.#isSure(gap)).length
    this.#hold('device/gap-counted',
      stats.underruns <= this.gaps.length && stats.underruns >= sure,
      `${stats.underruns} underruns are told of ${this.gaps.length} gaps, ${sure} long ago`)
    const { overtaken } = this.order
    this.#hold('device/late-told', !settled || overtaken <= this.#lateTold + 16,
      `${overtaken} frames sounded as they had been foreseen, ${this.#lateTold} were told as late`)
  }

  /** A server tells nothing of a gap: it is found by the clock, where all else is as it was. */
  #isSure({ at, silent, unsure }: Gap): boolean {
    if (this.device!.serverFrames === 0 || this.#takesBack) return !unsure
    return !unsure && silent > 64 &&
      this.#troubles.every((one) => one === at || one < at - 4_800 || one > at + 9_600) &&
      !this.#stalls.beganBetween(at, at + 9_600)
  }

  #judgeSound({ now, engine, stats, running, present }: Moment): void {
    const settled = now - this.#calm.since > 24_000
    this.#hold('device/sounds', !present || !settled || now - this.#heardAt < 9_600,
      `nothing was heard for ${now - this.#heardAt} frames`)
    if (!running || !settled || !present) return
    const { next, rendered } = this.order
    const bound = Math.max(this.#target, STOCK) + BLOCK + CAUTION
    this.#hold('device/queue-bound', rendered - next <= bound,
      `${rendered - next} frames are queued, the buffer is ${this.#target}`)
    const heard = next - LOOK_AHEAD - this.device!.serverFrames
    const told = engine - LOOK_AHEAD - stats.latencyFrames
    const ahead = Math.max(0, STOCK - this.#target) + CAUTION
    this.#hold('device/position', told <= heard + ahead + BLOCK,
      `${told} is told as heard, ${heard} is`)
    const calm = now - this.#calm.since > 1_056_000
    const long = Math.max(this.#floor, 384) < this.#calm.target
    const isShorter = this.#target < this.#calm.target + this.#unsure()
    this.#hold('device/queue-shrinks', !calm || !long || isShorter || this.#takesBack,
      `nothing was late for 22 s, and the queue is still ${this.#target}`)
  }

  #record(what: string): void {
    this.records.push(`${this.look().now} ${what}`)
  }

  #hold(rule: DeviceRule, holds: boolean, told: string): void {
    if (!holds) throw new Violation(rule, this.look().now, told)
  }
}
