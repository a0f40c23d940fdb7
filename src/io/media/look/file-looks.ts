// Looks at files through processes that may hang: deadlines, a bound for each disk, replacement.
import { dirname } from 'node:path'
import type { Cancel, Timers } from '../../../clock/timers.js'
import { DISK_PATIENCE_MS, FRESH_MS } from '../../files/disk-patience.js'
import type { Look, Looking } from './file-look.js'

export interface LookQuestion {
  readonly id: number
  readonly path: string
}

export interface LookAnswer {
  readonly id: number
  readonly look: Look
}

/** What the looks go through: forked in production, made up in tests. */
export interface LookProcess {
  ask(question: LookQuestion): void
  kill(): void
}

/** How one ended by itself: by the system's hand, or for a reason that it wrote to stderr. */
export type LookEnd = 'killed' | 'complained'

/** Starts one; `lost` where it ended by itself. */
export type StartLooking = (
  answered: (answer: LookAnswer) => void, lost: (how: LookEnd) => void,
) => LookProcess

interface Pending {
  readonly id: number
  readonly path: string
  readonly place: Place
  /** The process that was asked; null while it waits for its turn. */
  holder: Holder | null
  readonly cancel: Cancel
  waiters: ((look: Look) => void)[]
  isLate: boolean
  /** Its process died over it or over another; the next that dies answers for it. */
  isAskedAnew: boolean
}

/** A disk where that is known, else a folder: what hangs, hangs together. */
interface Place {
  readonly name: string
  /** What is in one folder may be on several: links into a share, and files beside them. */
  readonly isDisk: boolean
  asked: number
  late: number
  readonly waiting: Set<Pending>
}

/** A look at a file that is there for sure, and what waits for its answer. */
interface Yardstick {
  readonly askedAt: number
  readonly acts: (() => void)[]
  readonly cancel: Cancel
}

/** A process and the looks that it has not answered. */
interface Holder {
  process: LookProcess | null
  readonly pending: Set<Pending>
  late: number
}

/** Looks that become late so close together share a yardstick: less than any patience. */
const TOGETHER_MS = 250
/** On a disk of this machine for sure, or nothing here would run. */
const YARDSTICK = process.execPath
/** Of the threads of a looking process: each late look keeps one until its disk is back. */
const LATE_PER_PROCESS = 32
/** Looks at one disk at a time. Where all of them are late, its other files are away at once. */
const PER_PLACE = 8
/** Processes that only wait for their disks; the oldest goes where there are more. */
const WAITING_PROCESSES = 4
const RESTART_MS = 1_000
const REMEMBERED = 20_000

const AWAY: Look = { kind: 'unavailable', message: 'its disk does not answer' }
/** No disk is at fault where the process ends by itself: each of its threads must be allowed. */
const LOST: Readonly<Record<LookEnd, Look>> = {
  killed: {
    kind: 'unavailable', message: 'too few threads (ulimit -u, TasksMax) or too little memory',
  },
  // E.g. since an upgrade, or whoever tidied up, took its program away.
  complained: {
    kind: 'unavailable', message: 'the process that looks at files ends; the log says why',
  },
}

export class FileLooks implements Looking {
  readonly #byPath = new Map<string, Pending>()
  readonly #byId = new Map<number, Pending>()
  readonly #yardsticks = new Map<number, Yardstick>()
  readonly #places = new Map<string, Place>()
  /** What each path was at its last look, and on which disk; the oldest goes first. */
  readonly #seen = new Map<string, { readonly look: Look; readonly at: number }>()
  #holder: Holder | null = null
  #waiting: Holder[] = []
  /** When one that nobody killed ended last. */
  #lostAt = Number.NEGATIVE_INFINITY
  #lost: Look = LOST.killed
  #nextId = 1
  #closed = false

  constructor(private readonly timers: Timers, private readonly start: StartLooking) {}

  /** Starts the process ahead of its first use. */
  warm(): void {
    this.#running()
  }

