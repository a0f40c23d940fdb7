// Preloaded into the daemon: notes when each block was rendered, and tells it on SIGUSR2.
//
// Nothing in the daemon knows of it: it wraps the pacemaker's `start`, which the sound thread's
// joined program hands out as it is loaded (sound-probe-load.mjs). Times are of the monotonic
// clock, which all processes share. One row a block: begun ms, ended ms, frames, loudest right
// sample, frames queued before it, frames wanted queued. A row of no frames is a wake of a timer on
// the sound's own thread: when it was due, and when it came. A row of -1 frames is a command or a
// fact that is met there. FILE.requests has when each request came to the main thread.
import { subscribe } from 'node:diagnostics_channel'
import { writeFileSync } from 'node:fs'
import { register } from 'node:module'
import { setInterval } from 'node:timers'
import { BroadcastChannel, isMainThread } from 'node:worker_threads'

const ROW = 6
/** 20 minutes of blocks; what comes later takes the place of the oldest. */
const ROWS_MAX = 450_000
const TICK_MS = 5
const file = process.env.CARTWALL_PROBE

const nowMs = () => Number(process.hrtime.bigint()) / 1e6

const loudest = (samples, count) => {
  let peak = 0
  for (let n = 0; n < count; n += 1) peak = Math.max(peak, Math.abs(samples[n]))
  return peak
}

const listen = (Feeder) => {
  const rows = new Float64Array(ROWS_MAX * ROW)
  let taken = 0
  const note = (row) => {
    rows.set(row, (taken % ROWS_MAX) * ROW)
    taken += 1
  }
  // Node's timers count whole milliseconds: one may come up to a millisecond late by rounding.
  let last = nowMs()
  setInterval(() => {
    const now = nowMs()
    note([last + TICK_MS, now, 0, 0, 0, 0])
    last = now
  }, TICK_MS).unref()
  const wake = Feeder.prototype.wake
  Feeder.prototype.wake = function met() {
    const now = nowMs()
    note([now, now, -1, 0, 0, 0])
    wake.call(this)
  }
  const begin = Feeder.prototype.start
  Feeder.prototype.start = function start() {
    const { renderer, sink } = this
    this.renderer = {
      quiet: () => renderer.quiet(),
      foresee: (into, count, isAnew) => renderer.foresee(into, count, isAnew),
      lookAhead: renderer.lookAhead,
      render: (into, count) => {
        const queued = sink.queued() ?? -1
        const begun = nowMs()
        renderer.render(into, count)
        const peak = loudest(into.right, count)
        note([begun, nowMs(), count, peak, queued, sink.target()])
      },
    }
    begin.call(this)
  }
  const channel = new BroadcastChannel('sound-probe')
  channel.onmessage = () => {
    const kept = Math.min(taken, ROWS_MAX)
    const from = taken - kept
    const told = new Float64Array(kept * ROW)
    for (let n = 0; n < kept; n += 1) {
      const at = ((from + n) % ROWS_MAX) * ROW
      told.set(rows.subarray(at, at + ROW), n * ROW)
    }
    if (taken > 0) writeFileSync(file, told)
    taken = 0
    // What telling takes is none of the daemon's.
    last = nowMs()
  }
  channel.unref()
}

// The decoding process inherits the environment, but is no thread of the daemon's.
if (file !== undefined && process.send === undefined) {
  if (isMainThread) {
    const channel = new BroadcastChannel('sound-probe')
    channel.unref()
    let requests = []
    subscribe('http.server.request.start', () => requests.push(nowMs()))
    process.on('SIGUSR2', () => {
      writeFileSync(`${file}.requests`, new Float64Array(requests))
      requests = []
      channel.postMessage('tell')
    })
  } else {
    globalThis.handOut = listen
    register('./sound-probe-load.mjs', import.meta.url)
  }
}
