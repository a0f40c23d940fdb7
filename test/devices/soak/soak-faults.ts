// The faults of a soak, each with what it may do to the bed; a seed draws which come, and when.
import { connect } from 'node:net'
import { renameSync, writeFileSync } from 'node:fs'
import { createPrng } from '../../../src/engine/prng.js'
import { button, delay, type Daemon } from '../daemon-rig.js'
import { processesWith } from '../media-processes.js'
import type { SoakDisks } from './soak-disks.js'
import type { SoakOutput } from './soak-output.js'
import { AWAY, BROKEN, BUTTONS, MISSING, soakShow, STING } from './soak-show.js'

/** What faults are done to. */
export interface Soaked {
  readonly daemon: Daemon
  readonly disks: SoakDisks
  readonly output: SoakOutput
}

export interface Fault {
  readonly name: string
  /** The device may lose what lies in it. */
  readonly leaps?: true
  /** @returns null: all is as it should be; else what is not. */
  act(soaked: Soaked, size: number): Promise<string | null>
}

/** What a device that comes back, or a disk that answers again, may take. */
const HEAL_MS = 5_000
/** A press is answered in this, whatever hangs beside it. */
const PRESS_MS = 1_500

const signal = (daemon: Daemon, name: string, what: NodeJS.Signals): void => {
  for (const pid of processesWith(name, daemon.pid)) process.kill(pid, what)
}

const kill = (name: string): Fault => ({
  name: `kill ${name === '' ? 'every process' : name}`,
  ...(name === '' ? { leaps: true } : {}),
  act: ({ daemon }) => {
    signal(daemon, name, 'SIGKILL')
    return Promise.resolve(null)
  },
})

/** What is wrong with a press of the button, null where nothing is. */
const pressed = async (daemon: Daemon, n: number, status: number, error: string | null) => {
  const answer = await daemon.post(`/buttons/${button(n)}/play`)
  const told = typeof answer.body['error'] === 'string' ? answer.body['error'] : null
  const isFine = answer.status === status && told === error
  // Refused in time, since the process that looks was killed a moment ago: it is told as that.
  const isLate = /does not answer/.test(JSON.stringify(answer.body))
  // A sting that is pressed twice plays already.
  return isFine || isLate || (error === null && answer.status === 200) ? null
    : `button ${n}: ${answer.status} ${JSON.stringify(answer.body)}`
}

/** While the sound's process or its server comes back, starts are refused: for so long at most. */
const press = (n: number, status: number, error: string | null): Fault => ({
  name: `press button ${n}`,
  act: async ({ daemon }) => {
    const begun = performance.now()
    for (;;) {
      const wrong = await pressed(daemon, n, status, error)
      const isOver = performance.now() - begun > HEAL_MS
      if (wrong === null || isOver || !wrong.includes('503')) return wrong
      await delay(100)
    }
  },
})

const put = (daemon: Daemon, text: string): void => {
  writeFileSync(`${daemon.show}.new`, text)
  renameSync(`${daemon.show}.new`, daemon.show)
}

let editions = 0
const editShow: Fault = {
  name: 'edit the show',
  act: async ({ daemon }) => {
    editions += 1
    daemon.writeShow([{ buttons: soakShow(editions) }])
    const wanted = `bed 0, ${editions}`
    const isThere = async (): Promise<boolean> =>
      (await daemon.buttons()).buttons[0]?.title === wanted
    return daemon.until(isThere, 10_000).then(() => null, () => `${wanted} was not taken`)
  },
}

const breakShow: Fault = {
  name: 'break the show, and mend it',
  act: async (soaked, size) => {
    const { daemon } = soaked
    put(daemon, '{"version": 1, "playlists": ['.repeat(1 + size * 100))
    await delay(600)
    const { length } = (await daemon.buttons()).buttons
    const wrong = length === BUTTONS ? null : `${length} buttons of a broken show`
    return wrong ?? editShow.act(soaked, size)
  },
}

const standStill: Fault = {
  name: 'stand still',
  leaps: true,
  act: async ({ daemon }, size) => {
    process.kill(daemon.pid, 'SIGSTOP')
    await delay(100 + size * 80)
    process.kill(daemon.pid, 'SIGCONT')
    return null
  },
}