  /**
   * How the file is now. Answers after `patienceMs`, two seconds at most, whatever its disk does;
   * on a machine that is slow with every file, two seconds later.
   */
  look(path: string, patienceMs = DISK_PATIENCE_MS): Promise<Look> {
    const isHurried = patienceMs < DISK_PATIENCE_MS
    const pending = this.#byPath.get(path) ?? this.#ask(path, isHurried)
    if (pending === null) return Promise.resolve(this.#isLost() ? this.#lost : AWAY)
    if (pending.isLate) return Promise.resolve(AWAY)
    // A press waits for no turn: behind looks of a show that is opened it would be late by theirs.
    if (isHurried && pending.place.waiting.delete(pending)) this.#send(pending)
    return new Promise((settle) => {
      pending.waiters.push(settle)
      if (!isHurried) return
      this.timers.after(patienceMs, () => {
        if (pending.waiters.includes(settle)) this.#onceAnswering(() => settle(AWAY))
      })
    })
  }

  /** How the file was within the last two seconds, or else how it is now. */
  lookLately(path: string): Promise<Look> {
    const seen = this.#seen.get(path)
    const isFresh = seen !== undefined && this.timers.nowMs() - seen.at < FRESH_MS
    return isFresh && seen.look.kind === 'file' ? Promise.resolve(seen.look) : this.look(path)
  }

  close(): void {
    this.#closed = true
    for (const { cancel } of this.#yardsticks.values()) cancel()
    for (const { cancel, waiters } of this.#byId.values()) {
      cancel()
      for (const settle of waiters) settle(AWAY)
    }
    for (const holder of this.#waiting) holder.process?.kill()
    this.#holder?.process?.kill()
    this.#byId.clear()
    this.#byPath.clear()
  }

  /**
   * Null where so many looks of that disk are late that one more would tell nothing new. Of a
   * folder one more may: one at a time, for a press; those that nobody waits for would crawl.
   */
  #ask(path: string, isHurried: boolean): Pending | null {
    const place = this.#placeOf(path)
    const isTold = place.isDisk || !isHurried || place.asked > place.late
    if (this.#closed || (place.late >= PER_PLACE && isTold)) return null
    if (this.#isLost()) return null
    const id = this.#nextId++
    const cancel = this.timers.after(DISK_PATIENCE_MS, () => {
      this.#onceAnswering(() => {
        if (this.#byId.get(id) === pending) this.#isLateNow(pending)
      })
    })
    const pending: Pending = {
      id, path, place, holder: null, cancel, waiters: [], isLate: false, isAskedAnew: false,
    }
    this.#byPath.set(path, pending)
    this.#byId.set(id, pending)
    this.#places.set(place.name, place)
    if (place.asked < PER_PLACE || place.late >= PER_PLACE) this.#send(pending)
    else place.waiting.add(pending)
    return pending
  }

  /** One that cannot live is not started for every look. */
  #isLost(): boolean {
    return this.#holder === null && this.timers.nowMs() - this.#lostAt < RESTART_MS
  }

  /**
   * Acts once the process has answered for another file, or had two seconds for that: what is late
   * on a machine that has no time for its processes is late by no fault of its disk.
   */
  #onceAnswering(act: () => void): void {
    if (this.#closed) return
    const askedAt = this.timers.nowMs()
    const last = [...this.#yardsticks.values()].at(-1)
    if (last !== undefined && askedAt - last.askedAt < TOGETHER_MS) {
      last.acts.push(act)
      return
    }
    const id = this.#nextId++
    const cancel = this.timers.after(DISK_PATIENCE_MS, () => this.#answering(id))
    this.#yardsticks.set(id, { askedAt, acts: [act], cancel })
    this.#running().process?.ask({ id, path: YARDSTICK })
  }

  #answering(id: number): void {
    const yardstick = this.#yardsticks.get(id)
    if (yardstick === undefined) return
    this.#yardsticks.delete(id)
    yardstick.cancel()
    for (const act of yardstick.acts) act()
  }

  #send(pending: Pending): void {
    const holder = this.#running()
    pending.holder = holder
    pending.place.asked += 1
    holder.pending.add(pending)
    holder.process?.ask({ id: pending.id, path: pending.path })
  }

  /** From a process that ended: another one is asked. */
  #takeBack(pending: Pending): void {
    pending.isAskedAnew = true
    pending.holder?.pending.delete(pending)
    pending.place.asked -= 1
  }

  #placeOf(path: string): Place {
    const look = this.#seen.get(path)?.look
    const isDisk = look?.kind === 'file'
    const name = isDisk ? `disk ${look.disk}` : dirname(path)
    return this.#places.get(name) ?? { name, isDisk, asked: 0, late: 0, waiting: new Set() }
  }

