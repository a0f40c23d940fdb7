// The wall through anything that may happen to it: presses, doubled, by menu and by row, panics,
// shows that are saved, a connection that is slow, cut and away, answers that are lost, a service
// that begins anew. Whatever comes, nothing begins that is not being waited for; who presses is
// told what did not come of it; and in the end each sign says what the service says.
// @vitest-environment happy-dom
import { afterAll, expect, it, vi } from 'vitest'
import { diceOf, type Dice } from '../../../sim/scenario/random.js'
import { VirtualTimers } from '../../../src/clock/virtual.js'
import { WallModel } from '../../../src/pages/wall/wall-model.js'
import { eachSeed } from '../../each-seed.js'
import { BUTTONS, ChanceService } from '../chance-service.js'

const SEEDS = 50
const STEP_MS = 25
/** The list that goes on by itself begins with this one. */
const LIST_FROM = 4
/** Then a panic is told, and not what it took back. */
const PANIC_TOLD_MS = 5_000

let timers: VirtualTimers
vi.mock('../../../src/client/time.js', () => ({
  nowMs: () => timers.nowMs(),
  after: (wait: number, act: () => void) => timers.after(wait, act),
  every: (wait: number, act: () => void) => timers.every(wait, act),
}))
afterAll(() => vi.unstubAllGlobals())

/** What a page sent and has, or has not, an answer to. */
interface Post {
  readonly buttonId: string
  readonly key: string
  isDone: boolean
}

class Play {
  readonly #dice: Dice
  readonly #service: ChanceService
  readonly #wall: WallModel
  readonly #posts: Post[] = []
  readonly #waiting = new Set<string>()
  readonly #taken = new Map<string, number>()
  readonly #begun = new Set<string>()
  #panicAt = -Infinity

