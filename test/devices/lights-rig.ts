// The lights of a daemon without the rest of it, for tests: lines in on stdin, out on stdout.
import { realTimers } from '../../src/clock/real.js'
import { createInterface } from 'node:readline'
import { frame, type Frame } from '../../src/clock/frame.js'
import { DmxRuns } from '../../src/engine/dmx/dmx-runs.js'
import type { CompiledTimeline } from '../../src/engine/lighting/timeline.js'
import { Lights } from '../../src/io/lights/lights.js'
import { createTimeMemory, TimeWriter } from '../../src/clock/shared-time.js'
import { compileText } from '../../src/io/timeline/timeline-file.js'

export interface RigSetup {
  readonly host: string
  readonly port: number
  readonly onStop: 'blackout' | 'hold'
  readonly timelines: Readonly<Record<string, unknown>>
}

const setup = JSON.parse(process.argv[2] ?? '') as RigSetup
const tell = (line: unknown): void => {
  process.stdout.write(`${JSON.stringify(line)}\n`)
}

const timelines = new Map<string, CompiledTimeline>()
for (const [name, file] of Object.entries(setup.timelines)) {
  const result = compileText(typeof file === 'string' ? file : JSON.stringify(file))
  if (!result.ok) throw new Error(JSON.stringify(result.faults))
  timelines.set(name, result.timeline)
}

const memory = createTimeMemory()
const writer = new TimeWriter(memory)
const begun = process.hrtime.bigint()
const now = (): Frame => frame(Number(((process.hrtime.bigint() - begun) * 48n) / 1_000_000n))
writer.write(now())
const lights = new Lights({
    timers: realTimers(),
  output: 'artnet', host: setup.host, port: setup.port, onStop: setup.onStop, offsetMs: 0,
  time: memory,
  changed: (status) => {
    tell(status)
  },
})
lights.setTimelines(timelines)
const dmx = new DmxRuns(() => undefined, frame(0))
let revision = 0

const settle = (): void => {
  dmx.settle(now())
  writer.write(now())
  if (dmx.revision !== revision) lights.update(dmx.views(), 0)
  revision = dmx.revision
}
const pace = setInterval(settle, 5)

let runs = 0
createInterface({ input: process.stdin }).on('line', (line) => {
  const [word, name = ''] = line.split(' ')
  const timeline = timelines.get(name)
  if (word === 'start' && timeline !== undefined) {
    dmx.start(now(), {
      dmxExecutionId: String((runs += 1)), button: { id: name, title: '' }, follows: 'itself',
      timeline: {
        timelineId: name, loop: true, durationFrames: timeline.durationFrames, error: null,
      },
    })
  }
  if (word === 'stop') dmx.end(now(), name)
  settle()
  if (word === 'status') tell(lights.status())
  if (word !== 'close') return
  clearInterval(pace)
  void lights.close().then(() => {
    tell('closed')
    process.exit(0)
  })
})