  #running(): Holder {
    if (this.#holder !== null) return this.#holder
    const holder: Holder = { process: null, pending: new Set(), late: 0 }
    this.#holder = holder
    holder.process = this.start(
      ({ id, look }) => {
        const pending = this.#byId.get(id)
        if (pending === undefined) this.#answering(id)
        else this.#settle(pending, look)
      },
      (how) => {
        this.#lost = LOST[how]
        if (holder === this.#holder || this.#waiting.includes(holder)) {
          this.#lostAt = this.timers.nowMs()
        }
        const asked = [...holder.pending].filter(({ isLate, isAskedAnew }) =>
          !isLate && !isAskedAnew && !this.#closed)
        for (const pending of asked) this.#takeBack(pending)
        this.#end(holder, this.#lost)
        for (const pending of asked) this.#send(pending)
      },
    )
    return holder
  }

  /** The disk hangs: nobody waits any longer, and the look itself tells when it is back. */
  #isLateNow(pending: Pending): void {
    const { holder, place } = pending
    if (holder === null) {
      this.#forget(pending)
      tellAll(pending, AWAY)
      return
    }
    pending.isLate = true
    holder.late += 1
    place.late += 1
    tellAll(pending, AWAY)
    if (holder.late < LATE_PER_PROCESS || holder !== this.#holder) return
    this.#holder = null
    this.#waiting.push(holder)
    if (this.#waiting.length > WAITING_PROCESSES) this.#end(this.#waiting[0] as Holder)
  }

  #settle(pending: Pending, look: Look): void {
    const { holder, place } = pending
    this.#forget(pending)
    this.#remember(pending.path, look)
    tellAll(pending, look)
    if (holder !== null && holder !== this.#holder && holder.pending.size === 0) this.#end(holder)
    this.#sendNext(place)
  }

  #sendNext(place: Place): void {
    const [next] = place.waiting
    if (this.#closed || next === undefined || place.asked >= PER_PLACE) return
    place.waiting.delete(next)
    this.#send(next)
  }

  #forget(pending: Pending): void {
    const { holder, place, path, id, cancel } = pending
    cancel()
    this.#byId.delete(id)
    this.#byPath.delete(path)
    place.waiting.delete(pending)
    if (holder !== null) {
      holder.pending.delete(pending)
      place.asked -= 1
      if (pending.isLate) {
        holder.late -= 1
        place.late -= 1
      }
    }
    if (place.asked === 0 && place.waiting.size === 0) this.#places.delete(place.name)
  }

  #remember(path: string, look: Look): void {
    this.#seen.delete(path)
    this.#seen.set(path, { look, at: this.timers.nowMs() })
    if (this.#seen.size <= REMEMBERED) return
    const [oldest] = this.#seen.keys()
    if (oldest !== undefined) this.#seen.delete(oldest)
  }

  /** What it has not answered is away for those who wait; the next look asks another process. */
  #end(holder: Holder, why = AWAY): void {
    if (this.#holder === holder) this.#holder = null
    this.#waiting = this.#waiting.filter((each) => each !== holder)
    for (const pending of [...holder.pending]) {
      this.#forget(pending)
      tellAll(pending, why)
      this.#sendNext(pending.place)
    }
    holder.process?.kill()
  }
}

const tellAll = (pending: Pending, look: Look): void => {
  const { waiters } = pending
  pending.waiters = []
  for (const settle of waiters) settle(look)
}
