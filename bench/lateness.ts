// Lateness of the sound thread beside 100 connections that never rest, and without them.
//
//   node --import tsx bench/lateness.ts [--seconds N]                    (it needs the build)
//
// Eight voices sound. "Late" is by how much a timer of 5 ms on the sound thread woke it after it
// was due (a rounding of up to 1 ms is the timer's own). "Off the grid" is how far blocks were
// rendered behind an even grid, drawn through the promptest hundredth of them in each ten
// seconds: a device takes in pieces, and the pace without one is a tick of 5 ms, so much of it
// is the pace itself.
// "Least queued" is what the device still had at worst when the next block came.
import { fork, type ChildProcess } from 'node:child_process'
import { mkdtempSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { button } from '../test/devices/daemon-rig.js'
import type { PulseServer } from '../test/devices/pulse.js'
import { BenchDaemon, HOST, requestBytes, type Block } from './daemon.js'
import { conditions, ms, quantile, table } from './report.js'
import { writeShow } from './show.js'
import { writeHum } from './sounds.js'
import { withPulse } from './with-pulse.js'

const HERE = fileURLToPath(import.meta.url)
const VOICES = 8
const CONNECTIONS = 100
const WINDOW_MS = 10_000
const PORTS = { null: 47_721, speaker: 47_722 } as const

const { values, positionals } = parseArgs({
  options: { seconds: { type: 'string', default: '20' } },
  allowPositionals: true,
})
const SECONDS = Number(values.seconds)

// The one who hammers, a process of its own

const hammer = (port: number): void => {
  let served = 0
  const bytes = [
    requestBytes('GET', '/status', port),
    requestBytes('GET', '/buttons', port),
    requestBytes('POST', `/buttons/${button(VOICES + 1)}/stop`, port),
  ]
  for (let n = 0; n < CONNECTIONS; n += 1) {
    let turn = n
    const ask = (): void => {
      turn += 1
      socket.write(bytes[turn % bytes.length] ?? '')
    }
    const socket = connect(port, HOST, ask)
    // Answers are small: what comes in one piece is one of them.
    socket.on('data', () => {
      served += 1
      ask()
    })
    socket.on('error', () => process.exit(1))
  }
  process.on('message', () => process.send?.(served))
  process.on('disconnect', () => process.exit(0))
}

const served = (child: ChildProcess): Promise<number> =>
  new Promise((done) => {
    child.once('message', (count) => {
      done(Number(count))
    })
    child.send('tell')
  })

// What is measured

/** How far behind the even grid each block was. */
const behind = (blocks: readonly Block[]): number[] => {
  const grid: number[] = []
  let window: number[] = []
  let windowMs = NaN
  let frames = 0
  const settle = (): void => {
    const prompt = quantile(window, 0.01)
    for (const each of window) grid.push(Math.max(0, each - prompt))
    window = []
  }
  for (const block of blocks) {
    if (Number.isNaN(windowMs) || block.begunMs - windowMs > WINDOW_MS) {
      settle()
      windowMs = block.begunMs
    }
    window.push(block.begunMs - frames / 48)
    frames += block.frames
  }
  settle()
  return grid
}

interface Row {
  readonly late: readonly number[]
  readonly grid: readonly number[]
  readonly cost: number[]
  readonly least: number
  readonly underruns: number
  readonly perSecond: number
}

const measure = async (daemon: BenchDaemon, port: number, beside: boolean): Promise<Row> => {
  const child = beside
    ? fork(HERE, ['hammer', String(port)], { execArgv: ['--import', 'tsx'] })
    : null
  await sleep(3_000)
  await daemon.blocks()
  const before = (await daemon.status()).audio.underruns
  const begun = child === null ? 0 : await served(child)
  await sleep(SECONDS * 1_000)
  const count = child === null ? 0 : (await served(child)) - begun
  child?.disconnect()
  const { blocks, late } = await daemon.watched()
  return {
    late,
    grid: behind(blocks),
    cost: blocks.map(({ begunMs, endedMs }) => endedMs - begunMs),
    least: quantile(blocks.filter(({ queued }) => queued >= 0).map(({ queued }) => queued / 48), 0),
    underruns: (await daemon.status()).audio.underruns - before,
    perSecond: Math.round(count / SECONDS),
  }
}

const main = async (pulse: PulseServer, folder: string): Promise<void> => {
  writeHum(join(folder, 'hum.wav'), 30)
  const hum = { media: 'hum.wav', isLoopEnabled: true, allowOverlap: true }
  const show = writeShow(folder, Array.from({ length: VOICES + 1 }, () => hum))
  console.log(conditions())
  const rows: string[][] = []
  for (const sink of ['null', 'speaker'] as const) {
    const port = PORTS[sink]
    const daemon = await BenchDaemon.start({
      folder, show, sink, port, environment: pulse.environment,
    })
    await daemon.armed(VOICES + 1)
    for (let n = 1; n <= VOICES; n += 1) await daemon.ask('POST', `/buttons/${button(n)}/play`)
    for (const beside of [false, true]) {
      const { late, grid, cost, least, underruns, perSecond } = await measure(daemon, port, beside)
      rows.push([
        `${sink}, ${beside ? `${CONNECTIONS} connections, ${perSecond} requests/s` : 'alone'}`,
        ms(quantile(late, 0.5)), ms(quantile(late, 0.99)), ms(quantile(late, 1)),
        ms(quantile(grid, 0.99)),        ms(quantile(cost, 0.99)), ms(least), String(underruns),
      ])
    }
    await daemon.stop()
  }
  console.log(table(
    ['sink', 'late p50', 'p99 (aim 3 ms)', 'max', 'off the grid p99', 'rendering p99',
      'least queued', 'underruns (aim 0)'],
    rows,
  ))
  console.log(conditions())
}

if (positionals[0] === 'hammer') hammer(Number(positionals[1]))
else {
  const folder = mkdtempSync(join(tmpdir(), 'cartwall-lateness-'))
  await withPulse(folder, (pulse) => main(pulse, folder))
}
