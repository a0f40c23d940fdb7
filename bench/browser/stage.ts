// How well the stage is in step: numbers read from pixels against the API's own positions.
//
// node --import tsx bench/browser/stage.ts --rate 25 --coding h264 --sink null; build first.
//   --sound: a clip with a sound track, as most have.
//   --starts N: no minute, but N starts, resumes and loads of a page, and N returns of the daemon.
//
// A minute of a numbered clip of 1280x720 in headless Chromium, then a pause, a resume, the page
// loaded anew, and the daemon killed and back. The clock is GET /executions/{id}, asked through the
// whole minute, minus the latency that the output tells (stage-judge.ts).
import { execFileSync } from 'node:child_process'
import { copyFileSync, existsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { button } from '../../test/devices/daemon-rig.js'
import { PulseServer } from '../../test/devices/pulse.js'
import { AV1, CLIP, H264, makeClip, VP9 } from '../../test/browser/stage-clips.js'
import { epochMs, type Judge } from '../../test/browser/stage-judge.js'
import { percentile, StageRig, type Sounding } from '../../test/browser/stage-rig.js'
import { conditions, table } from '../report.js'

const { values } = parseArgs({
  options: {
    rate: { type: 'string', default: '25' },
    coding: { type: 'string', default: 'h264' },
    sink: { type: 'string', default: 'null' },
    sound: { type: 'boolean', default: false },
    seconds: { type: 'string', default: '60' },
    starts: { type: 'string', default: '0' },
    /** Makes the clip and ends: that takes the machine for a while. */
    make: { type: 'boolean', default: false },
  },
})

const CODINGS: Readonly<Record<string, readonly [words: readonly string[], ending: string]>> = {
  h264: [H264, 'mp4'], vp9: [VP9, 'webm'], av1: [AV1, 'av1.mp4'],
}
const LARGE = ['-s', '1280x720', '-sws_flags', 'neighbor'] as const

const rate = Number(values.rate)
const seconds = Number(values.seconds)
const starts = Number(values.starts)
const CLIP_SECONDS = seconds + 20
const CUT_MS = 4_000
const STARTED_MS = 1_000
const LATER_MS = 1_500
const IN_STEP_MS = 20

const [coding, ending] = CODINGS[values.coding] ?? [H264, 'mp4']
const named = values.sound ? `sound.${ending}` : ending
const clip = join(tmpdir(), `cartwall-bench-${rate}-${CLIP_SECONDS}.${named}`)
/** As the tables name it. */
const title = `${values.coding}${values.sound ? ' with sound' : ''}, ${rate}/s`

if (!existsSync(clip)) {
  const words = [...coding, ...LARGE]
  await makeClip({
    path: clip, framesPerSecond: rate, seconds: CLIP_SECONDS, ground: 'blue', coding: words,
    sound: values.sound,
  })
}

/** Where its first frame is: in a WebM of ffmpeg's the delay of Opus moves it, by 7 ms. */
const firstMs = Number.parseFloat(execFileSync('ffprobe', [
  '-v', 'error', '-select_streams', 'v', '-show_entries', 'stream=start_time', '-of', 'csv=p=0',
  clip,
], { encoding: 'utf8' })) * 1_000

interface Error {
  /** Milliseconds since what began it. */
  readonly sinceMs: number
  /** Positive is behind. */
  readonly ms: number
}

/** A picture has so many bits for its number: at 60/s they begin again after 68 s. */
const ROUND_MS = (2 ** CLIP.bits * 1_000) / rate

/** Errors of the frames that were shown since the glimpses were last read. */
const errorsOf = async (
  rig: StageRig, judge: Judge, began: number,
): Promise<readonly Error[]> =>
  (await rig.glimpses()).map(({ at, number }) => {
    const ms = at + judge.offsetAt(at) - firstMs - (number * 1_000) / rate
    return { sinceMs: at - began, ms: ms - Math.round(ms / ROUND_MS) * ROUND_MS }
  })

const told = (ms: number): string => `${ms.toFixed(1)} ms`

const toldFrames = (frames: number): string => `${frames.toFixed(2)} frames`

const shareOf = (errors: readonly Error[], from: number, share: number): number =>
  percentile(errors.filter(({ sinceMs }) => sinceMs >= from).map(({ ms }) => Math.abs(ms)), share)

/** From here on 95 of 100 frames are within the bound, up to CUT_MS. */
const settledMs = (errors: readonly Error[]): number => {
  const seen = errors.filter(({ sinceMs }) => sinceMs >= 0 && sinceMs < CUT_MS)
  const first = seen.findIndex((_, n) =>
    percentile(seen.slice(n).map(({ ms }) => Math.abs(ms)), 0.95) <= IN_STEP_MS)
  return seen[first]?.sinceMs ?? Number.POSITIVE_INFINITY
}

const minute = async (rig: StageRig): Promise<readonly string[]> => {
  await rig.glimpses()
  const executionId = await rig.play(1)
  const began = epochMs()
  const judge = rig.judge(executionId)
  await sleep(seconds * 1_000)
  await judge.end()
  const errors = await errorsOf(rig, judge, began)
  const { latencyMs, underruns } = (await rig.daemon.status()).audio
  const shown = errors.filter(({ sinceMs }) => sinceMs >= STARTED_MS)
  const share = shown.length / ((shown.at(-1)?.sinceMs ?? 0) - STARTED_MS) / (rate / 1_000)
  const minuteTold = [
    told(latencyMs), told(judge.wanderedMs), String(underruns), `${(share * 100).toFixed(1)} %`,
    told(settledMs(errors)),
    ...[0.5, 0.95, 1].map((part) => told(shareOf(errors, STARTED_MS, part * 0.9999))),
  ]
  return [...minuteTold, ...await pauseAndResume(rig, executionId)]
}

const pauseAndResume = async (rig: StageRig, executionId: string): Promise<readonly string[]> => {
  const still = await pausedStill(rig, executionId)
  const resumed = await resumedNow(rig, executionId)
  const loaded = await loadedAnew(rig, executionId)
  return [toldFrames(still), toldSettling(resumed), toldSettling(loaded)]
}

/** By how many frames it is off. */
const pausedStill = async (rig: StageRig, executionId: string): Promise<number> => {
  await rig.daemon.post(`/buttons/${button(1)}/pause`, { executionId })
  const { positionMs } = await rig.daemon.state(executionId, ['paused'])
  await sleep(600)
  return (await rig.seen()).number - ((positionMs - firstMs) * rate) / 1_000
}

const resumedNow = async (rig: StageRig, executionId: string): Promise<Settling> => {
  await rig.glimpses()
  await rig.daemon.post(`/buttons/${button(1)}/resume`, { executionId })
  await rig.daemon.state(executionId, ['playing'])
  return settling(rig, executionId, epochMs())
}

const loadedAnew = async (rig: StageRig, executionId: string): Promise<Settling> => {
  const began = epochMs()
  await rig.load()
  return settling(rig, executionId, began)
}

/** When it settled, and how far off it was from LATER_MS on. */
interface Settling {
  readonly ms: number
  readonly laterMs: number
}

const toldSettling = ({ ms, laterMs }: Settling): string => `${told(ms)} (${told(laterMs)})`

const settling = async (
  rig: StageRig, executionId: string, began: number,
): Promise<Settling> => {
  const judge = rig.judge(executionId)
  await sleep(began + CUT_MS - epochMs())
  await judge.end()
  const errors = await errorsOf(rig, judge, began)
  return { ms: settledMs(errors), laterMs: shareOf(errors, LATER_MS, 0.95) }
}

const started = async (rig: StageRig): Promise<Settling> => {
  const executionId = await rig.play(1)
  await rig.glimpses()
  return settling(rig, executionId, epochMs())
}

const killedAndBack = async (rig: StageRig): Promise<Settling> => {
  await rig.daemon.end('SIGKILL')
  await sleep(1_000)
  await rig.again()
  await rig.daemon.armed(1)
  return started(rig)
}

const stopped = async (rig: StageRig): Promise<void> => {
  await rig.daemon.post('/stop', { fadeOutMs: 0 })
  await sleep(1_000)
}

const startedAnew = async (rig: StageRig): Promise<Settling> => {
  await stopped(rig)
  return started(rig)
}

/** By how many frames the stills before the resumes were off. */
const stills: number[] = []

/** What is done many times, and within how long it has to be in step again. */
const OFTEN: readonly (readonly [
  what: string, withinMs: number, once: (rig: StageRig) => Promise<Settling>,
])[] = [
  ['start', STARTED_MS, startedAnew],
  ['resume', LATER_MS, async (rig) => {
    await stopped(rig)
    const executionId = await rig.play(1)
    await sleep(1_000)
    stills.push(await pausedStill(rig, executionId))
    return resumedNow(rig, executionId)
  }],
  ['load', LATER_MS, async (rig) => {
    await stopped(rig)
    return loadedAnew(rig, await rig.play(1))
  }],
  ['return', LATER_MS, killedAndBack],
]
/** In one page but for the loads, in the order of time. */
const measureStarts = async (rig: StageRig): Promise<void> => {
  for (const [what, withinMs, once] of OFTEN) {
    const seen: Settling[] = []
    for (let n = 0; n < starts; n += 1) seen.push(await once(rig))
    const late = seen.filter(({ ms }) => ms > withinMs).length
    console.log(`${title}, ${values.sink}: ${late} of ${starts} ${what}s late: `
      + seen.map(toldSettling).join(', '))
  }
  console.log(`stills off: ${stills.map(toldFrames).join(', ')}`)
}

const measureMinute = async (rig: StageRig): Promise<void> => {
  const row = [...await minute(rig), toldSettling(await killedAndBack(rig))]
  console.log(table([
    'clip', 'sink', 'latency', 'heard wandered', 'underruns', 'frames seen', 'start settled',
    'p50', 'p95', 'max',
    'still off', 'resume settled (p95)', 'reload settled (p95)', 'daemon back settled (p95)',
  ], [[title, values.sink, ...row]]))
}

const measure = async (sounding: Sounding): Promise<void> => {
  const rig = new StageRig(sounding)
  try {
    copyFileSync(clip, join(rig.daemon.folder, `clip.${ending}`))
    await rig.open([{ buttons: [{ kind: 'video', media: `clip.${ending}` }] }])
    await rig.daemon.armed(1)
    await sleep(1_500)
    await (starts > 0 ? measureStarts(rig) : measureMinute(rig))
    console.log(conditions())
  } finally {
    await rig.close()
  }
}

if (!values.make && values.sink === 'null') await measure({ sink: 'null', environment: {} })
else if (!values.make) {
  const pulse = new PulseServer()
  await pulse.start()
  try {
    await measure({ sink: 'speaker', environment: pulse.environment })
  } finally {
    await pulse.stop()
  }
}
