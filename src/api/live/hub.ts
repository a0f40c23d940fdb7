// GET /api/v1/live: numbers what changes, tells every page of it, and answers what pages ask.
import { randomBytes } from 'node:crypto'
import type { Cancel, Timers } from '../../clock/timers.js'
import { HEAD_BYTES, writeLevels, writeLights } from '../../contract/live-frames.js'
import {
  LIVE, LIVE_CLOSE, type LiveChange, type LiveEvent, type LiveMessage, type LiveParts, type LiveRun,
  type PageMessage, type PageWant,
} from '../../contract/live.js'
import type { LiveNews } from '../../engine/live-port.js'
import { told } from '../events/event-text.js'
import { FairShare } from '../wire/fair-share.js'
import { Page, type PageSocket } from './page.js'
import type { LiveSource, LiveTags } from './source.js'
import { Stages } from './stages.js'

/** How often each page is looked after; `LIVE.pingMs` and `LIVE.deadMs` are met within this. */
const LOOK_MS = 1_000
/** What stages report is told so often at most: to each page all of it, whoever floods it. */
const STAGES_MS = 200
/**
 * Changes of the ETags, and of who is armed, are told so often while files are looked into: a bit
 * less than LOOK_MS, whose look may come early by some of it, and would find nothing to do.
 */
const TAGS_MS = 900
const SECOND_MS = 1_000
/** How long a page may take to go when the service ends. */
const LAST_MS = 300

type Parts = Omit<LiveParts, 'runs'>

/** The last change that a page says it saw. */
export interface Seen {
  readonly boot: string
  readonly n: number
}

export class LiveHub {
  readonly #boot = randomBytes(8).toString('hex')
  readonly #pages = new FairShare<Page>(LIVE.sockets)
  readonly #stages: Stages
  readonly #unfollow: () => void
  /** The live runs and the other parts as they were told last, each as its JSON. */
  readonly #runs = new Map<string, string>()
  readonly #parts = new Map<keyof Parts, string>()
  #n = 0
  /** Something happened that was told to nobody, because no page was there. */
  #hasUntold = false
  #ids = 0
  #tags: LiveTags
  #tagsAt = 0
  #endUpkeep: Cancel | null = null
  #stagesAt = Number.NEGATIVE_INFINITY
  /** What was reported since then is told soon; null: nothing was. */
  #endStages: Cancel | null = null
  #isMetering = false
  #endLights: Cancel | null = null
  /** The entries of the lights that were sent last; null: they are sent whatever they are. */
  #look: Uint8Array | null = null
  #lookAt = 0

  constructor(private readonly source: LiveSource, private readonly timers: Timers) {
    this.#stages = new Stages(timers)
    this.#tags = source.tags()
    this.#note(source.engine.parts())
    this.#unfollow = source.engine.follow((news) => this.#happened(news))
  }

  get isEmpty(): boolean {
    return this.#pages.size === 0
  }

