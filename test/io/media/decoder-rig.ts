// One decode over a fake ffmpeg, and what is heard of it.
import { frame } from '../../../src/clock/frame.js'
import { VirtualTimers } from '../../../src/clock/virtual.js'
import { DecoderJob } from '../../../src/io/media/decoder/decoder-job.js'
import type { DecodeRequest, JobMessage } from '../../../src/io/media/decoder/decoder-messages.js'
import type { Look } from '../../../src/io/media/look/file-look.js'
import type { MediaFacts, ProbeAnswer } from '../../../src/io/media/probe/probe-file.js'
import { running, turns } from './fake-ffmpeg.js'

export const FILE = {
  kind: 'file', stamp: 's', disk: 1, own: null, isMp4: false, seeking: 'exact',
  type: 'audio/flac',
} as const satisfies Look
export const VIDEO = {
  codec: 'h264', pixelFormat: 'yuv420p', width: 1280, height: 720, framesPerSecond: 25,
  beginsMs: 0, keyframesMs: null,
} as const
const FACTS: MediaFacts = {
  duration: frame(48_000), isEstimate: false, soundEnd: null, picturesEnd: null,
  isInterlaced: false, container: '', video: null,
  audio: { codec: 'flac', channels: 2, sampleRate: 48_000 },
}
export const UNASKED: ProbeAnswer = { ok: false, message: 'nobody asks' }
export const known = (facts: Partial<MediaFacts>): ProbeAnswer =>
  ({ ok: true, facts: { ...FACTS, ...facts } })

export let timers = new VirtualTimers(0)

export const beginAnew = (): void => {
  running.length = 0
  timers = new VirtualTimers(0)
}

export const decoding = async (
  change: Partial<DecodeRequest> = {}, look: Look | null = FILE, facts: ProbeAnswer = UNASKED,
) => {
  const told: JobMessage[] = []
  let overs = 0
  const request = {
    path: '/m/bed.flac', origin: 0, from: 0, to: null, until: 1e6, background: false, ...change,
  }
  const job = new DecoderJob(1, request, {
    timers, send: (message) => told.push(message), factsOf: () => Promise.resolve(facts),
    looks: { lookLately: () => look === null ? new Promise(() => undefined)
      : Promise.resolve(look) },
  }, () => (overs += 1))
  void job.run()
  await turns()
  /** Frames, and the last word. */
  const heard = () => ({
    frames: told.flatMap((each) => each.kind === 'pcm' ? [...each.left] : []),
    silence: told.reduce((sum, each) => each.kind === 'silence' ? sum + each.count : sum, 0),
    end: told.find(({ kind }) => kind !== 'pcm' && kind !== 'silence') ?? null,
    overs,
  })
  return { job, heard, ffmpeg: running[0]! }
}

export const numbers = (from: number, count: number): readonly number[] =>
  Array.from({ length: count }, (_, n) => from + n)
