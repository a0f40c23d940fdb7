// Makes the media that decoding tests play: position-coded WAVs, and every codec's version of one.
import { execFileSync } from 'node:child_process'
import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { FLOAT_STEREO, wavHead } from './wav-head.js'

export const mediaFolder = (): string => mkdtempSync(join(tmpdir(), 'cartwall-media-'))

/** Sample n carries n: the left channel its low 16 bits, the right one the rest; exact in f32. */
export const codedSample = (n: number): readonly [number, number] => [
  ((n % 65_536) + 1) / 131_072,
  (Math.floor(n / 65_536) + 1) / 131_072,
]

export const positionOf = (left: number, right: number): number =>
  left * 131_072 - 1 + (right * 131_072 - 1) * 65_536

/** A WAV of 32-bit floats at 48 kHz, frame by frame. */
export const writeFloatWav = (
  path: string, frames: number, at: (n: number) => readonly [left: number, right: number],
): void => {
  const samples = Buffer.alloc(frames * 8)
  for (let n = 0; n < frames; n += 1) {
    const [left, right] = at(n)
    samples.writeFloatLE(left, n * 8)
    samples.writeFloatLE(right, n * 8 + 4)
  }
  writeFileSync(path, Buffer.concat([wavHead(FLOAT_STEREO, frames), samples]))
}

/** Every frame tells its own number. */
export const writeCodedWav = (path: string, frames: number): void => {
  writeFloatWav(path, frames, codedSample)
}

const run = (args: readonly string[]): Buffer =>
  execFileSync('ffmpeg', ['-nostdin', '-v', 'error', '-y', ...args], { maxBuffer: 1 << 30 })

/** Two sweeps with a little noise, so that no two moments are alike. */
export const writeSweep = (path: string, rate: number, seconds: number): void => {
  const left = '0.4*sin(2*PI*(200+40*t)*t)+0.1*random(0)'
  const right = '0.4*sin(2*PI*(300+30*t)*t)+0.1*random(1)'
  const source = `aevalsrc='${left}|${right}':s=${String(rate)}:d=${String(seconds)}`
  run(['-f', 'lavfi', '-i', source, '-c:a', 'pcm_s16le', path])
}

export const convert = (from: string, to: string, options: readonly string[]): void => {
  run(['-i', from, ...options, to])
}

export const writeVideo = (path: string, seconds: number, sound: string | null): void => {
  const source = `testsrc=s=160x120:r=25:d=${String(seconds)}`
  const audio = sound === null ? [] : ['-i', sound, '-c:a', 'aac']
  const video = ['-c:v', 'libx264', '-preset', 'ultrafast']
  run(['-f', 'lavfi', '-i', source, ...audio, ...video, path])
}

export const writePicture = (path: string): void => {
  const source = 'testsrc=s=160x120:r=25:d=0.04'
  run(['-f', 'lavfi', '-i', source, '-frames:v', '1', '-f', 'image2', path])
}

export interface Sound {
  readonly left: Float32Array
  readonly right: Float32Array
}

/** The oracle: ffmpeg's own decode of the whole file, by the plainest command there is. */
export const fullDecode = (path: string): Sound => {
  const bytes = run(['-i', path, '-vn', '-af', 'aresample=48000', '-ac', '2', '-f', 'f32le', '-'])
  const count = Math.floor(bytes.length / 8)
  const left = new Float32Array(count)
  const right = new Float32Array(count)
  for (let n = 0; n < count; n += 1) {
    left[n] = bytes.readFloatLE(n * 8)
    right[n] = bytes.readFloatLE(n * 8 + 4)
  }
  return { left, right }
}