  /** Whether one more page of this address may come: one of another may have to go for it. */
  makesRoomFor(address: string): boolean {
    return this.#pages.makeRoomFor(address, (page) => {
      page.close(LIVE_CLOSE.tryAgainLater, 'too many pages of your address: come back later')
      this.#gone(page)
    })
  }

  /**
   * A page that has shaken hands. `seen` is what the address that it opened named; null: nothing.
   * @param address whose page it is.
   */
  open(socket: PageSocket, seen: Seen | null, address = ''): void {
    this.#ids += 1
    const page = new Page(`${this.#boot}-${this.#ids}`, socket, {
      heard: (from, message) => this.#hear(from, message),
      gone: (from) => this.#gone(from),
    }, this.timers)
    // What the daemon learnt since the last look belongs to the state, not after it: a page that
    // has just read /show would read it once more for a tag that was already old.
    this.#tagsAt = Number.NEGATIVE_INFINITY
    if (this.isEmpty) this.#catchUp()
    else this.refresh()
    const parts = this.#all()
    const { version } = this.source
    const { boot, n } = { boot: this.#boot, n: this.#n }
    const missed = seen === null ? null : seen.boot !== boot || seen.n !== n
    const at = this.source.engine.present().frame
    const { show } = parts
    page.send(textOf({ kind: 'hello', protocol: LIVE.subprotocol, version, boot, show }))
    page.send(textOf({ kind: 'state', n, at, missed, ...parts }))
    this.#pages.add(page, address)
    this.#endUpkeep ??= this.timers.background.every(LOOK_MS, () => this.#lookAfter())
  }

  /** The surroundings may have changed: tells what did. */
  refresh(): void {
    this.#tell(this.source.engine.present().frame, [], [])
  }

  /** The end of the service: told, then every connection is closed in order. */
  close(): void {
    this.#unfollow()
    this.#tell(this.source.engine.present().frame, [
      { name: 'service', data: { state: 'shutting_down' } },
    ], [])
    this.#endUpkeep?.()
    this.#endStages?.()
    for (const page of this.#pages) {
      page.close(LIVE_CLOSE.goingAway, 'the service ends', LAST_MS)
    }
  }

  #happened({ at, events, runs }: LiveNews): void {
    // With no page to hear it nothing is worked out: all is compared when the next one comes.
    if (this.isEmpty) this.#hasUntold ||= events.length > 0
    else this.#tell(at, events.map(told), runs)
  }

  #all(): LiveParts {
    return { ...this.source.engine.parts(), stages: this.#stages.list(), ...this.#tags }
  }

  #tell(at: number, events: readonly LiveEvent[], touched: readonly LiveRun[]): void {
    if (this.isEmpty) return
    const runs = touched.filter((run) => this.#differs(run))
    const parts = this.#changedParts()
    if (events.length + runs.length === 0 && Object.keys(parts).length === 0) return
    this.#n += 1
    const change: LiveChange = { kind: 'change', n: this.#n, at, events, runs, ...parts }
    this.#toAll(textOf(change))
  }

  /** What happened while no page was there is one change: nobody hears of it, but it counts. */
  #catchUp(): void {
    const { runs } = this.source.engine.parts()
    const live = new Set(runs.map(({ executionId }) => executionId))
    const gone = [...this.#runs.keys()].filter((executionId) => !live.has(executionId))
    for (const executionId of gone) this.#runs.delete(executionId)
    const changed = runs.filter((run) => this.#differs(run))
    const parts = this.#changedParts()
    if (gone.length + changed.length > 0 || Object.keys(parts).length > 0) this.#hasUntold = true
    if (this.#hasUntold) this.#n += 1
    this.#hasUntold = false
  }

  #toAll(text: Buffer): void {
    for (const page of this.#pages) page.send(text)
  }

  /** Supply that came, and the like, is nothing that a page sees. */
  #differs(run: LiveRun): boolean {
    const text = JSON.stringify(run)
    if (this.#runs.get(run.executionId) === text) return false
    if (run.endReason === null) this.#runs.set(run.executionId, text)
    else this.#runs.delete(run.executionId)
    return true
  }

  #changedParts(): Partial<Parts> {
    this.#lookAtTags()
    const parts: Parts = this.#all()
    const changed = Object.entries(parts).filter(([name, part]) => {
      // Runs are told one by one.
      if (name === 'runs') return false
      const text = JSON.stringify(part)
      if (this.#parts.get(name as keyof Parts) === text) return false
      this.#parts.set(name as keyof Parts, text)
      return true
    })
    return Object.fromEntries(changed)
  }

  #lookAtTags(): void {
    if (this.timers.nowMs() - this.#tagsAt < TAGS_MS) return
    this.#tagsAt = this.timers.nowMs()
    this.#tags = this.source.tags()
  }

  /** What there is at the beginning is no change. */
  #note({ runs }: Pick<LiveParts, 'runs'>): void {
    for (const run of runs) this.#differs(run)
    this.#changedParts()
  }

  #hear(page: Page, message: PageMessage): void {
    switch (message.kind) {
      case 'time':
        page.send(textOf({ kind: 'time', id: message.id, ...this.source.engine.present() }))
        return
      case 'want':
        this.#want(page, message)
        return
      case 'stage':
        this.#stages.report(page.id, message.report)
        this.#tellStages()
        return
    }
  }

  #tellStages(): void {
    if (this.#endStages !== null) return
    const dueMs = this.#stagesAt + STAGES_MS - this.timers.nowMs()
    if (dueMs <= 0) {
      this.#stagesAt = this.timers.nowMs()
      this.refresh()
      return
    }
    this.#endStages = this.timers.background.after(dueMs, () => {
      this.#endStages = null
      this.#tellStages()
    })
  }

  #gone(page: Page): void {
    this.#pages.delete(page)
    this.#stages.gone(page.id)
    this.#wanted()
    this.#tellStages()
    if (this.#pages.size > 0) return
    this.#endUpkeep?.()
    this.#endUpkeep = null
    this.#endStages?.()
    this.#endStages = null
  }

  #lookAfter(): void {
    for (const page of this.#pages) page.look()
    this.refresh()
  }

  #want(page: Page, { levels, lights }: PageWant): void {
    page.wantsLevels = levels ?? page.wantsLevels
    page.wantsLights = lights ?? page.wantsLights
    // A page that comes to the lights is told how they stand now.
    if (lights === true) this.#look = null
    this.#wanted()
  }

  /** Nothing is measured and nothing worked out while nobody asks for it. */
  #wanted(): void {
    const pages = [...this.#pages]
    this.#meter(pages.some((page) => page.wantsLevels))
    if (pages.some((page) => page.wantsLights)) {
      const everyMs = SECOND_MS / LIVE.lightsPerSecond
      this.#endLights ??= this.timers.every(everyMs, () => this.#lookAtLights())
    } else {
      this.#endLights?.()
      this.#endLights = null
    }
  }

  #meter(wanted: boolean): void {
    if (wanted === this.#isMetering) return
    this.#isMetering = wanted
    this.source.meter(wanted ? (levels) => {
      const bytes = writeLevels(levels)
      for (const page of this.#pages) if (page.wantsLevels) page.sendFrame(bytes)
    } : null)
  }

  #lookAtLights(): void {
    const bytes = writeLights(this.source.look())
    const look = bytes.subarray(HEAD_BYTES)
    const isSame = this.#look !== null && Buffer.compare(look, this.#look) === 0
    if (isSame && this.timers.nowMs() - this.#lookAt < SECOND_MS) return
    this.#look = look
    this.#lookAt = this.timers.nowMs()
    for (const page of this.#pages) if (page.wantsLights) page.sendFrame(bytes)
  }
}

const textOf = (message: LiveMessage): Buffer => Buffer.from(JSON.stringify(message))