  constructor(seed: number) {
    this.#dice = diceOf(seed)
    timers = new VirtualTimers(0)
    this.#service = new ChanceService(timers, this.#dice, 0, 0)
    vi.stubGlobal('fetch', (path: string, init: RequestInit = {}) => this.#fetch(path, init))
    const ports = this.#service.ports(() => false)
    vi.stubGlobal('WebSocket', class extends EventTarget {
      readonly #socket
      constructor(url: string) {
        super()
        const say = (type: string, data: unknown = null): unknown =>
          this.dispatchEvent(new MessageEvent(type, { data }))
        this.#socket = ports.open(url.replace(/^ws:..[^/]*/, ''), {
          opened: () => say('open'), closed: () => say('close'), binary: () => undefined,
          text: (text) => say('message', text),
        })
      }
      send = (text: string): void => this.#socket.send(text)
      close = (): void => this.#socket.close()
    })
    this.#wall = new WallModel()
    this.#wall.start()
  }

  async go(steps: number): Promise<void> {
    await this.#pass(500)
    for (let n = 0; n < steps; n += 1) {
      this.#act(this.#dice.whole(0, 15))
      await this.#pass(this.#dice.pick([25, 25, 50, 100, 400, 1_200]))
    }
    Object.assign(this.#service, { delayMs: 0, loss: 0, isUp: true })
    await this.#pass(12_000)
    this.#atRest()
  }

  async #fetch(path: string, init: RequestInit): Promise<Response> {
    const [, buttonId] = /buttons\/([^/]*)\//.exec(path) ?? []
    const key = (init.headers as Record<string, string> | undefined)?.['idempotency-key'] ?? ''
    if (buttonId !== undefined && !this.#posts.some((post) => post.key === key)) {
      this.#posts.push({ buttonId, key, isDone: false })
    }
    const answer = await this.#service.fetch(path, init)
    for (const post of this.#posts) if (post.key === key && answer.ok) post.isDone = true
    return answer
  }

  #act(act: number): void {
    const service = this.#service
    const dice = this.#dice
    if (act <= 7) this.#press()
    else if (act === 8) this.#turn()
    else if (act === 9) {
      if (this.#waiting.size > 0 || dice.chance(0.3)) this.#panic()
    } else if (act === 10) service.delayMs = dice.pick([0, 0, 50, 400, 3_000])
    else if (act === 11) service.loss = dice.pick([0, 0, 0.3, 0.9])
    else if (act === 12 && dice.chance(0.4)) service.cut()
    else if (act === 13) {
      service.isUp = dice.chance(0.6)
      if (!service.isUp) service.cut()
    } else if (act === 14 && dice.chance(0.2)) service.reboot()
    else if (act === 15) {
      if (dice.chance(0.3)) service.rig.vanish(dice.whole(0, BUTTONS.length - 1))
      service.save()
    }
  }

  /** By hand, once or twice, or by the menu. */
  #press(): void {
    const all = [...this.#wall.buttons.value.values()]
    if (all.length === 0) return
    const button = this.#dice.pick(all)
    const before = this.#posts.length
    if (this.#dice.chance(0.2)) {
      const kind = this.#dice.pick(['play', 'restart'] as const)
      this.#wall.presses.choose({ kind, buttonId: button.id, options: null })
    } else {
      const stop = this.#dice.chance(0.2)
      this.#wall.presses.press(button, stop)
      if (this.#dice.chance(0.2)) this.#wall.presses.press(button, stop)
    }
    expect(this.#posts.length - before).toBeLessThanOrEqual(1)
    if (this.#posts.length > before) this.#took(button.id)
  }

  /** What was pressed before it and is not under way in the service may begin nothing. */
  #panic(): void {
    this.#panicAt = timers.nowMs()
    this.#wall.panic.press()
    this.#taken.clear()
  }

  /** Pause or Resume of a row. */
  #turn(): void {
    const runs = this.#wall.known.value?.runs ?? []
    if (runs.length === 0) return
    const { executionId, buttonId, state } = this.#dice.pick(runs)
    const kind = state === 'paused' ? 'resume' : 'pause'
    this.#wall.presses.turn({ kind, buttonId, executionId, fadeMs: null })
    this.#took(buttonId)
  }

  #took(buttonId: string): void {
    this.#waiting.add(buttonId)
    this.#taken.set(buttonId, (this.#taken.get(buttonId) ?? 0) + 1)
  }

  async #pass(wait: number): Promise<void> {
    for (let left = wait; left > 0; left -= STEP_MS) {
      const pending = BUTTONS.filter((id) => this.#signOf(id).pressed)
      timers.pass(STEP_MS)
      this.#service.pass(STEP_MS)
      for (let n = 0; n < 3; n += 1) await new Promise((resolve) => setImmediate(resolve))
      this.#look(new Set(pending))
    }
  }

  #signOf(id: string) {
    return this.#wall.presses.signOf(id).peek()
  }

  #look(pending: ReadonlySet<string>): void {
    const at = `at ${timers.nowMs()}`
    for (const { buttonId, executionId, title } of this.#service.rig.player.parts().runs) {
      if (this.#begun.has(executionId)) continue
      this.#begun.add(executionId)
      // Of a list the next one begins by itself.
      const isNext = BUTTONS.indexOf(buttonId) >= LIST_FROM
      const left = this.#taken.get(buttonId) ?? 0
      this.#taken.set(buttonId, Math.max(0, left - 1))
      const isAmid = timers.nowMs() - this.#panicAt <= 2 * STEP_MS
      const isPressed = pending.has(buttonId) && (left > 0 || isAmid)
      if (!isPressed && !isNext) throw new Error(`${title} began by itself ${at}`)
    }
    for (const id of this.#waiting) {
      const { pressed, message, ignored } = this.#signOf(id)
      if (pressed) continue
      this.#waiting.delete(id)
      const last = this.#posts.findLast(({ buttonId }) => buttonId === id)
      if (last?.isDone === true || timers.nowMs() - this.#panicAt < PANIC_TOLD_MS) continue
      if (message === null && !ignored) throw new Error(`nothing is told of ${id} ${at}`)
    }
    const { connection, lostSince } = this.#wall
    expect(lostSince.value !== null).toBe(connection.value === 'lost')
  }

  #atRest(): void {
    const wall = this.#wall
    const { runs, image } = this.#service.rig.player.parts()
    expect(wall.connection.value).toBe('live')
    expect(wall.known.value?.runs).toEqual(runs)
    expect(wall.known.value?.image).toEqual(image)
    expect(wall.loaded.value?.etag).toBe(this.#service.etag)
    const shown = this.#service.rig.engine.catalogue.playlists.flatMap((list) => list.buttons)
    expect([...wall.buttons.value.keys()]).toEqual(shown.map(({ id }) => id))
    for (const id of BUTTONS) {
      expect(this.#signOf(id)).toEqual({ pressed: false, ignored: false, message: null })
    }
    expect(wall.presses.lastTold.value).toBeNull()
    expect(['calm', 'not_sent']).toContain(wall.panicSign.state.value.kind)
    const ends = wall.ends.value.map(({ executionId }) => executionId)
    expect(new Set(ends).size).toBe(ends.length)
  }
}

it(`nothing begins by itself, and what is told is so, in ${SEEDS} random evenings`, () =>
  eachSeed(SEEDS, (seed) => new Play(seed).go(50)), 120_000)
