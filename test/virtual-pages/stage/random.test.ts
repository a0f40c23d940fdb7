// The stage through anything that may happen before it: starts, replacements, lists, pauses and
// panics of a real engine; files that are late, hang, break or are replaced; shows that are saved;
// a connection that goes, a service that begins anew, a page that is hidden. Whatever comes, one
// picture is seen where one is on. Where its files are well, it is the right one, where it is
// heard, and never black in between. In the end it shows what the service says, and no video runs
// unseen.
import { afterAll, expect, it, vi } from 'vitest'
import { diceOf, type Dice } from '../../../sim/scenario/random.js'
import { VirtualTimers } from '../../../src/clock/virtual.js'
import { NO_OPTIONS } from '../../../src/engine/commands/commands.js'
import { eachSeed } from '../../each-seed.js'
import { ms } from '../../rig.js'
import { ChanceImage, ChanceVideo, type ChanceFile } from './chance-media.js'
import { BUTTONS, ChanceService, type On } from '../chance-service.js'
import { buttonOf, ChanceStage } from './chance-stage.js'

const SEEDS = 70
const STEP_MS = 25
const WELL: ChanceFile = { loadMs: 30, state: 'well' }
/** What goes stays for what comes, and a little more. */
const STAYS_MS = 700
/** After a loss, or hidden: until then it need not be right. */
const RETURN_MS = 2_000
const AGAIN_MS = 31_000

let timers: VirtualTimers
vi.mock('../../../src/client/time.js', () => ({
  nowMs: () => timers.nowMs(),
  after: (wait: number, act: () => void) => timers.after(wait, act),
  every: (wait: number, act: () => void) => timers.every(wait, act),
}))
afterAll(() => vi.unstubAllGlobals())

class Play {
  readonly #dice: Dice
  /** Files that are well: what is seen is judged at each moment. */
  readonly #isCalm: boolean
  readonly #dissolveMs: number
  readonly #service: ChanceService
  readonly #files = new Map<string, ChanceFile>()
  readonly #stage: ChanceStage
  #restlessUntil = 0
  #wasBlack = true

