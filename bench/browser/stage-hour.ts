// An hour of one stage: lists, loops, images and reloads of the show, again and again.
//
// node --import tsx bench/browser/stage-hour.ts --minutes 60; npm run build first. Each round
// measures by pixels how well it is in step, and the page's heap after a collection; the line
// through the heaps tells whether it grows.
import { readFileSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { button } from '../../test/devices/daemon-rig.js'
import { H264 } from '../../test/browser/stage-clips.js'
import { epochMs } from '../../test/browser/stage-judge.js'
import { percentile, StageRig, UNHEARD } from '../../test/browser/stage-rig.js'
import { conditions } from '../report.js'
import { heapSlope } from './heap-slope.js'

const { values } = parseArgs({ options: { minutes: { type: 'string', default: '60' } } })
const MINUTES = Number(values.minutes)
const LIST = 1
const LOOP = 4
const LONG = 5
const IMAGE = 6
const LOOP_MS = 12_000
const LONG_MS = 8_000
const SVG = '<svg xmlns="http://www.w3.org/2000/svg" width="1280" height="720">'
  + '<rect width="1280" height="720" fill="#456"/></svg>'

interface Round {
  readonly minute: number
  readonly heapMb: number
  readonly videos: number
  readonly nodes: number
  readonly p95: number
}

const rig = new StageRig(UNHEARD)

const begin = async (): Promise<void> => {
  const clip = { framesPerSecond: 25, seconds: 24, coding: H264 } as const
  await rig.clips(
    (['blue', 'green', 'red'] as const).map((ground) => ({ ...clip, ground })),
    ['blue.mp4', 'green.mp4', 'red.mp4'],
  )
  writeFileSync(join(rig.daemon.folder, 'image.svg'), SVG)
  const video = (ground: string) => ({ kind: 'video', media: `${ground}.mp4`, dissolveMs: 300 })
  await rig.open([
    {
      mode: 'sequence',
      buttons: ['blue', 'green', 'red'].map((ground) => ({ ...video(ground), endMs: 3_000 })),
    },
    {
      buttons: [
        { ...video('blue'), startMs: 500, endMs: 1_500, isLoopEnabled: true },
        video('green'), { kind: 'image', media: 'image.svg' },
      ],
    },
  ])
}

const round = async (began: number): Promise<Round> => {
  const { daemon, page } = rig
  await rig.play(LIST)
  await sleep(9_500)
  await rig.play(LOOP, { loopCrossfadeMs: 100 })
  await sleep(LOOP_MS)
  await daemon.post(`/buttons/${button(IMAGE)}/play`)
  await rig.glimpses()
  const executionId = await rig.play(LONG)
  const started = epochMs()
  // The show is written anew, as an editor does, while things play.
  writeFileSync(daemon.show, readFileSync(daemon.show))
  utimesSync(daemon.show, new Date(), new Date())
  await sleep(LONG_MS)
  const offset = await rig.heardOffset(executionId)
  const errors = (await rig.glimpses())
    .filter(({ at }) => at > started + 1_000)
    .map(({ at, number }) => Math.abs(at + offset - number * 40))
  await rig.silence([IMAGE])
  const session = await page.context().newCDPSession(page)
  await session.send('Performance.enable')
  await session.send('HeapProfiler.collectGarbage')
  const { metrics } = await session.send('Performance.getMetrics')
  await session.detach()
  const metric = (name: string): number =>
    metrics.find((one) => one.name === name)?.value ?? Number.NaN
  return {
    minute: (epochMs() - began) / 60_000,
    heapMb: metric('JSHeapUsedSize') / 1_048_576,
    videos: await page.locator('video').count(),
    nodes: metric('Nodes'),
    p95: percentile(errors, 0.95),
  }
}

const line = ({ minute, heapMb, videos, nodes, p95 }: Round): string =>
  `${minute.toFixed(1)} min: heap ${heapMb.toFixed(2)} MB, ${videos} videos, ${nodes} nodes, `
  + `p95 ${p95.toFixed(1)} ms`

try {
  await begin()
  const began = epochMs()
  const rounds: Round[] = []
  while (epochMs() - began < MINUTES * 60_000) {
    const one = await round(began)
    rounds.push(one)
    console.log(line(one))
  }
  // The first rounds fill caches.
  console.log(`heap slope ${heapSlope(rounds.slice(3)).toFixed(2)} MB an hour; ${conditions()}`)
} finally {
  await rig.close()
}
