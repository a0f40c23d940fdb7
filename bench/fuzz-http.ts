// 200 000 hostile requests over real sockets: documented answers only, no crash, memory flat.
// Usage: fuzz-http [requests] [seed]. The server is a process of its own; exit 1 on any complaint.
import { fork, type ChildProcess } from 'node:child_process'
import net, { type AddressInfo } from 'node:net'
import { fileURLToPath } from 'node:url'
import fc from 'fast-check'
import { buildServer } from '../src/api/server.js'
import { FakePlayer } from '../test/api/fake-player.js'
import { anyAsk, anyBytes, bytesOf, complaintOf } from '../test/api/hostile.js'
import { answersIn, talk } from '../test/api/served.js'

const HOST = '127.0.0.1'
const BATCH = 2_000
const CONNECTIONS = 20
/** Of every batch, this many connections carry bytes that are no requests. */
const GARBLED = 40

const serveOnly = async (): Promise<void> => {
  const player = new FakePlayer()
  // The fake remembers commands for tests; here that would be a leak.
  player.commands.push = () => 0
  let authority = ''
  const app = buildServer({
    player,
    get authority() {
      return authority
    },
    entitled: () => true,
    shuttingDown: () => false,
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

const answerFrom = <T>(child: ChildProcess): Promise<T> =>
  new Promise((resolve) => child.once('message', (message) => resolve(message as T)))

const rssOf = async (child: ChildProcess): Promise<number> => {
  child.send('rss')
  return (await answerFrom<number>(child)) / 2 ** 20
}

const counts = new Map<string, number>()
const complaints: string[] = []

const judge = (text: string, sent: Buffer): void => {
  try {
    for (const { status, headers, body } of answersIn(text)) {
      counts.set(String(status), (counts.get(String(status)) ?? 0) + 1)
      if (status === 100) continue
      const complaint =
        status >= 500
          ? `a ${status}`
          : complaintOf(status, headers.get('access-control-allow-origin'), body)
      if (complaint !== null) complaints.push(`${complaint}: ${sent.toString('latin1')}`)
    }
  } catch (error) {
    complaints.push(`${String(error)}: ${sent.toString('latin1')}`)
  }
}

/** Asks one after the other on a connection, a new one where the server had to close it. */
const askAll = async (port: number, asks: readonly Buffer[]): Promise<void> => {
  let socket: net.Socket | null = null
  for (const bytes of asks) {
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
        if (heard.includes('\r\n\r\n')) finish()
      })
      here.on('end', finish)
      here.on('close', finish)
      here.on('error', finish)
      here.write(bytes)
    })
    if (text === '') complaints.push(`no answer: ${bytes.toString('latin1')}`)
    judge(text, bytes)
  }
  socket?.destroy()
}

const attack = async (total: number, seed: number): Promise<void> => {
  const child = fork(fileURLToPath(import.meta.url), ['--serve'], { execArgv: ['--expose-gc'] })
  const hasEnded = (): boolean => child.exitCode !== null || child.signalCode !== null
  const authority = await answerFrom<string>(child)
  const port = Number(authority.split(':')[1])
  const garble = anyBytes(() => authority)
  const memory: number[] = []
  console.log(`seed ${seed}, ${total} requests`)
  for (let done = 0; done < total && complaints.length === 0 && !hasEnded(); done += BATCH) {
    const asks = fc.sample(anyAsk, { numRuns: BATCH, seed: seed + done })
    const each = BATCH / CONNECTIONS
    await Promise.all([
      ...Array.from({ length: CONNECTIONS }, (_, i) =>
        askAll(port, asks.slice(i * each, (i + 1) * each).map((ask) => bytesOf(ask, authority))),
      ),
      ...fc.sample(garble, { numRuns: GARBLED, seed: seed + done }).map(async (bytes) =>
        judge((await talk(port, [bytes], 100, null)).text, bytes),
      ),
    ])
    if ((done / BATCH) % 10 === 9) memory.push(await rssOf(child))
  }
  const answers = [...counts].sort().map(([status, count]) => `${status}: ${count}`)
  console.log(answers.join(', '))
  console.log(`RSS in MB: ${memory.map((mb) => mb.toFixed(0)).join(' ')}`)
  // The first samples are the heap finding its size; a short run cannot tell.
  const [early = Infinity] = memory.slice(2)
  const late = memory.at(-1) ?? 0
  if (late > early * 1.2 + 5) complaints.push(`memory grows: ${early} to ${late} MB`)
  if (hasEnded()) complaints.push('the server ended')
  for (const complaint of complaints.slice(0, 10)) console.error(complaint)
  if (child.connected) child.disconnect()
  process.exitCode = complaints.length === 0 ? 0 : 1
}

if (process.argv[2] === '--serve') await serveOnly()
else await attack(Number(process.argv[2] ?? 200_000), Number(process.argv[3] ?? Date.now() % 1e6))