  constructor(seed: number) {
    this.#dice = diceOf(seed)
    timers = new VirtualTimers(0)
    this.#isCalm = this.#dice.chance(0.5)
    this.#dissolveMs = this.#dice.pick([0, 0, 300])
    const latency = ms(this.#dice.pick([0, 40, 200, 200]))
    this.#service = new ChanceService(timers, this.#dice, latency, this.#dissolveMs)
    this.#stage = new ChanceStage(timers, this.#service, (source) =>
      this.#files.get(buttonOf(source)) ?? WELL)
  }

  async go(steps: number): Promise<void> {
    for (let n = 0; n < steps; n += 1) {
      this.#act(this.#dice.whole(0, 15))
      await this.#pass(this.#dice.pick([25, 25, 25, 100, 400, 1_000]))
    }
    this.#files.clear()
    Object.assign(this.#service, { delayMs: 0, isUp: true })
    this.#stage.hide(false)
    // What failed is asked for again within half a minute.
    if (!this.#isCalm) await this.#pass(AGAIN_MS, 200)
    for (let n = 0; n < 4; n += 1) {
      await this.#pass(1_500)
      this.#atRest()
      this.#press()
    }
    this.#service.rig.ask({ kind: 'panic', fadeOutMs: null })
    await this.#pass(8_000, 100)
    this.#isOver()
  }

  #act(drawn: number): void {
    const service = this.#service
    const dice = this.#dice
    const act = this.#isCalm && drawn >= 12 ? 0 : drawn
    if (act <= 3) this.#press()
    else if (act <= 5) this.#handle()
    else if (act === 6) {
      if (dice.chance(0.3)) service.rig.ask({ kind: 'panic', fadeOutMs: dice.pick([null, 400]) })
    } else if (act <= 8) this.#save()
    else if (act === 9 && dice.chance(0.3)) service.cut()
    else if (act === 10 && dice.chance(0.3)) service.reboot()
    else if (act === 11) this.#stage.hide(!this.#stage.isHidden && dice.chance(0.3))
    else if (act === 12) {
      service.isUp = dice.chance(0.5)
      if (!service.isUp) service.cut()
    } else if (act === 13) service.delayMs = dice.pick([0, 50, 300])
    else if (act === 14) {
      const state = dice.pick(['well', 'well', 'broken', 'hung'] as const)
      const images = BUTTONS.slice(7)
      const button = dice.pick([...BUTTONS, ...images, ...images])
      this.#files.set(button, { state, loadMs: dice.pick([0, 30, 300, 900, 3_000]) })
    } else if (act === 15) {
      const video = dice.pick(this.#stage.videos)
      if (dice.chance(0.5)) video.fail()
      else video.pause()
    }
  }

  #press(): void {
    const kind = this.#dice.pick(['play', 'play', 'restart'] as const)
    const buttonId = this.#dice.pick(BUTTONS)
    // One that is refused, e.g. since it is being stopped, changes nothing.
    this.#service.rig.ask({ kind, buttonId, options: NO_OPTIONS })
  }

  /** One that is on is stopped, paused or resumed. */
  #handle(): void {
    const { rig } = this.#service
    const { runs } = rig.player.parts()
    if (runs.length === 0) return
    const { executionId, buttonId, state } = this.#dice.pick(runs)
    const fadeOutMs = this.#dice.pick([0, 300])
    if (this.#dice.chance(0.5)) rig.ask({ kind: 'stop', buttonId, executionId, fadeOutMs })
    else if (state === 'paused') {
      rig.ask({ kind: 'resume', buttonId, executionId, fadeInMs: null })
    } else rig.ask({ kind: 'pause', buttonId, executionId, fadeOutMs })
  }

  /** A file is another one, mostly one that is on; or a button leaves the show. */
  #save(): void {
    const { rig, versions } = this.#service
    const on = this.#service.onWithin(50, 0).at(-1) ?? []
    const button = this.#dice.pick([...BUTTONS, ...on.flatMap(({ buttonId }) =>
      Array.from({ length: 10 }, () => buttonId))])
    if (this.#dice.chance(0.1)) rig.vanish(BUTTONS.indexOf(button))
    else versions.set(button, (versions.get(button) ?? 0) + 1)
    this.#service.save()
  }

  async #pass(wait: number, stepMs = STEP_MS): Promise<void> {
    for (let left = wait; left > 0; left -= stepMs) {
      timers.pass(stepMs)
      this.#service.pass(stepMs)
      const { isLive, isHidden } = this.#stage
      if (!isLive || isHidden) this.#restlessUntil = timers.nowMs() + RETURN_MS
      // What was answered or decoded is heard of.
      for (let n = 0; n < 6; n += 1) await Promise.resolve()
      this.#stage.draw()
      if (!isHidden) this.#look()
    }
  }

  /** At each frame. */
  #look(): void {
    const shown = this.#stage.shown
    const sum = shown.reduce((all, { weight }) => all + weight, 0)
    insist(sum < 1.01 && (this.#dissolveMs > 0 || shown.length <= 1), 'two where one is')
    const hasGone = sum === 0 && !this.#wasBlack
    this.#wasBlack = sum === 0
    if (!this.#isCalm || timers.nowMs() < this.#restlessUntil) return
    const service = this.#service
    insist(!hasGone || service.onWithin(120, 60).some((on) => on.length === 0), 'black')
    const lately = service.onWithin(STAYS_MS + this.#dissolveMs, 60)
    for (const { buttonId } of shown) {
      insist(lately.some((on) => on.some((one) => one.buttonId === buttonId)), 'seen for too long')
    }
    if (this.#dice.chance(0.2)) this.#atRest()
  }

  /** Where the same one was on top for a second, it is what is seen, and where it is heard. */
  #atRest(): void {
    const tops = this.#service.onWithin(1_000, 40).map((on) => on.at(-1))
    const top = tops[0]
    if (tops.length < 30 || tops.some((one) => one?.of !== top?.of)) return
    const shown = this.#stage.shown
    const [{ buttonId, weight, one: element } = NOTHING] = shown
    insist(buttonId === (top?.buttonId ?? '') && weight === 1, `${buttonId} is seen, not top`)
    if (!(element instanceof ChanceVideo)) return
    const now = this.#service.onWithin(STEP_MS / 2, STEP_MS / 2).at(-1)?.at(-1)
    if (now === undefined || tops.some((one) => !isOneMove(one, now))) return
    const off = Math.abs(element.currentTime * 1_000 - (now.positionMs ?? 0))
    insist(off < 100, `off by ${off} ms`)
  }

  #isOver(): void {
    expect(this.#stage.shown).toEqual([])
    expect(this.#stage.videos.filter(({ paused }) => !paused)).toEqual([])
    // What follows in its list, and what stands beside it.
    expect(this.#stage.videos.filter(({ src }) => src !== null).length).toBeLessThanOrEqual(2)
    const images = [...this.#stage.elements].filter((one) => one instanceof ChanceImage)
    expect(images.filter(({ isInPage }) => isInPage).length).toBeLessThanOrEqual(3)
  }
}

const NOTHING = { buttonId: '', weight: 1, one: null }

/** At each of so many frames: without what an `expect` costs. */
const insist = (isSo: boolean, what: string): void => {
  if (!isSo) throw new Error(`${what} at ${timers.nowMs()} ms`)
}

/** It neither paused nor began anew in between. */
const isOneMove = (before: On | undefined, { isMoving, positionMs }: On): boolean =>
  before?.isMoving === isMoving
  && Math.abs((before.positionMs ?? 0) - (positionMs ?? 0)) < 1_100

it(`one picture is seen where one is on, the right one, in ${SEEDS} random evenings`, () =>
  eachSeed(SEEDS, (seed) => new Play(seed).go(50)), 120_000)
