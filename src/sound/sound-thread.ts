// The sound thread: the engine, its decoders, the feeding of the output; no request comes here.
import { parentPort } from 'node:worker_threads'
import { realTimers } from '../clock/real.js'
import { wavPath } from '../io/output/sink.js'
import { FfmpegMedia, MEDIA_DEFAULTS } from '../io/media/media-port.js'
import { EngineHost, type ForTheShow } from './engine-host.js'
import type { Inquiring } from '../io/media/decoder/decoder-messages.js'
import type {
  FileAnswer, FileQuestion, FromSound, Opening, SoundSetup, ToSound,
} from './sound-messages.js'
import { OutputSwitch } from './output-switch.js'
import { warmUpInTurns } from './warm-up.js'

const port = parentPort
if (port === null) throw new Error('bug: the sound thread runs in a worker')
/** The time of this thread: of its outputs, its decoders and its figures. */
const timers = realTimers()
const tell = (message: FromSound): void => {
  port.postMessage(message)
}
const stopped = (): void => {
  tell({ kind: 'stopped' })
  port.close()
}

let output: OutputSwitch | null = null
let host: EngineHost | null = null
/** Who knows of files; there with the host. */
let files: Inquiring | null = null
/** Requests are answered a moment before the setup comes where that waits for the port. */
const early: ForTheShow[] = []

/** Something is asked of the engine: it is not kept waiting. */
let isAsked = false

const begun = (setup: SoundSetup): EngineHost => new EngineHost(setup, {
  timers, stopped,
  output: output ?? new OutputSwitch(setup, timers),
  media: (news) => {
    const media = new FfmpegMedia({ ...MEDIA_DEFAULTS, ...news, timers, env: process.env })
    files = media.files
    return media
  },
  tell: (message) => {
    tell(message)
    if (message.kind === 'ready' && isHeard(setup.sink)) warmUpInTurns(() => !isAsked)
  },
})

/** By somebody who would hear a gap: not a file, and not nobody. */
const isHeard = (sink: Opening['sink']): boolean => sink !== 'null' && wavPath(sink) === null

/** Nothing was set up, so nothing sounds and nothing was recorded. */
const stopEarly = async (): Promise<void> => {
  await output?.stop()
  stopped()
}

/** Past the engine, which knows of files what it is told. */
const fileAnswer = (question: FileQuestion): Promise<FileAnswer> => {
  if (files === null) throw new Error('bug: asked about a file before the setup')
  if (question.asks === 'wave') return files.waves.ask(question.wave)
  return files[question.asks](question.path)
}

port.on('message', (message: ToSound) => {
  if (message.kind === 'open') {
    output = new OutputSwitch(message.opening, timers)
  } else if (message.kind === 'setup') {
    host = begun(message.setup)
    for (const waiting of early.splice(0)) host.heard(waiting)
  } else if (message.kind === 'ping') {
    tell({ kind: 'pong' })
  } else if (message.kind === 'file_question') {
    const { id } = message
    void fileAnswer(message.question).then((answer) => tell({ kind: 'file_answer', id, answer }))
  } else if (message.kind === 'waves') {
    if (message.are === 'made') files?.waves.rest()
    else files?.waves.hold(message.are === 'held')
  } else if (host !== null) {
    isAsked ||= message.kind === 'command' || message.kind === 'stop'
    host.heard(message)
  } else if (message.kind === 'stop') void stopEarly()
  else early.push(message)
})
