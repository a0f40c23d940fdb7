// The process that makes waveforms: one file at a time, with the lowest priority there is.
//
// It is a process of its own so that a file whose disk hangs, or a decoder that eats the processor,
// costs a waveform and nothing else. It ends, with its ffmpeg, when the daemon does.
import { realTimers } from '../../clock/real.js'
import { WAVE_COLUMNS } from '../../contract/waves.js'
import type { Look } from '../media/look/file-look.js'
import { FileLooks } from '../media/look/file-looks.js'
import { startLookHost } from '../media/look/look-process.js'
import type { Seeking } from '../media/look/seeking.js'
import { leaveSignalsToOwner, lowerPriority } from '../programs.js'
import { WaveCache, waveKey } from './wave-cache.js'
import { WaveDecode, type NoWave } from './wave-decode.js'
import type { FromWaveHost, ToWaveHost, WaveAnswer, WaveQuestion } from './wave-messages.js'
import { rangePeaks } from './wave-peaks.js'

/** Its children are killed, and gone within a few; a daemon that ends waits for this. */
const LAST_CHILD_MS = 100

const timers = realTimers()
/** Files on a share that hangs have no waveform for now; those of other disks do. */
const looks = new FileLooks(timers, startLookHost)
let decode: WaveDecode | null = null
let holds = false
/** Once in its life, before it adds to what is kept. */
let isPruned = false

const keyOf = async (path: string): Promise<string | null> => {
  const look = await looks.look(path)
  return look.kind === 'file' ? waveKey(path, look.stamp) : null
}

const withoutOne = ({ kind }: Look): WaveAnswer =>
  ({ kind: kind === 'unavailable' ? 'away' : 'none' })

const answerTo = async (folder: string, question: WaveQuestion): Promise<WaveAnswer> => {
  const { path, makes, ranges, picturesEnd: lasts } = question
  const look = await looks.look(path)
  if (look.kind !== 'file') return withoutOne(look)
  const key = waveKey(path, look.stamp)
  const cache = new WaveCache(folder)
  const kept = await cache.read(key)
  if (kept === null && !makes) return { kind: 'unmade' }
  const dat = kept ?? await made(path, look.seeking)
  if (dat === 'away') return { kind: dat }
  // Its disk may have gone on the way.
  if (dat === 'none') return withoutOne(await looks.look(path))
  if (kept !== null) await cache.touch(key, timers.wallMs())
  // A file that became another one meanwhile is asked for again when that is noticed.
  const isKept = kept !== null || (await keyOf(path) === key && await keep(cache, key, dat))
  const peaks = ranges.map(({ from, to }) => rangePeaks(dat, { from, to, lasts }, WAVE_COLUMNS))
  return { kind: 'wave', key: isKept ? key : null, peaks }
}

const made = async (path: string, seeking: Seeking): Promise<Buffer | NoWave> => {
  decode = new WaveDecode(path, seeking, timers, holds)
  const dat = await decode.dat
  decode = null
  return dat
}

const keep = async (cache: WaveCache, key: string, dat: Buffer): Promise<boolean> => {
  if (!isPruned) await cache.prune(timers.wallMs())
  isPruned = true
  return cache.write(key, dat)
}

const answer = async (folder: string, question: WaveQuestion): Promise<void> => {
  const told = await answerTo(folder, question).catch((): WaveAnswer => ({ kind: 'away' }))
  const message: FromWaveHost = { id: question.id, answer: told }
  if (process.connected) process.send?.(message, undefined, undefined, () => undefined)
}

process.on('message', (raw) => {
  const message = raw as ToWaveHost
  switch (message.kind) {
    case 'ask':
      void answer(message.folder, message.question)
      break
    case 'hold':
      holds = message.holds
      decode?.hold(holds)
      break
  }
})

// It ends by itself once its last child is gone; it would wait for a waveform whose disk hangs.
process.on('disconnect', () => {
  decode?.cancel()
  looks.close()
  // Where the processor was others' for as long, the child's end is heard of before it ends itself.
  timers.background.after(LAST_CHILD_MS, () => {
    setImmediate(() => process.kill(process.pid, 'SIGKILL'))
  })
})
leaveSignalsToOwner()
// Looks are quick and have a deadline: that process does not inherit the low priority.
looks.warm()
lowerPriority(process, 'lowest')
