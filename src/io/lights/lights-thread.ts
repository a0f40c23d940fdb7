// The lights thread: turns views of runs into Art-Net frames on its own schedule.
import { parentPort, workerData } from 'node:worker_threads'
import { type Frame } from '../../clock/frame.js'
import { realTimers } from '../../clock/real.js'
import type { Cancel } from '../../clock/timers.js'
import { waited } from '../../clock/waiting.js'
import { Lighting } from '../../engine/lighting/lighting.js'
import { hurryLights } from '../thread-priority.js'
import { ArtnetOutput } from './artnet.js'
import { LightsLoop, TICK_MS } from './lights-loop.js'
import type { FromLights, LightsSetup, ToLights } from './lights-messages.js'
import { SharedEngineTime } from '../../clock/shared-time.js'

/** A timer may be late by a millisecond and more: the last stretch is slept through exactly. */
const EXACT_MS = 2
/** A moment before the tick would cost a whole timer more. */
const A_HAIR_MS = 0.02
/** The last look is sent thrice: a packet may get lost, and after it nothing comes any more. */
const LAST_FRAMES = 3
const FLUSH_MS = 250

const setup = workerData as LightsSetup
const port = parentPort
if (port === null) throw new Error('the lights run on a thread of their own')
const tell = (message: FromLights): void => {
  port.postMessage(message)
}

const time = new SharedEngineTime(setup.time)
const timers = realTimers()
const nowMs = (): number => timers.nowMs()
const nowFrame = (): Frame => time.nowFrame() as Frame
const lighting = new Lighting(setup)
const artnet = new ArtnetOutput(
  setup,
  timers,
  ({ state, message }) => {
    tell({ kind: 'state', state, message })
    // The lamps missed what was sent in the meantime.
    if (state === 'ok') resend()
  },
  () => {
    resend()
  },
)
const loop = new LightsLoop(lighting, (universe, slots) => {
  artnet.send(universe, slots)
}, nowMs())
const nap = new Int32Array(new SharedArrayBuffer(4))

let resting: Cancel | null = null
let turn: NodeJS.Immediate | null = null
let closing = false

const frameNow = (): void => {
  if (closing) return
  loop.run(nowFrame(), nowMs())
  rest()
}

/** Sleeps until the next thing to do; a message wakes it before. */
const rest = (): void => {
  resting?.()
  const wait = loop.waitMs(nowFrame(), nowMs())
  resting = timers.after(Math.max(0, Math.floor(wait) - 1), () => {
    const left = loop.waitMs(nowFrame(), nowMs())
    if (left <= EXACT_MS) Atomics.wait(nap, 0, 0, left + A_HAIR_MS)
    frameNow()
  })
}

/** Messages that come together make one frame: at once, but after all of them. */
const soon = (): void => {
  loop.changed()
  turn ??= setImmediate(() => {
    turn = null
    frameNow()
  })
}

const resend = (): void => {
  loop.forget()
  soon()
}

const close = async (): Promise<void> => {
  closing = true
  resting?.()
  for (let count = 0; count < LAST_FRAMES; count += 1) {
    loop.last(nowFrame(), nowMs())
    await artnet.flush(FLUSH_MS)
    if (artnet.state.state === 'failing') break
    if (count + 1 < LAST_FRAMES) await waited(timers, TICK_MS)
  }
  artnet.close()
  tell({ kind: 'closed' })
  port.close()
}

port.on('message', (message: ToLights) => {
  switch (message.kind) {
    case 'timelines':
      lighting.setTimelines(message.timelines)
      break
    case 'update':
      // A look that travels waits for its tick where nothing happened to the lights.
      if (!lighting.update(message.views, message.latencyFrames, nowFrame())) return
      break
    case 'ping':
      tell({ kind: 'pong' })
      return
    case 'close':
      void close()
      return
  }
  soon()
})
hurryLights()
tell({ kind: 'state', state: 'ok', message: null })
