// Lights: cost of evaluation, and frame times of 64 universes at 40 Hz beside a busy HTTP server.
//
//   node --import tsx bench/lights.ts [--minutes N] [--alone]     (default: 20 seconds)
//
// --alone leaves the HTTP server out. Other load on the machine shows in the figures: for the
// lights' own precision run it first in line (chrt -f 10 node ... --alone).
// It needs the build (npm run build): the lights run on their own thread from there.
import { realTimers } from '../src/clock/real.js'
import { fork, type ChildProcess } from 'node:child_process'
import { createServer, request, Agent } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { frame, msToFrames } from '../src/clock/frame.js'
import { DmxRuns } from '../src/engine/dmx/dmx-runs.js'
import { buildTimeline } from '../src/engine/lighting/timeline-build.js'
import { cursorsOf, evaluate, type CompiledTimeline } from '../src/engine/lighting/timeline.js'
import { Lights } from '../src/io/lights/lights.js'
import { createTimeMemory, TimeWriter } from '../src/clock/shared-time.js'

const PORT = 47_654
const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '0.33' },
    alone: { type: 'boolean', default: false },
  },
})
const runMs = Number(values.minutes) * 60_000

const timelineOf = (universes: number, keyframes: number): CompiledTimeline => {
  const at = Array.from({ length: keyframes }, (_, index) => msToFrames(index * 60))
  const curve = at.map(() => 'linear' as const)
  const value = at.map((_, index) => (index * 97) % 256)
  return buildTimeline(msToFrames(keyframes * 60), Array.from(
    { length: universes * 512 },
    (_, track) => ({
      universe: Math.floor(track / 512), slot: track % 512, wide: false, at, value, curve,
    }),
  ))
}

const evaluation = (): void => {
  const timeline = timelineOf(1, 1_000)
  const into = [new Uint8Array(512)]
  const cost = (positions: readonly number[]): number => {
    const cursors = cursorsOf(timeline)
    for (const position of positions) evaluate(timeline, cursors, position, into)
    const begun = process.hrtime.bigint()
    for (const position of positions) evaluate(timeline, cursors, position, into)
    return Number(process.hrtime.bigint() - begun) / positions.length / 1_000
  }
  const rising = Array.from({ length: 2_400 }, (_, index) => index * 1_200)
  const scattered = rising.map((_, index) => ((index * 7_919) % 2_400) * 1_200)
  console.log('evaluation of 512 channels x 1000 keyframes:')
  console.log(`  reading on  ${cost(rising).toFixed(1)} µs a frame`)
  console.log(`  jumping     ${cost(scattered).toFixed(1)} µs a frame`)
}

interface Heard {
  readonly packets: number
  readonly frames: number
  readonly hz: number
  readonly p50: number
  readonly p99: number
  readonly p999: number
  readonly max: number
  /** The longest wait for a frame, and how many were longer than two frames should be apart. */
  readonly gap: number
  readonly late: number
}

const answer = (child: ChildProcess): Promise<unknown> =>
  new Promise((resolve) => child.once('message', resolve))

/** A server on this very thread with eight clients that never rest. */
const busy = async (): Promise<{ served: () => number; close: () => void }> => {
  let served = 0
  let open = true
  const server = createServer((_, response) => {
    served += 1
    response.end('{"state":"ready"}')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as { port: number }
  const agent = new Agent({ keepAlive: true, maxSockets: 8 })
  const ask = (): void => {
    request({ port, host: '127.0.0.1', agent }, (response) => {
      response.resume().on('end', () => {
        if (open) ask()
      })
    }).on('error', () => undefined).end()
  }
  for (let client = 0; client < 8; client += 1) ask()
  return {
    served: () => served,
    close: () => {
      open = false
      agent.destroy()
      server.closeAllConnections()
      server.close()
    },
  }
}

const frames = async (universes: number, beside: 'nothing' | 'http'): Promise<void> => {
  const file = fileURLToPath(new URL('./lights-receiver.ts', import.meta.url))
  const receiver = fork(file, [String(PORT), String(universes - 1)], {
    execArgv: ['--import', 'tsx'],
  })
  await answer(receiver)
  const memory = createTimeMemory()
  const writer = new TimeWriter(memory)
  const begun = process.hrtime.bigint()
  const now = () => frame(Number(((process.hrtime.bigint() - begun) * 48n) / 1_000_000n))
  const pace = setInterval(() => {
    writer.write(now())
  }, 10)
  const lights = new Lights({
    timers: realTimers(),
    output: 'artnet', host: '127.0.0.1', port: PORT, onStop: 'blackout', offsetMs: 0,
    time: memory,
    changed: (status) => {
      console.log(status)
    },
  })
  const timeline = timelineOf(universes, 30)
  lights.setTimelines(new Map([['all', timeline]]))
  const dmx = new DmxRuns(() => undefined, frame(0))
  dmx.start(now(), {
    dmxExecutionId: 'a', button: { id: 'a', title: '' }, follows: 'itself',
    timeline: {
      timelineId: 'all', loop: true, durationFrames: timeline.durationFrames, error: null,
    },
  })
  lights.update(dmx.views(), 0)
  await sleep(2_000)
  const server = beside === 'http' ? await busy() : null
  await sleep(500)
  receiver.send('forget')
  const cpu = process.cpuUsage()
  const served = server?.served() ?? 0
  await sleep(runMs)
  const used = process.cpuUsage(cpu)
  receiver.send('tell')
  const heard = (await answer(receiver)) as Heard
  const rate = server === null ? 0 : Math.round((server.served() - served) * 1_000 / runMs)
  const load = server === null ? '' : ` (${String(rate)} requests/s)`
  server?.close()
  clearInterval(pace)
  await lights.close()
  receiver.kill()
  const share = ((used.user + used.system) / 1_000 / runMs) * 100
  const lasted = (runMs / 1_000).toFixed(0)
  console.log(`${String(universes)} universes, ${lasted} s, beside ${beside}${load}:`)
  console.log(`  ${String(heard.frames)} frames, ${heard.hz.toFixed(3)} Hz,` +
    ` ${String(heard.packets)} packets`)
  console.log(`  off the grid: p50 ${heard.p50.toFixed(2)} p99 ${heard.p99.toFixed(2)}` +
    ` p99.9 ${heard.p999.toFixed(2)} max ${heard.max.toFixed(2)} ms`)
  console.log(`  longest gap ${heard.gap.toFixed(0)} ms, ${String(heard.late)} above 50 ms`)
  console.log(`  CPU of the process ${share.toFixed(1)} % of a core`)
}

evaluation()
await frames(64, 'nothing')
if (!values.alone) await frames(64, 'http')
