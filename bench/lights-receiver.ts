// Hears Art-Net frames in a process of its own and tells how far each was from its place in time.
import { spawnSync } from 'node:child_process'
import dgram from 'node:dgram'
import { quantile } from './report.js'

const GRID_MS = 25
/** Ten minutes of frames, and some. */
const FRAMES_MAX = 40_000

const [port = '0', lastUniverse = '0'] = process.argv.slice(2)
const arrivals: number[] = []
let packets = 0

// A watch that waits for its own turn measures itself.
if (spawnSync('chrt', ['-r', '-p', '5', String(process.pid)]).status !== 0) {
  console.log('the receiver may not go first: its own delays are in the figures')
}

const socket = dgram.createSocket({ type: 'udp4', recvBufferSize: 4 * 1024 * 1024 })
socket.on('message', (packet) => {
  packets += 1
  // A frame is there when its last universe is.
  if (packet.readUInt16LE(14) !== Number(lastUniverse) || arrivals.length >= FRAMES_MAX) return
  arrivals.push(performance.now())
})
socket.bind(Number(port), '127.0.0.1', () => {
  process.send?.('ready')
})

process.on('message', (word) => {
  if (word === 'forget') {
    arrivals.length = 0
    packets = 0
    return
  }
  const first = arrivals[0] ?? 0
  const off = arrivals.map((at) => at - first - Math.round((at - first) / GRID_MS) * GRID_MS)
  // The grid's own phase is unknown here: the middle of all frames stands for it.
  const phase = quantile(off, 0.5)
  const errors = off.map((value) => Math.abs(value - phase))
  const at = (share: number): number => quantile(errors, share)
  const span = (arrivals.at(-1) ?? 0) - first
  const gaps = arrivals.slice(1).map((at, index) => at - (arrivals[index] ?? 0))
  process.send?.({
    packets, frames: arrivals.length, hz: ((arrivals.length - 1) * 1_000) / span,
    p50: at(0.5), p99: at(0.99), p999: at(0.999), max: at(1),
    gap: quantile(gaps, 1), late: gaps.filter((gap) => gap > 2 * GRID_MS).length,
  })
})
