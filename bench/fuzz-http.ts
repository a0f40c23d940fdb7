// 200 000 hostile requests over real sockets: documented answers only, no crash, memory flat.
// Usage: fuzz-http [requests] [seed] [--daemon]. The server is a process of its own: alone over a
// player that is none, or the whole daemon with the null sink. Exit 1 on any complaint.
import { fork, type ChildProcess } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import net, { type AddressInfo } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import fc from 'fast-check'
import { buildServer } from '../src/api/server.js'
import { realTimers } from '../src/clock/real.js'
import { BUTTON, FakePlayer, RUN } from '../test/api/fake-player.js'
import { anyAsk, anyBytes, bytesOf, complaintOf } from '../test/api/hostile.js'
import { answersIn, talk } from '../test/devices/raw-socket.js'
import { button, Daemon } from '../test/devices/daemon-rig.js'

const HOST = '127.0.0.1'
const BATCH = 2_000
const CONNECTIONS = 20
/** Of every batch, this many connections carry bytes that are no requests. */
const GARBLED = 40
/** Memory is looked at after so many batches. */
const EVERY = 5
/** A daemon comes to rest before the attack. */
const REST_MS = 60_000
/** After it, until it has so much more than before, or for longer than it remembers runs. */
const MORE_MB = 20
const RESTS_MOST = 12

const serveOnly = async (): Promise<void> => {
  const player = new FakePlayer()
  // The fake remembers commands for tests; here that would be a leak.
  player.commands.push = () => 0
  let authority = ''
  const app = buildServer({
    timers: realTimers(),
    player,
    get authority() {
      return authority
    },
    entitled: () => true,
    shuttingDown: () => false,
    origins: 'any',
    live: null,
    pages: null,
    checksAnswers: false,
    logger: null,
  })
  await app.listen({ host: HOST, port: 0 })
  authority = `${HOST}:${(app.server.address() as AddressInfo).port}`
  process.on('message', () => {
    globalThis.gc?.()
    process.send?.(process.memoryUsage().rss)
  })
  process.on('disconnect', () => process.exit(0))
  process.send?.(authority)
}

interface Probed {
  readonly asked: number
  readonly worstMs: number
  /** How often an answer took longer than 100 ms while this process itself was not held up. */
  readonly frozen: number
}

/** Beside the attack, in a process of its own: how long a good request waits. */
const probe = async (authority: string): Promise<void> => {
  const loop = monitorEventLoopDelay({ resolution: 5 })
  loop.enable()
  const over = new AbortController()
  process.on('message', () => over.abort())
  process.on('disconnect', () => process.exit(0))
  const told = { asked: 0, worstMs: 0, frozen: 0 }
  while (!over.signal.aborted) {
    loop.reset()
    const begun = performance.now()
    await fetch(`http://${authority}/api/v1/status`).then((answer) => answer.text(), () => null)
    const ms = performance.now() - begun
    told.asked += 1
    told.worstMs = Math.max(told.worstMs, ms)
    if (ms - loop.max / 1e6 > 100) told.frozen += 1
    await sleep(20)
  }
  process.send?.(told)
}

const answerFrom = <T>(child: ChildProcess): Promise<T> =>
  new Promise((resolve) => child.once('message', (message) => resolve(message as T)))

/** What is attacked. */
interface Target {
  readonly authority: string
  /** In MB. */
  rss(): Promise<number>
  /** The same after a minute's rest; null where garbage is collected for each look anyway. */
  rested(): Promise<number | null>
  hasEnded(): boolean
  /** The request as it is sent: with ids that mean something where there are any. */
  mean(bytes: Buffer): Buffer
  close(): Promise<void>
  /** Whether a refusal with a 5xx may come, e.g. for what a panic swept away. */
  readonly mayFail: boolean
}

