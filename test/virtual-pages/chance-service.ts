// A service on virtual time before a page: the real engine and live connection over a network that
// is slow, cut and away, a show that is saved, and what is to be seen by what the engine says.
import type { Dice } from '../../sim/scenario/random.js'
import { LiveHub } from '../../src/api/live/hub.js'
import { buildServer } from '../../src/api/server.js'
import type { VirtualTimers } from '../../src/clock/virtual.js'
import type { LiveRun, PageMessage } from '../../src/contract/live.js'
import type { ShowPage } from '../../src/contract/show-page.js'
import type { LivePorts, Socket, SocketEvents } from '../../src/pages/shared/live-socket.js'
import { FakePage } from '../api/fake-page.js'
import { guid, ms, rig, type ListSpec, type Rig } from '../rig.js'
import { aButton } from '../pages/wall/show-parts.js'

/** Videos by hand, a list of them, and images, in this order: `guid(1)` to `guid(10)`. */
export const BUTTONS = Array.from({ length: 10 }, (_, n) => guid(n + 1))
const KEPT = 70
const HOST = '127.0.0.1:1'

/** One that is to be seen at a moment. */
export interface On {
  readonly buttonId: string
  /** Which showing of it. */
  readonly of: string
  /** Where it is heard; null: an image. */
  readonly positionMs: number | null
  readonly isMoving: boolean
}

export class ChanceService {
  isUp = true
  delayMs = 0
  /** The share of answers that are lost. */
  loss = 0
  readonly versions = new Map<string, number>()
  rig: Rig
  readonly #spec: readonly ListSpec[]
  #hub: LiveHub
  #server: ReturnType<typeof buildServer>
  #tag = 1
  #ids = 0xe000
  #past: { readonly frame: number; readonly on: readonly On[] }[] = []
  #way: { readonly at: number; readonly act: () => void }[] = []
  #line: { readonly page: FakePage; readonly events: SocketEvents } | null = null

  constructor(
    private readonly timers: VirtualTimers, private readonly dice: Dice,
    /** In frames. */
    private readonly latency: number, private readonly dissolveMs: number,
  ) {
    this.#spec = lists(dice)
    this.rig = this.#newRig()
    this.#hub = this.#newHub()
    this.#server = this.#newServer()
  }

  /** Killed and begun anew: it counts its frames from 0 again. */
  reboot(): void {
    this.cut()
    this.#past = []
    this.#tag += 1
    this.rig = this.#newRig()
    this.#hub = this.#newHub()
    this.#server = this.#newServer()
  }

  /** The show is saved, or the files of it were looked at anew. */
  save(): void {
    this.#tag += 1
    this.#hub.refresh()
  }

  cut(): void {
    const line = this.#line
    this.#line = null
    line?.page.gone()
    line?.events.closed()
  }

