// Answers: how long a request waits for its own, queries and commands by turns, in silence and
// over sound, in units of what a bare node:http server takes in the same run.
//
//   node --import tsx bench/answers.ts [--trials N]                               (of the build)
//
// One connection that stays, one request at a time, with a pause before each: that is how a quiz
// app asks, and how a processor falls asleep in between. It all plays into PulseAudio's null sink.
import { fork } from 'node:child_process'
import { mkdtempSync } from 'node:fs'
import { createServer } from 'node:http'
import { connect, type AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { button } from '../test/devices/daemon-rig.js'
import type { PulseServer } from '../test/devices/pulse.js'
import { BenchDaemon, HOST, nowMs, requestBytes } from './daemon.js'
import { conditions, ms, quantile, table } from './report.js'
import { writeShow } from './show.js'
import { writeBed, writeGo } from './sounds.js'
import { withPulse } from './with-pulse.js'

const { values, positionals } = parseArgs({
  allowPositionals: true, options: { trials: { type: 'string', default: '400' } },
})
const TRIALS = Number(values.trials)
const [BED, GO] = [1, 2]

interface Case {
  readonly name: string
  /** One request, and its answer. */
  readonly ask: () => Promise<unknown>
}

const serveBare = (): void => {
  const body = JSON.stringify({ state: 'idle' })
  const server = createServer((_request, response) => {
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': body.length })
    response.end(body)
  })
  server.listen(0, HOST, () => process.send?.((server.address() as AddressInfo).port))
  process.on('disconnect', () => process.exit(0))
}

/** Asks the bare server, as the daemon is asked. */
const bare = async (): Promise<{ ask: () => Promise<void>; close: () => void }> => {
  const child = fork(fileURLToPath(import.meta.url), ['bare'])
  const port = await new Promise<number>((done) => child.once('message', (message) => {
    done(Number(message))
  }))
  const socket = connect(port, HOST)
  socket.setNoDelay(true)
  await new Promise((done) => socket.once('connect', done))
  return {
    ask: () => new Promise((done) => {
      socket.once('data', () => { done() })
      socket.write(requestBytes('GET', '/status', port))
    }),
    close: () => {
      socket.destroy()
      child.disconnect()
    },
  }
}

const casesOf = (
  daemon: BenchDaemon, askBare: () => Promise<void>, run: string,
): readonly Case[] => [
  { name: 'bare node:http', ask: askBare },
  { name: 'GET status', ask: () => daemon.ask('GET', '/status') },
  { name: 'GET an execution', ask: () => daemon.ask('GET', `/executions/${run}`) },
  { name: 'POST play', ask: () => daemon.ask('POST', `/buttons/${button(GO)}/play`) },
]

/** By turns; each is what the one before left: a bed that sounds, and one that is paused. */
const overBed = (daemon: BenchDaemon, run: string): readonly Case[] => {
  const body = JSON.stringify({ executionId: run })
  return ['pause', 'resume'].map((verb) => ({
    name: `POST ${verb}`, ask: () => daemon.ask('POST', `/buttons/${button(BED)}/${verb}`, body),
  }))
}

const measure = async (cases: readonly Case[]): Promise<ReadonlyMap<string, readonly number[]>> => {
  const times = new Map(cases.map(({ name }) => [name, [] as number[]]))
  for (let n = 0; n < TRIALS; n += 1) {
    for (const { name, ask } of cases) {
      await sleep(20 + Math.random() * 20)
      const asked = nowMs()
      await ask()
      times.get(name)?.push(nowMs() - asked)
    }
  }
  return times
}

const tell = (what: string, times: ReadonlyMap<string, readonly number[]>): void => {
  const unit = quantile(times.get('bare node:http') ?? [], 0.5)
  console.log(table(
    [what, 'p50', 'p95', 'p99', 'p50 in units of the bare p50', 'p99 in the same'],
    [...times].map(([name, seen]) => [
      name, ...[0.5, 0.95, 0.99].map((share) => ms(quantile(seen, share))),
      ...[0.5, 0.99].map((share) => (quantile(seen, share) / unit).toFixed(1)),
    ]),
  ))
}

const main = async (pulse: PulseServer, folder: string): Promise<void> => {
  writeBed(join(folder, 'bed.wav'), 30)
  writeGo(join(folder, 'go.wav'))
  const show = writeShow(folder, [
    { media: 'bed.wav', isLoopEnabled: true, allowOverlap: true },
    { media: 'go.wav', allowOverlap: true },
  ])
  const daemon = await BenchDaemon.start({
    folder, show, sink: 'speaker', port: 47_713, environment: pulse.environment,
  })
  const other = await bare()
  try {
    await daemon.armed(GO)
    const over = await daemon.play(button(BED))
    await daemon.ask('POST', '/stop')
    console.log(conditions())
    tell('in silence', await measure(casesOf(daemon, other.ask, over)))
    const run = await daemon.play(button(BED))
    tell('over a bed', await measure([
      ...casesOf(daemon, other.ask, run), ...overBed(daemon, run),
    ]))
    console.log(conditions())
  } finally {
    other.close()
    await daemon.stop()
  }
}

if (positionals[0] === 'bare') serveBare()
else {
  const folder = mkdtempSync(join(tmpdir(), 'cartwall-answers-'))
  await withPulse(folder, (pulse) => main(pulse, folder))
}
