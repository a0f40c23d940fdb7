// The decoding process: starts ffmpeg, ffprobe and the waveform process for the daemon and hands
// over what comes of them.
//
// It is a process of its own because starting a child copies the parent's page tables: from a
// daemon that holds 400 MB of sound that stops the calling thread for 13 ms, from here for 1 ms.
// It touches no media file itself: a dead share hangs its children, never it.
// It ends, with all its children, when the daemon does.
import { basename } from 'node:path'
import { ReleasedMemory } from '../decoded-memory.js'
import { realTimers } from '../../../clock/real.js'
import { leaveSignalsToOwner } from '../../programs.js'
import { BackgroundDecodes } from './background-decodes.js'
import { DecodedServer } from './decoded-socket.js'
import { OWN_MEMORY } from './decoder-memory.js'
import { DecoderJob } from './decoder-job.js'
import type { DecodeRequest, FromHost, JobMessage, ToHost } from './decoder-messages.js'
import { ffmpegCommand } from './ffmpeg-process.js'
import { FileLooks } from '../look/file-looks.js'
import { startLookHost } from '../look/look-process.js'
import { withCountedLength } from '../probe/counted-length.js'
import { endProbes } from '../probe/ffprobe.js'
import { probeWhole } from '../probe/keyframes.js'
import { probeFile, type ProbeAnswer } from '../probe/probe-file.js'
import { defaultWaveFolder } from '../../waves/wave-cache.js'
import { ForkedWaveLink } from '../../waves/wave-link.js'
import type { WaveAsked } from '../../waves/wave-messages.js'

const FACTS_KEPT = 2_000
const LAST_CHILD_MS = 500

// They are about this process's memory: what it starts, e.g. ffmpeg, is not to have them.
for (const name of Object.keys(OWN_MEMORY)) Reflect.deleteProperty(process.env, name)

/** Those that somebody waits for. */
const jobs = new Map<number, DecoderJob>()
const timers = realTimers()
const looks = new FileLooks(timers, startLookHost)
const facts = new Map<string, Promise<ProbeAnswer>>()
const waves = new ForkedWaveLink({
  timers, folder: defaultWaveFolder(process.env), env: process.env,
})

const send = (message: FromHost, taken: () => void = () => undefined): void => {
  // A daemon that is going away needs no answer; `disconnect` ends this process.
  if (process.connected) process.send?.(message, undefined, undefined, taken)
}

/** V8 lets 64 MB of it lie about for as long as nothing more is decoded: half of the process. */
const sent = new ReleasedMemory(timers, 8 * 1024 * 1024)
let newestJob = 0
/** Later ones go over the socket; a job stays where it began, so that its pieces are in order. */
let lastByChannel = Infinity
const socket = new DecodedServer(
  String(process.argv[2]),
  (path) => {
    send({ kind: 'listening', path })
  },
  () => {
    lastByChannel = newestJob
  },
)

const sendDecoded = (message: JobMessage, taken: () => void = () => undefined): void => {
  // As ffmpeg wrote it, and as two channels.
  if (message.kind === 'pcm') sent.add(4 * message.left.byteLength)
  if (message.job <= lastByChannel || !socket.write(message, taken)) send(message, taken)
}

/** A video without sound plays as long as it is: where that is not told it is counted. */
const playable = async (path: string): Promise<ProbeAnswer> => {
  const answer = await probeFile(path, false, timers)
  if (!answer.ok || answer.facts.audio !== null || answer.facts.duration > 0) return answer
  return { ok: true, facts: await withCountedLength(answer.facts, path, false, timers) }
}

const factsOf = (path: string, stamp: string): Promise<ProbeAnswer> => {
  const key = `${path}\0${stamp}`
  const known = facts.get(key)
  if (known !== undefined) return known
  const asked = playable(path)
  if (facts.size >= FACTS_KEPT) {
    const [oldest] = facts.keys()
    if (oldest !== undefined) facts.delete(oldest)
  }
  facts.set(key, asked)
  // A share that hung, or a machine with no time, says nothing about the file: the next one asks.
  void asked.then(({ ok }) => {
    if (!ok && facts.get(key) === asked) facts.delete(key)
  })
  return asked
}

const decoded = (
  job: number, request: DecodeRequest, tell: (message: JobMessage) => void, over: () => void,
): DecoderJob => {
  const decode = new DecoderJob(job, request, { timers, looks, factsOf, send: tell }, over)
  void decode.run()
  return decode
}

const background = new BackgroundDecodes({
  timers, looks,
  send: sendDecoded,
  factsOf: async (path, stamp) => {
    const answer = await factsOf(path, stamp)
    return answer.ok ? answer.facts : null
  },
  isBusy: () => {
    for (const job of jobs.values()) if (job.isAwaited) return true
    return false
  },
  decodeAlone: decoded,
})

const begin = (job: number, request: DecodeRequest): void => {
  newestJob = Math.max(newestJob, job)
  if (request.background) {
    background.add(job, request)
    return
  }
  jobs.set(job, decoded(job, request, sendDecoded, () => jobs.delete(job)))
}

const look = async (job: number, path: string, patienceMs: number): Promise<void> => {
  send({ kind: 'looked', job, look: await looks.look(path, patienceMs) })
}

const probe = async (job: number, path: string): Promise<void> => {
  const seen = await looks.lookLately(path)
  const answer: ProbeAnswer =
    seen.kind === 'file'
      ? await probeWhole(path, true, timers)
      : { ok: false, message: `${basename(path)}: ${seen.message}` }
  if (answer.ok) send({ kind: 'facts', job, facts: answer.facts })
  else send({ kind: 'failed', job, message: answer.message })
}

const wave = async (job: number, question: WaveAsked): Promise<void> => {
  send({ kind: 'wave', job, answer: await waves.ask(question) })
}

process.on('message', (raw) => {
  const message = raw as ToHost
  switch (message.kind) {
    case 'decode':
      begin(message.job, message.request)
      break
    case 'want':
      jobs.get(message.job)?.want(message.until)
      break
    case 'drop':
      jobs.get(message.job)?.drop()
      background.drop(message.job)
      break
    case 'probe':
      void probe(message.job, message.path)
      break
    case 'look':
      void look(message.job, message.path, message.patienceMs)
      break
    case 'wave':
      void wave(message.job, message.question)
      break
    case 'hold_waves':
      waves.hold(message.holds)
      break
    case 'rest_waves':
      void waves.rest()
      break
    case 'ping':
      send({ kind: 'pong' })
      break
  }
})

process.on('disconnect', () => {
  for (const job of [...jobs.values()]) job.drop()
  background.close()
  endProbes()
  looks.close()
  void waves.rest()
  // It ends by itself once the last child is gone, so that none outlives it; or at the latest then.
  timers.background.after(LAST_CHILD_MS, () => process.exit(0))
})

// Also where the daemon went before this was listening to it.
process.on('exit', () => {
  socket.close()
})

leaveSignalsToOwner()

looks.warm()
// Finding ffmpeg is a run of it, and blocks: better now than at the first GO. Each job says where
// there is none.
ffmpegCommand()