const lone = async (): Promise<Target> => {
  const child = fork(fileURLToPath(import.meta.url), ['--serve'], { execArgv: ['--expose-gc'] })
  return {
    authority: await answerFrom<string>(child),
    rss: async () => {
      child.send('rss')
      return (await answerFrom<number>(child)) / 2 ** 20
    },
    rested: () => Promise.resolve(null),
    hasEnded: () => child.exitCode !== null || child.signalCode !== null,
    mean: (bytes) => bytes,
    close: async () => {
      if (child.connected) child.disconnect()
    },
    mayFail: false,
  }
}

const RUN_IDS = /"executionId":"([0-9a-f-]{36})","dmxAllowed"/g
/** The runs that the daemon made of late: what the fuzz may mean by an id. */
const runs: string[] = []

const daemon = async (): Promise<Target> => {
  const house = new Daemon()
  const media = (name: string): string => join(import.meta.dirname, '../demo/media', name)
  const files = ['sting-correct.flac', 'sting-wrong.mp3', 'bed-thinking.opus', 'sting-roll.opus']
  house.writeShow([
    { buttons: [...files.map((name) => ({ media: media(name) })), { media: 'missing.flac' }] },
    { mode: 'sequence', wrap: true, buttons: files.map((name) => ({ media: media(name) })) },
  ])
  // Answers of the API are judged; pages have rules of their own (`test/browser/wall-elsewhere`).
  const config = join(house.folder, 'config.json')
  writeFileSync(config, JSON.stringify({ pages: { enabled: false } }))
  await house.start(['--sink', 'null', '--log-level', 'error', '--config', config], {})
  let asked = 0
  const rss = (): number => {
    const status = readFileSync(`/proc/${house.pid}/status`, 'utf8')
    return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1024
  }
  return {
    authority: new URL(house.base).host,
    rss: () => Promise.resolve(rss()),
    rested: async () => {
      await sleep(REST_MS)
      return rss()
    },
    hasEnded: () => house.child?.exitCode !== null || house.child.signalCode !== null,
    mean: (bytes) => {
      asked += 1
      const text = bytes.toString('latin1').replaceAll(BUTTON, button(1 + (asked % 9)))
      return Buffer.from(text.replaceAll(RUN, runs.at(-1 - (asked % 3)) ?? RUN), 'latin1')
    },
    close: async () => {
      const { code } = await house.end('SIGTERM')
      if (code !== 0) complaints.push(`the daemon ended with ${code}`)
      await house.clean()
    },
    mayFail: true,
  }
}

const comeToRest = async (target: Target, before: number | null): Promise<void> => {
  if (before === null) return
  const after: number[] = []
  for (let minute = 1; minute <= RESTS_MOST; minute += 1) {
    const mb = await target.rested() ?? 0
    after.push(mb)
    if (mb <= before + MORE_MB) break
  }
  const minutes = after.map((mb) => mb.toFixed(0)).join(' ')
  console.log(`RSS in MB at rest: ${before.toFixed(0)}, then minute by minute ${minutes}`)
  if ((after.at(-1) ?? 0) > before + MORE_MB) complaints.push('memory does not come back')
}

const counts = new Map<string, number>()
const complaints: string[] = []

const judge = (text: string, sent: Buffer, mayFail: boolean): void => {
  for (const [, id] of text.matchAll(RUN_IDS)) runs.push(id ?? RUN)
  if (runs.length > 100) runs.splice(0, 50)
  try {
    for (const { status, headers, body } of answersIn(text)) {
      const what = status < 500 ? String(status) : `${status} ${body}`
      counts.set(what, (counts.get(what) ?? 0) + 1)
      if (status === 100) continue
      const complaint =
        status >= 500 && !mayFail
          ? `a ${status}`
          : complaintOf(status, headers.get('access-control-allow-origin'), body)
      if (complaint !== null) complaints.push(`${complaint}: ${sent.toString('latin1')}`)
    }
  } catch (error) {
    complaints.push(`${String(error)}: ${sent.toString('latin1')}`)
  }
}

const isWhole = (heard: string, asked: Buffer): boolean => {
  const end = heard.indexOf('\r\n\r\n')
  if (end < 0) return false
  if (asked.toString('latin1', 0, 5) === 'HEAD ') return true
  const length = /\r\ncontent-length: (\d+)\r\n/i.exec(heard.slice(0, end + 2))?.[1] ?? 0
  return heard.length >= end + 4 + Number(length)
}

