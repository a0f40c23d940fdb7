// How long `cartwall serve` takes until it is ready, and the memory it then rests in.
//
//   node --import tsx bench/start.ts [--rounds N] [--buttons N]          (it needs the build)
//
// Beside it stand `node` that does nothing and a bare fastify that listens, begun in turn with it,
// so that a slow or busy machine shows in all of them.
import { spawn, type ChildProcess } from 'node:child_process'
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { type PulseServer, reap } from '../test/devices/pulse.js'
import { writeLargeShow } from './show.js'
import { memoryOf, type Memory } from './memory.js'
import { conditions, ms, quantile, table } from './report.js'
import { withPulse } from './with-pulse.js'

const CLI = resolve(import.meta.dirname, '../dist/cli.js')
const FASTIFY = import.meta.resolve('fastify')
const READY_MS = 30_000
/**
 * Arming and probing are over by then with the demo show, and V8 collects what a start leaves once
 * there was nothing to do for eight seconds.
 */
const REST_MS = 20_000
/** The processes of one that was killed end by themselves; until then they would slow the next. */
const SETTLE_MS = 500

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '11' },
    buttons: { type: 'string', default: '10000' },
  },
})
const rounds = Number(values.rounds)
const folder = mkdtempSync(join(tmpdir(), 'cartwall-start-'))

interface Case {
  readonly name: string
  readonly aim: string
  readonly args: readonly string[]
  readonly environment: NodeJS.ProcessEnv
  readonly rest: boolean
}

const NOTHING = ['-e', 'console.log("ready on nothing")']
const BARE = ['--input-type=module', '-e', [
  `import { fastify } from '${FASTIFY}'`,
  'const app = fastify(); app.get("/", async () => ({}))',
  'await app.listen({ host: "127.0.0.1", port: 0 }); console.log("ready on")',
].join(';')]

const begin = (one: Case): Promise<{ child: ChildProcess; ms: number }> =>
  new Promise((done, fail) => {
    const begun = performance.now()
    const child = spawn(process.execPath, one.args, {
      env: { ...process.env, XDG_CACHE_HOME: folder, ...one.environment },
      stdio: ['ignore', 'pipe', 'ignore'],
    })
    const timer = setTimeout(() => {
      child.kill('SIGKILL')
      fail(new Error(`${one.name}: not ready in ${READY_MS / 1_000} s`))
    }, READY_MS)
    child.once('exit', (code) => {
      fail(new Error(`${one.name} ended with ${String(code)}`))
    })
    let out = ''
    child.stdout.on('data', (chunk: Buffer) => {
      out += chunk.toString()
      if (!out.includes('ready on')) return
      clearTimeout(timer)
      done({ child, ms: performance.now() - begun })
    })
  })

const rested = async (one: Case): Promise<readonly Memory[]> => {
  const { child } = await begin(one)
  await sleep(REST_MS)
  const memory = memoryOf(child.pid ?? 0)
  await reap(child, 'SIGTERM')
  return memory
}

const serve = (show: string | null, sink: string, port: number): readonly string[] => [
  CLI, 'serve', '--sink', sink, '--port', String(port), '--log-level', 'error',
  ...(show === null ? [] : ['--show', show]),
]

const main = async (pulse: PulseServer): Promise<void> => {
  const large = writeLargeShow(folder, Number(values.buttons))
  const none: NodeJS.ProcessEnv = {}
  const cases: readonly Case[] = [
    { name: 'node that does nothing', aim: '', args: NOTHING, environment: none, rest: false },
    { name: 'bare fastify', aim: '', args: BARE, environment: none, rest: false },
    {
      name: 'demo show, null sink', aim: '500 ms', args: serve(null, 'null', 47_701),
      environment: none, rest: true,
    },
    {
      name: 'demo show, sound device', aim: '500 ms', args: serve(null, 'speaker', 47_702),
      environment: pulse.environment, rest: true,
    },
    {
      name: `${values.buttons} buttons, null sink`, aim: '2000 ms',
      args: serve(large, 'null', 47_703),
      environment: none, rest: false,
    },
  ]
  const took = cases.map((): number[] => [])
  // The first round fills the caches of the disk and does not count.
  for (let round = 0; round <= rounds; round += 1) {
    for (const [n, one] of cases.entries()) {
      const { child, ms: each } = await begin(one)
      if (round > 0) took[n]?.push(each)
      await reap(child, 'SIGKILL')
      await sleep(SETTLE_MS)
    }
  }
  console.log(conditions())
  const plain = quantile(took[0] ?? [], 0.5)
  console.log(table(
    ['start to ready', 'least', 'p50', 'p90', 'x node', 'aim for p50'],
    cases.map(({ name, aim }, n) => {
      const times = took[n] ?? []
      const middle = quantile(times, 0.5)
      const spread = [quantile(times, 0), middle, quantile(times, 0.9)].map(ms)
      return [name, ...spread, (middle / plain).toFixed(1), aim]
    }),
  ))
  for (const one of cases.filter(({ rest }) => rest)) {
    const rows = (await rested(one)).map(({ name, rssMb, ownMb }) =>
      [name, `${rssMb.toFixed(0)} MB`, `${ownMb.toFixed(0)} MB`])
    console.log(table([`at rest: ${one.name}`, 'RSS', 'share (PSS)'], rows))
  }
}

await withPulse(folder, main)