  pass(stepMs: number): void {
    this.rig.advance(ms(stepMs))
    const due = this.#way.filter(({ at }) => at <= this.timers.nowMs())
    this.#way = this.#way.filter((one) => !due.includes(one))
    for (const { act } of due) act()
    const frame = this.rig.engine.now
    this.#past.push({ frame, on: onAt(this.rig, frame) })
    if (this.#past.length > KEPT) this.#past.shift()
  }

  /** What was to be seen, from below, at each step from so long ago to so long ahead. */
  onWithin(agoMs: number, aheadMs: number): readonly (readonly On[])[] {
    const heard = this.rig.engine.now - this.latency
    return this.#past
      .filter(({ frame }) => frame >= heard - ms(agoMs) && frame <= heard + ms(aheadMs))
      .map(({ on }) => on)
  }

  ports(isHidden: () => boolean): LivePorts {
    return {
      now: () => this.timers.nowMs(),
      after: (wait, act) => this.timers.after(wait, act),
      isThere: () => new Promise((resolve) => this.#carry(() => resolve(this.isUp))),
      isHidden,
      open: (path, events) => this.#open(new URL(path, 'http://x').searchParams, events),
    }
  }

  /** The tag of the show as it is now. */
  get etag(): string {
    return `"${String(this.#tag)}"`
  }

  /** As GET /show. */
  async read(): Promise<{ readonly etag: string; readonly body: ShowPage } | null> {
    await new Promise<void>((resolve) => this.#carry(resolve))
    return this.isUp ? { etag: this.etag, body: this.#show() } : null
  }

  /** As a page's `fetch`: it rejects where no answer comes. */
  fetch(path: string, init: RequestInit = {}): Promise<Response> {
    return new Promise((resolve, reject) => {
      let isOver = false
      const fail = (): void => {
        isOver = true
        reject(new TypeError('failed to fetch'))
      }
      init.signal?.addEventListener('abort', fail)
      this.#carry(() => {
        if (isOver) return
        if (!this.isUp) return fail()
        void this.#answer(path, init).then((answer) => this.#carry(() => {
          if (!this.isUp || this.dice.chance(this.loss)) fail()
          else resolve(answer)
        }))
      })
    })
  }

  async #answer(path: string, { method = 'GET', body = null, headers = {} }: RequestInit) {
    if (path === '/show') return answerOf(200, this.#show(), this.etag)
    const answer = await this.#server.inject({
      method: method as 'GET', url: path, headers: { ...headers as object, host: HOST },
      ...(body === null ? {} : { payload: body as string }),
    })
    return answerOf(answer.statusCode, answer.json(), null)
  }

  #open(query: URLSearchParams, events: SocketEvents): Socket {
    const page = new FakePage()
    const line = { page, events }
    const isOpen = (): boolean => this.#line === line
    this.#carry(() => {
      if (!this.isUp) return events.closed()
      this.#line = line
      events.opened()
      page.send = (data) => this.#carry(() => {
        if (isOpen()) events.text(Buffer.from(data).toString())
      })
      const boot = query.get('boot')
      this.#hub.open(page, boot === null ? null : { boot, n: Number(query.get('n')) })
    })
    return {
      send: (text) => this.#carry(() => {
        if (isOpen()) page.say(JSON.parse(text) as PageMessage)
      }),
      close: () => {
        if (!isOpen()) return
        this.#line = null
        page.gone()
      },
    }
  }

  #carry(act: () => void): void {
    this.#way.push({ at: this.timers.nowMs() + this.delayMs, act })
  }

  #newRig(): Rig {
    return rig(this.#spec, { ids: { next: () => guid((this.#ids += 1)) } })
  }

  #newHub(): LiveHub {
    const { player } = this.rig
    const { engine } = player
    return new LiveHub({
      version: '1',
      engine: {
        parts: () => player.parts(), follow: (call) => player.follow(call),
        present: () => ({ frame: engine.now, latency: this.latency }),
      },
      tags: () => ({ show: this.etag, waves: null, armed: null }),
      meter: () => undefined,
      look: () => ({ frame: engine.now, universes: [] }),
    }, this.timers)
  }

  #newServer(): ReturnType<typeof buildServer> {
    return buildServer({
      timers: this.timers, player: this.rig.player, authority: HOST, entitled: () => true,
      logger: null, checksAnswers: false, shuttingDown: () => false, origins: 'any', live: null,
      pages: null,
    })
  }

  #show(): ShowPage {
    return {
      title: '', version: '1', settings: { panicFadeMs: 0, guardMs: 300, stageOffsetMs: 0 },
      playlists: this.rig.engine.catalogue.playlists.map((list) => ({
        ...list, columns: null,
        buttons: list.buttons.map(({ id, kind, startMs }) => aButton({
          id, kind, startMs, dissolveMs: this.dissolveMs,
          media: {
            missing: null, version: `v${String(this.versions.get(id) ?? 0)}`, type: null,
            notShown: null, video: null, audio: null,
          },
        })),
      })),
    }
  }
}

const lists = (dice: Dice): readonly ListSpec[] => {
  const film = { kind: 'video', mediaMs: 60_000 } as const
  const [a, b, c, d, ...rest] = BUTTONS as [string, string, string, string, ...string[]]
  return [
    { id: guid(100), buttons: [
      { ...film, id: a, startMs: 1_000, endMs: 5_000 },
      { ...film, id: b, endMs: 2_000, isLoopEnabled: true },
      { ...film, id: c, pauseWhenReplaced: true, fadeOutMs: 300 },
      { ...film, id: d, allowOverlap: true, endMs: 4_000 },
    ] },
    {
      id: guid(101), mode: 'sequence', wrap: dice.chance(0.5), crossfadeMs: 400,
      mixOnTransition: dice.chance(0.5),
      buttons: rest.slice(0, 3).map((id) => ({ ...film, id, endMs: 2_000 })),
    },
    { id: guid(102), buttons: rest.slice(3).map((id) => ({ kind: 'image', id })) },
  ]
}

/** From below (docs/stage.md, "What is on"). */
const onAt = ({ player }: Rig, frame: number): readonly On[] => {
  const { runs, image } = player.parts()
  const videos = runs.filter(({ kind, state }) => kind === 'video' && state !== 'starting')
  const moving = videos.filter(({ state }) => state !== 'paused')
    .toSorted((a, b) => a.order - b.order || a.serial - b.serial)
  const shown = image === null ? [] : [{
    at: image.at, buttonId: image.buttonId, of: String(image.at), positionMs: null, isMoving: false,
  }]
  const stills = videos.filter(({ state }) => state === 'paused')
    .map((run) => ({ at: run.anchor.at, ...videoOn(run, frame) }))
  return [
    ...[...shown, ...stills].toSorted((a, b) => a.at - b.at),
    ...moving.map((run) => videoOn(run, frame)),
  ]
}

const videoOn = ({ buttonId, executionId, anchor }: LiveRun, frame: number): On => {
  const { at, position, moving, until } = anchor
  const reached = position + (moving ? Math.max(0, frame - at) : 0)
  const positionMs = Math.min(reached, until ?? reached) / ms(1)
  return { buttonId, of: executionId, positionMs, isMoving: moving }
}

const answerOf = (status: number, body: unknown, etag: string | null): Response => ({
  ok: status < 300, status, headers: { get: () => etag }, json: () => Promise.resolve(body),
}) as unknown as Response