/** Asks one after the other on a connection, a new one where the server had to close it. */
const askAll = async (
  port: number, asks: readonly Buffer[], target: Target,
): Promise<void> => {
  let socket: net.Socket | null = null
  for (const ask of asks) {
    const bytes = target.mean(ask)
    socket ??= net.connect(port, HOST)
    const here = socket
    const text = await new Promise<string>((resolve) => {
      let heard = ''
      const finish = (): void => {
        here.removeAllListeners()
        here.on('error', () => undefined)
        if (here.destroyed || here.readableEnded || /connection: close/i.test(heard)) {
          here.destroy()
          socket = null
        }
        resolve(heard)
      }
      here.on('data', (chunk) => {
        heard += chunk.toString('latin1')
        if (isWhole(heard, bytes)) finish()
      })
      here.on('end', finish)
      here.on('close', finish)
      here.on('error', finish)
      here.write(bytes)
    })
    if (text === '') complaints.push(`no answer: ${bytes.toString('latin1')}`)
    judge(text, bytes, target.mayFail)
  }
  socket?.destroy()
}

const attack = async (target: Target, total: number, seed: number): Promise<void> => {
  const { authority } = target
  const port = Number(authority.split(':')[1])
  const garble = anyBytes(() => authority)
  const memory: number[] = []
  const before = await target.rested()
  const beside = fork(fileURLToPath(import.meta.url), ['--probe', authority])
  console.log(`seed ${seed}, ${total} requests`)
  for (let done = 0; done < total && complaints.length === 0 && !target.hasEnded(); done += BATCH) {
    const asks = fc.sample(anyAsk, { numRuns: BATCH, seed: seed + done })
    const each = BATCH / CONNECTIONS
    await Promise.all([
      ...Array.from({ length: CONNECTIONS }, (_, i) =>
        askAll(
          port, asks.slice(i * each, (i + 1) * each).map((ask) => bytesOf(ask, authority)), target,
        ),
      ),
      ...fc.sample(garble, { numRuns: GARBLED, seed: seed + done }).map(async (bytes) =>
        judge((await talk(port, [bytes], 100, null)).text, bytes, target.mayFail),
      ),
    ])
    if ((done / BATCH) % EVERY === EVERY - 1) memory.push(await target.rss())
  }
  beside.send('over')
  const probed = await answerFrom<Probed>(beside)
  beside.disconnect()
  console.log(`beside it: ${JSON.stringify(probed)}`)
  if (probed.frozen > 0) complaints.push(`a good request waited ${probed.frozen} times for 100 ms`)
  const answers = [...counts].sort().map(([status, count]) => `${status}: ${count}`)
  console.log(answers.join(', '))
  console.log(`RSS in MB: ${memory.map((mb) => mb.toFixed(0)).join(' ')}`)
  // The first samples are the heap finding its size; a short run cannot tell. A daemon keeps runs
  // and keys for ten minutes: of it counts whether its memory comes back.
  const [early = Infinity] = memory.slice(2)
  const late = memory.at(-1) ?? 0
  if (before === null && late > early * 1.2 + 5) {
    complaints.push(`memory grows: ${early} to ${late} MB`)
  }
  if (target.hasEnded()) complaints.push('the server ended')
  else {
    await comeToRest(target, before)
  }
  await target.close()
  for (const complaint of complaints.slice(0, 10)) console.error(complaint)
  process.exitCode = complaints.length === 0 ? 0 : 1
}

if (process.argv[2] === '--serve') await serveOnly()
else if (process.argv[2] === '--probe') await probe(process.argv[3] ?? '')
else {
  const [requests = 200_000, seed = Date.now() % 1e6] = process.argv
    .slice(2)
    .filter((one) => one !== '--daemon')
    .map(Number)
  await attack(await (process.argv.includes('--daemon') ? daemon() : lone()), requests, seed)
}
