// What a request costs: CPU of our server against bare fastify, over the same answers, in one run,
// and between them fastify with ts-rest, the contract's checks, and nothing else of ours.
//
//   node --import tsx bench/http-cost.ts [REQUESTS]    (built: ours is what is shipped)
//
// Each server is a process of its own; its CPU time is read before and after a round of requests.
// Every round has new processes, since two of the same program differ by a tenth for all their
// life. All share one processor with whoever asks: a write costs more where it wakes another one,
// which is idle the oftener, the slower the server is, so that the slower one would pay twice.
import { fork, spawnSync, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import net, { type AddressInfo } from 'node:net'
import { fileURLToPath } from 'node:url'
import { initServer } from '@ts-rest/fastify'
import fastify, { type FastifyInstance } from 'fastify'
import type * as FastPath from '../src/api/schema-fast-path.js'
import type * as Server from '../src/api/server.js'
import type * as Real from '../src/clock/real.js'
import type * as Routes from '../src/contract/routes.js'
import type { Reply } from '../src/engine/commands/commands.js'
import { BUTTON, EXECUTION, FakePlayer, RUN } from '../test/api/fake-player.js'
import { table } from './report.js'

/** Of ours; compiled on the fly, functions within functions cost more to make. */
interface Shipped {
  readonly 'api/schema-fast-path': typeof FastPath
  readonly 'api/server': typeof Server
  readonly 'clock/real': typeof Real
  readonly 'contract/routes': typeof Routes
}
const shipped = async <Path extends keyof Shipped>(path: Path): Promise<Shipped[Path]> =>
  (await import(new URL(`../dist/${path}.js`, import.meta.url).href)) as Shipped[Path]
const { quick } = await shipped('api/schema-fast-path')
const { buildServer } = await shipped('api/server')
const { realTimers } = await shipped('clock/real')
const { contract } = await shipped('contract/routes')

const ROUNDS = 12
const REQUESTS = Number(process.argv[2] ?? 10_000)
const PROCESSOR = '0'
const CONNECTIONS = 10
const HOST = '127.0.0.1'

const BODY = JSON.stringify({ executionId: RUN, fadeOutMs: 500 })
const CASES = {
  'GET /status': { method: 'GET', path: '/api/v1/status', body: '' },
  'GET /executions/{id}': { method: 'GET', path: `/api/v1/executions/${RUN}`, body: '' },
  'POST play, no body': { method: 'POST', path: `/api/v1/buttons/${BUTTON}/play`, body: '' },
  'POST pause, JSON': { method: 'POST', path: `/api/v1/buttons/${BUTTON}/pause`, body: BODY },
} as const
type Case = (typeof CASES)[keyof typeof CASES]

const KINDS = ['bare', 'contract', 'cartwall'] as const
type Kind = (typeof KINDS)[number]

const PLAYED = {
  result: 'accepted', id: BUTTON, executionId: RUN, dmxAllowed: true, dmxExecutionId: null,
} as const

const PLAY_REPLY: Reply = { ok: true, status: 202, body: PLAYED }
const PAUSE_REPLY: Reply = { ok: true, status: 200, body: EXECUTION }

/** Bare fastify at its quickest for these answers: no hooks, no schemas, a parser of its own. */
const bareServer = (): FastifyInstance => {
  const player = new FakePlayer()
  const app = fastify()
  app.get('/api/v1/status', async () => player.status())
  app.get('/api/v1/executions/:executionId', async () => EXECUTION)
  app.post('/api/v1/buttons/:id/pause', async () => EXECUTION)
  app.post('/api/v1/buttons/:id/play', async (_request, reply) => {
    reply.code(202)
    return PLAYED
  })
  return app
}

/** What the contract costs by itself: requests are checked as ours are, answers are not. */
const contractServer = (): FastifyInstance => {
  const player = new FakePlayer()
  const app = fastify()
  const { status, execution, play, pause } = quick(contract, false)
  const router = initServer().router({ status, execution, play, pause }, {
    status: async () => ({ status: 200, body: player.status() }),
    execution: async () => ({ status: 200, body: EXECUTION }),
    play: async () => ({ status: 202, body: PLAYED }),
    pause: async () => ({ status: 200, body: EXECUTION }),
  })
  app.register(initServer().plugin(router), { logInitialization: false })
  return app
}

const cartwallServer = (authority: () => string): FastifyInstance => {
  const player = new FakePlayer()
  // The fake remembers commands, and makes its answers anew: neither is the server's cost.
  player.commands.push = () => 0
  player.answer = async ({ kind }) => (kind === 'play' ? PLAY_REPLY : PAUSE_REPLY)
  return buildServer({
    timers: realTimers(),
    player,
    get authority() {
      return authority()
    },
    entitled: () => true,
    shuttingDown: () => false,
    origins: 'any',
    live: null,
    pages: null,
    logger: null,
    checksAnswers: false,
  })
}

const SERVERS = { bare: bareServer, contract: contractServer, cartwall: cartwallServer } as const

const serveAs = async (kind: Kind): Promise<void> => {
  let authority = ''
  const app = SERVERS[kind](() => authority)
  await app.listen({ host: HOST, port: 0 })
  const address = app.server.address() as AddressInfo
  authority = `${HOST}:${address.port}`
  process.on('message', () => process.send?.(process.cpuUsage()))
  process.on('disconnect', () => process.exit(0))
  process.send?.(address.port)
}

const answerFrom = <T>(child: ChildProcess): Promise<T> =>
  new Promise((resolve, reject) => {
    const onExit = (): void => reject(new Error('the server ended'))
    child.once('exit', onExit)
    child.once('message', (message) => {
      child.off('exit', onExit)
      resolve(message as T)
    })
  })

const cpuOf = async (child: ChildProcess): Promise<number> => {
  child.send('cpu')
  const { user, system } = await answerFrom<NodeJS.CpuUsage>(child)
  return user + system
}

/** One connection, one request after the other. */
const hammer = (port: number, { method, path, body }: Case, count: number): Promise<void> =>
  new Promise((resolve, reject) => {
    const type = body === '' ? '' : 'Content-Type: application/json\r\n'
    const length = method === 'GET' ? '' : `Content-Length: ${body.length}\r\n`
    const bytes = Buffer.from(
      `${method} ${path} HTTP/1.1\r\nHost: ${HOST}:${port}\r\n${type}${length}\r\n${body}`,
    )
    let left = count
    const socket = net.connect(port, HOST, () => socket.write(bytes))
    socket.on('error', reject)
    socket.on('data', (chunk) => {
      if (!chunk.subarray(0, 10).includes('HTTP/1.1 2')) reject(new Error(chunk.toString()))
      left -= 1
      if (left > 0) socket.write(bytes)
      else socket.end(() => resolve())
    })
  })

const measure = async (child: ChildProcess, port: number, what: Case): Promise<number> => {
  const before = await cpuOf(child)
  const each = REQUESTS / CONNECTIONS
  await Promise.all(Array.from({ length: CONNECTIONS }, () => hammer(port, what, each)))
  return ((await cpuOf(child)) - before) / REQUESTS
}

/** The quietest round: what else the machine does can only add to a cost. */
const least = (values: readonly number[]): number => Math.min(...values)

/** The cost of each case in new processes of all kinds. */
const round = async (costs: Record<string, Record<Kind, number[]>>): Promise<void> => {
  for (const kind of KINDS) {
    const child = fork(fileURLToPath(import.meta.url), ['--serve', kind])
    const port = await answerFrom<number>(child)
    // The first of each warm it up and do not count.
    for (const what of Object.values(CASES)) await measure(child, port, what)
    for (const [name, what] of Object.entries(CASES)) {
      costs[name]?.[kind].push(await measure(child, port, what))
    }
    const ended = once(child, 'exit')
    child.disconnect()
    await ended
  }
}

const shareOneProcessor = (): void => {
  const { status } = spawnSync('taskset', ['-pc', PROCESSOR, String(process.pid)])
  if (status !== 0) console.log('no taskset: wakes of other processors are in these figures')
}

const compare = async (): Promise<void> => {
  shareOneProcessor()
  console.log(`${REQUESTS} requests a round, ${ROUNDS} rounds, the quietest one's CPU per request`)
  const costs: Record<string, Record<Kind, number[]>> = {}
  for (const name in CASES) costs[name] = { bare: [], contract: [], cartwall: [] }
  for (let n = 0; n < ROUNDS; n += 1) await round(costs)
  const rows = Object.entries(costs).map(([name, of]) => {
    const cells = KINDS.map((kind) => `${least(of[kind]).toFixed(1)} µs`)
    const ratios = KINDS.slice(1).map((kind) => (least(of[kind]) / least(of.bare)).toFixed(2))
    return [name, ...cells, ratios.join(', ')]
  })
  console.log(table(['request', 'bare fastify', 'with ts-rest', 'cartwall', 'ratios'], rows))
}

if (process.argv[2] === '--serve') await serveAs(process.argv[3] as Kind)
else await compare()
