// How many times faster than real time voices with running ramps are mixed, beside ffmpeg and sox.
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { cpus, tmpdir } from 'node:os'
import { join } from 'node:path'
import { frame, FRAMES_PER_SECOND, ZERO } from '../src/clock/frame.js'
import type { Button } from '../src/engine/catalogue.js'
import { NO_OPTIONS } from '../src/engine/commands/commands.js'
import { Mixer, stereo } from '../src/engine/sound/mixer.js'
import type { StereoBlock } from '../src/engine/ports.js'
import { rampTo, steady } from '../src/engine/sound/ramp.js'
import { PLAYING, type Run } from '../src/engine/runs/run.js'
import { createRun } from '../src/engine/runs/start.js'
import { Pass } from '../src/engine/sound/voice.js'

const VOICES = [1, 8, 64, 256]
/** What a plain program reaches by the project's own trials: times real time. */
const TARGETS = [7092, 909, 105, 21]
const BLOCK = 480
const SOURCE = FRAMES_PER_SECOND
const TRIALS = 5

const source = stereo(SOURCE)
for (let at = 0; at < SOURCE; at += 1) {
  source.left[at] = Math.sin(at * 0.02) * 0.1
  source.right[at] = Math.sin(at * 0.03) * 0.1
}

/** Copies from memory, as a held stream does. */
const fromMemory = {
  read: (at: number, into: StereoBlock, offset: number, count: number): void => {
    const begin = at % (SOURCE - BLOCK)
    into.left.set(source.left.subarray(begin, begin + count), offset)
    into.right.set(source.right.subarray(begin, begin + count), offset)
  },
  passed: (): void => undefined,
  keepAhead: (): void => undefined,
  close: (): void => undefined,
}

const button = (id: string): Button => ({
  id, title: id, kind: 'audio', playlistId: 'list', media: 'memory', startMs: 0, endMs: null,
  fadeInMs: 0, fadeOutMs: 0, fadeOutAtEnd: false, isLoopEnabled: false, pauseWhenReplaced: false,
  allowOverlap: true, gainDb: -3, dmx: null, own: null,
})

/** A sounding run whose gain moves on every frame of the measurement. */
const voice = (serial: number): Run => {
  const request = { stream: serial, path: 'memory', from: ZERO }
  const pass = new Pass(request, fromMemory, () => undefined, () => undefined, ZERO)
  const id = String(serial)
  const start = {
    button: button(id), options: NO_OPTIONS, pass, order: serial, follows: null,
    tried: new Set<string>(),
  }
  const run = createRun(start, serial, id, null, ZERO)
  run.phase = PLAYING
  run.ramp = rampTo(steady(0, ZERO), 1, ZERO, frame(1_000_000 * FRAMES_PER_SECOND), 'linear')
  run.voice.go(ZERO)
  return run
}

/**
 * Seconds of sound mixed in a second of this process's own time, so that a busy machine disturbs
 * less; the best of some trials.
 */
const pace = (mixBlock: (block: number) => void): number => {
  let best = 0
  let block = 0
  for (let trial = 0; trial < TRIALS; trial += 1) {
    const begin = process.cpuUsage()
    const until = performance.now() + 300
    const before = block
    for (; performance.now() < until; block += 1) mixBlock(block)
    const { user, system } = process.cpuUsage(begin)
    const seconds = ((block - before) * BLOCK) / FRAMES_PER_SECOND
    best = Math.max(best, seconds / ((user + system) / 1e6))
  }
  return best
}

const measure = (voices: number): number => {
  const runs = Array.from({ length: voices }, (_, n) => voice(n + 1))
  const mixer = new Mixer()
  const out = stereo(BLOCK)
  return pace((block) => {
    mixer.mix(runs, frame(block * BLOCK), out, 0, BLOCK)
  })
}

/** The least that any program must do: read in place, one gain that is added up, one f32 sum. */
const bare = (voices: number): number => {
  const out = stereo(BLOCK)
  return pace((block) => {
    const from = (block * BLOCK) % (SOURCE - BLOCK)
    for (let n = 0; n < voices; n += 1) {
      let gain = block * 1e-9
      for (let i = 0; i < BLOCK; i += 1) {
        gain += 1e-12
        out.left[i] = (n === 0 ? 0 : out.left[i]!) + source.left[from + i]! * gain
        out.right[i] = (n === 0 ? 0 : out.right[i]!) + source.right[from + i]! * gain
      }
    }
  })
}

/** The peers mix the same second, repeated, from raw files; a fade runs over the whole. */
const LENGTHS = new Map([[1, 1200], [8, 300], [64, 60], [256, 20]])
const raw = ['-f', 'f32le', '-ar', '48000', '-ac', '2']

const timed = (seconds: number, command: string, args: readonly string[]): number | null => {
  const begin = performance.now()
  const { status } = spawnSync(command, args, { stdio: 'ignore', timeout: 120_000 })
  return status === 0 ? seconds / ((performance.now() - begin) / 1000) : null
}

const peers = (folder: string, voices: number): { ffmpeg: number | null; sox: number | null } => {
  const seconds = LENGTHS.get(voices) ?? 10
  const file = join(folder, `${seconds}.f32`)
  const pcm = new Float32Array(seconds * FRAMES_PER_SECOND * 2)
  for (let at = 0; at < pcm.length; at += 1) pcm[at] = source.left[(at >> 1) % SOURCE] ?? 0
  writeFileSync(file, Buffer.from(pcm.buffer))
  const each = Array.from({ length: voices }, (_, n) => n)
  const inputs = each.flatMap(() => [...raw, '-i', file])
  const fades = each.map((n) => `[${n}]afade=t=in:d=${seconds}[v${n}]`).join(';')
  const joined = each.map((n) => `[v${n}]`).join('')
  const graph = `${fades};${joined}amix=inputs=${voices}:normalize=0`
  const ffmpeg = timed(seconds, 'ffmpeg',
    ['-nostdin', '-v', 'error', ...inputs, '-filter_complex', graph, '-f', 'null', '-'])
  const format = ['-t', 'f32', '-r', '48000', '-c', '2']
  const files = each.flatMap(() => ['-v', '0.7', ...format, file])
  const combine = voices > 1 ? ['-m'] : []
  const sox = timed(seconds, 'sox', [...combine, ...files, '-n', 'fade', 't', String(seconds)])
  rmSync(file)
  return { ffmpeg, sox }
}

const show = (value: number | null): string =>
  (value === null ? '-' : value >= 100 ? value.toFixed(0) : value.toFixed(1)).padStart(9)

const folder = mkdtempSync(join(tmpdir(), 'cartwall-mix-'))
try {
  console.log(`${cpus()[0]?.model ?? 'unknown CPU'}, Node ${process.versions.node}, one core`)
  console.log('times real time, stereo 48 kHz, a running ramp a voice, blocks of 480 frames')
  console.log('  voices    target  cartwall    barest    ffmpeg       sox')
  VOICES.forEach((voices, n) => {
    const { ffmpeg, sox } = peers(folder, voices)
    const figures = [TARGETS[n] ?? null, measure(voices), bare(voices), ffmpeg, sox]
    const line = figures.map(show).join(' ')
    console.log(`${String(voices).padStart(8)} ${line}`)
  })
} finally {
  rmSync(folder, { recursive: true })
}
