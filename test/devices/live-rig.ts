// A listening server over the real engine on virtual time, and pages that listen on /live.
import type { AddressInfo } from 'node:net'
import type { Logger } from 'pino'
import { afterEach } from 'vitest'
import WebSocket from 'ws'
import { buildServer } from '../../src/api/server.js'
import type { LiveSource } from '../../src/api/live/source.js'
import type { Origins } from '../../src/api/origins.js'
import { realTimers } from '../../src/clock/real.js'
import type {
  LiveChange, LiveHello, LiveMessage, LiveState, LiveTime, PageMessage,
} from '../../src/contract/live.js'
import type { Levels } from '../../src/engine/sound/meter.js'
import { rig, type ListSpec } from '../rig.js'

export const liveRig = async (
  lists: readonly ListSpec[], origins: Origins = 'any', logger: Logger | null = null,
) => {
  const r = rig(lists)
  const world = {
    show: '"1"', entitled: true, shuttingDown: false, authority: '',
    meter: null as ((levels: Levels) => void) | null,
    slots: new Uint8Array(512), looks: 0, readings: 0,
  }
  const { player } = r
  const source: LiveSource = {
    version: 'test',
    tags: () => ({ show: world.show, waves: null, armed: null }),
    engine: {
      parts: () => {
        world.readings += 1
        return player.parts()
      },
      present: () => player.present(),
      follow: (listener) => player.follow(listener),
    },
    meter: (listener) => {
      world.meter = listener
    },
    look: () => {
      world.looks += 1
      return { frame: r.engine.now, universes: [{ universe: 1, slots: world.slots }] }
    },
  }
  const app = buildServer({
    timers: realTimers(),
    player, logger, checksAnswers: true, origins, live: source, pages: null,
    get authority() {
      return world.authority
    },
    entitled: () => world.entitled,
    shuttingDown: () => world.shuttingDown,
  })
  await app.listen({ host: '127.0.0.1', port: 0 })
  const { port } = app.server.address() as AddressInfo
  world.authority = `127.0.0.1:${port}`
  return { ...r, world, app, port, url: `ws://127.0.0.1:${port}/api/v1/live` }
}

export type LiveRig = Awaited<ReturnType<typeof liveRig>>

/** Opens a server with these lists for a test of the calling file, and closes it after that. */
export const liveRigs = (
  lists: readonly ListSpec[],
): ((origins?: Origins, logger?: Logger) => Promise<LiveRig>) => {
  let open: LiveRig | null = null
  afterEach(async () => {
    await open?.app.close()
    open = null
  })
  return async (...options) => (open = await liveRig(lists, ...options))
}

/** A page: all that it heard, in order, and a wait for more of it. */
export class Listener {
  readonly messages: LiveMessage[] = []
  readonly frames: Buffer[] = []
  readonly socket: WebSocket
  /** Code and reason of the close; null before. */
  closed: { readonly code: number; readonly reason: string } | null = null

  constructor(url: string, headers: Readonly<Record<string, string>> = {}) {
    this.socket = new WebSocket(url, 'cartwall.live.1', { headers, perMessageDeflate: true })
    this.socket.on('message', (data: Buffer, isBinary) => {
      if (isBinary) this.frames.push(data)
      else this.messages.push(JSON.parse(data.toString('utf8')) as LiveMessage)
    })
    this.socket.on('error', () => undefined)
    this.socket.on('close', (code, reason) => {
      this.closed = { code, reason: reason.toString() }
    })
  }

  get hello(): LiveHello {
    return this.#of('hello')[0]!
  }

  get state(): LiveState {
    return this.#of('state')[0]!
  }

  get changes(): readonly LiveChange[] {
    return this.#of('change')
  }

  get times(): readonly LiveTime[] {
    return this.#of('time')
  }

  say(message: PageMessage): void {
    this.socket.send(JSON.stringify(message))
  }

  #of<Kind extends LiveMessage['kind']>(kind: Kind): Extract<LiveMessage, { kind: Kind }>[] {
    return this.messages.filter((one) => one.kind === kind) as never
  }
}

/** Until it holds; the bound is far beyond what a machine under load takes. */
export const until = async (holds: () => boolean): Promise<void> => {
  const end = performance.now() + 10_000
  while (!holds()) {
    if (performance.now() > end) throw new Error(`still not: ${holds.toString()}`)
    await new Promise((resolve) => setTimeout(resolve, 2))
  }
}

export const connected = async (
  url: string, headers: Readonly<Record<string, string>> = {},
): Promise<Listener> => {
  const page = new Listener(url, headers)
  await until(() => page.messages.length >= 2)
  return page
}