const hangDecoder: Fault = {
  name: 'hang decoder-host',
  act: ({ daemon }) => {
    signal(daemon, 'decoder-host', 'SIGSTOP')
    return Promise.resolve(null)
  },
}

/** Events that are asked for and never read, or a request that never ends; it is left there. */
const slowReader: Fault = {
  name: 'a reader that does not read',
  act: async ({ daemon }, size) => {
    const { hostname, port } = new URL(daemon.base)
    for (let n = 0; n <= size; n += 1) {
      const socket = connect(Number(port), hostname)
      socket.on('error', () => socket.destroy())
      socket.pause()
      socket.write(`GET /api/v1/events HTTP/1.1\r\nHost: ${hostname}:${port}\r\n\r\n`)
      setTimeout(() => socket.destroy(), 30_000).unref()
    }
    await delay(20)
    return null
  },
}

const pipelined: Fault = {
  name: 'pipelined reads',
  act: ({ daemon }, size) => {
    const { hostname, port } = new URL(daemon.base)
    const one = `GET /api/v1/buttons HTTP/1.1\r\nHost: ${hostname}:${port}\r\n\r\n`
    return new Promise((settle) => {
      const socket = connect(Number(port), hostname, () => socket.write(one.repeat(50 * size + 1)))
      socket.on('error', () => socket.destroy())
      socket.on('close', () => settle(null))
      setTimeout(() => socket.destroy(), 500)
    })
  },
}

/** What is wrong where the output does not come back from the fault before; null: it is there. */
const withoutOutput = async (daemon: Daemon): Promise<string | null> => {
  const isBack = async (): Promise<boolean> => (await daemon.status()).audio.state === 'ok'
  return daemon.until(isBack, HEAL_MS).then(() => null, () => 'the device did not come back')
}

/** The share's own buttons are refused in time, and play soon after; the others as ever. */
const hangShare: Fault = {
  name: 'hang the share',
  act: async ({ daemon, disks: { share } }, size) => {
    if (share === null) return null
    const silent = await withoutOutput(daemon)
    if (silent !== null) return silent
    share.hang()
    const begun = performance.now()
    const beside = await pressed(daemon, STING, 202, null)
    const ms = performance.now() - begun
    const away = await pressed(daemon, AWAY, 202, null)
    await delay(size * 400)
    share.answer()
    const comesBack = async (): Promise<boolean> =>
      [200, 202].includes((await daemon.post(`/buttons/${button(AWAY)}/play`)).status)
    const back = await daemon.until(comesBack, HEAL_MS).then(() => null, () => 'it stayed away')
    const late = ms > PRESS_MS ? `a press beside it took ${ms.toFixed(0)} ms` : null
    return beside ?? away ?? back ?? late
  },
}

const fillDisk: Fault = {
  name: 'fill the disk of cache and flight recorder',
  act: async ({ daemon, disks }, size) => {
    if (!disks.hasSmall) return null
    disks.fill()
    const wrong = await pressed(daemon, STING, 202, null)
    await delay(300 + size * 300)
    disks.empty()
    return wrong
  },
}

const restartServer: Fault = {
  name: 'restart the sound server',
  leaps: true,
  act: async ({ daemon, output }, size) => {
    if (output.restart === null) return null
    await output.restart(size * 300)
    return withoutOutput(daemon)
  },
}

export const FAULTS: readonly Fault[] = [
  kill('decoder-host'), kill('log-process'), kill(''), hangDecoder, standStill,
  editShow, breakShow, slowReader, pipelined,
  press(STING, 202, null), press(STING, 202, null), press(MISSING, 422, 'media_file_missing'),
  press(BROKEN, 202, null), hangShare, fillDisk, restartServer,
]

export interface Drawn {
  readonly fault: Fault
  /** From 0 to 9: how much of it. */
  readonly size: number
  /** Rest before it. */
  readonly afterMs: number
}

/** The same seed draws the same faults in the same order, however long each of them takes. */
export const drawFaults = (seed: number): (() => Drawn) => {
  const chance = createPrng(seed).fork('faults')
  return () => {
    const fault = FAULTS[Math.floor(chance.next() * FAULTS.length)] as Fault
    const size = Math.floor(chance.next() * 10)
    return { fault, size, afterMs: 1_000 + Math.floor(chance.next() * 6_000) }
  }
}
