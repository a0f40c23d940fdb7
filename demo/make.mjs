// Makes the media of the demo show: node demo/make.mjs (needs ffmpeg; the results are committed).
import { spawnSync } from 'node:child_process'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import * as music from './music.mjs'
import { neonTitle } from './neon.mjs'
import * as pictures from './pictures.mjs'
import { interleaved, RATE } from './synth.mjs'

const MEDIA = join(dirname(fileURLToPath(import.meta.url)), 'media')
const SOUND_IN = ['-f', 'f32le', '-ar', String(RATE), '-ac', '2', '-i', 'pipe:0']
/** No dates and no versions in the files: the same script makes the same files. */
const BITEXACT = ['-fflags', '+bitexact', '-flags', '+bitexact']
const EXACT = ['-map_metadata', '-1', ...BITEXACT, '-threads', '1']

const ffmpeg = (input, args, name) => {
  const all = ['-nostdin', '-v', 'error', '-y', ...args, join(MEDIA, name)]
  const result = spawnSync('ffmpeg', all, { input, stdio: ['pipe', 'inherit', 'inherit'] })
  if (result.error) throw result.error
  if (result.status !== 0) throw new Error(`ffmpeg could not make ${name}`)
}

const FLAC = ['-sample_fmt', 's16', '-dither_method', 'triangular', '-compression_level', '12']
const OPUS = ['-c:a', 'libopus', '-b:a', '96k']
const MP3_44K = ['-ar', '44100', '-c:a', 'libmp3lame', '-b:a', '128k']
const AAC = ['-c:a', 'aac', '-b:a', '128k']

const sound = (made, coding, name) => {
  ffmpeg(interleaved(made), [...SOUND_IN, ...EXACT, ...coding], name)
}

const COLUMNS = 4
const ROWS = 3
const BACKGROUND = [18, 20, 28]
const COLOURS = [[242, 95, 92], [255, 179, 71], [255, 224, 102], [112, 193, 179], [36, 123, 160],
  [149, 117, 205]]

/** A wall of buttons, one of them lit, as RGB; `lit` runs through them smoothly. */
const wall = (width, height, lit) => {
  const pixels = Buffer.alloc(width * height * 3)
  const cellWidth = width / COLUMNS
  const cellHeight = height / ROWS
  const gap = height / 30
  const corner = height / 22
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) {
      const column = Math.floor(x / cellWidth)
      const row = Math.floor(y / cellHeight)
      // How far inside the rounded square this pixel lies; its edge is one pixel soft.
      const fromX = Math.abs(x + 0.5 - (column + 0.5) * cellWidth) - cellWidth / 2 + gap + corner
      const fromY = Math.abs(y + 0.5 - (row + 0.5) * cellHeight) - cellHeight / 2 + gap + corner
      const inside = corner - Math.hypot(Math.max(fromX, 0), Math.max(fromY, 0))
      const cover = Math.min(1, Math.max(0, inside + 0.5))
      const index = row * COLUMNS + column
      const count = COLUMNS * ROWS
      const away = Math.min((index - lit + 2 * count) % count, (lit - index + 2 * count) % count)
      const glow = 0.45 + 0.55 * Math.max(0, 1 - away)
      for (let part = 0; part < 3; part += 1) {
        const colour = COLOURS[index % COLOURS.length][part] * glow
        const value = BACKGROUND[part] + (colour - BACKGROUND[part]) * cover
        pixels[(y * width + x) * 3 + part] = Math.round(value)
      }
    }
  }
  return pixels
}

/** A sign before the wall, whose lamps are dim. */
const picture = (name) => {
  const input = ['-f', 'rawvideo', '-pix_fmt', 'rgb24', '-s', '1280x720', '-i', 'pipe:0']
  const pixels = neonTitle(1280, 720, wall(1280, 720, 0))
  ffmpeg(pixels, [...input, ...EXACT, '-frames:v', '1'], name)
}

/** Eight seconds of the wall with its lamp going round, and music. */
const video = (name) => {
  const rate = 25
  const frames = []
  for (let n = 0; n < 8 * rate; n += 1) frames.push(wall(960, 540, (n / (8 * rate)) * 12))
  const soundFile = join(MEDIA, 'clip.tmp.flac')
  sound(music.clipMusic(), FLAC, 'clip.tmp.flac')
  const input = ['-f', 'rawvideo', '-pix_fmt', 'rgb24', '-s', '960x540', '-r', String(rate)]
  const coding = ['-c:v', 'libx264', '-preset', 'slow', '-crf', '26', '-pix_fmt', 'yuv420p',
    // A keyframe a second: seeks and loops are quick on a stage.
    '-g', String(rate)]
  const all = [...input, '-i', 'pipe:0', '-i', soundFile, ...EXACT, ...coding, ...AAC]
  ffmpeg(Buffer.concat(frames), [...all, '-movflags', '+faststart'], name)
  rmSync(soundFile)
}

mkdirSync(MEDIA, { recursive: true })
sound(music.warmBed(), FLAC, 'bed-warm.flac')
sound(music.thinkingBed(), OPUS, 'bed-thinking.opus')
sound(music.tensionBed(), MP3_44K, 'bed-tension.mp3')
sound(music.correctSting(), FLAC, 'sting-correct.flac')
sound(music.wrongSting(), MP3_44K, 'sting-wrong.mp3')
sound(music.rollSting(), OPUS, 'sting-roll.opus')
sound(music.fanfareSting(), AAC, 'sting-fanfare.m4a')
sound(music.firstSong(), OPUS, 'walk-in-1.opus')
sound(music.secondSong(), MP3_44K, 'walk-in-2.mp3')
sound(music.thirdSong(), AAC, 'walk-in-3.m4a')
sound(music.longTrack(), OPUS, 'evening.opus')
picture('title.png')
writeFileSync(join(MEDIA, 'question.svg'), pictures.question())
writeFileSync(join(MEDIA, 'winner.svg'), pictures.winner())
video('clip.mp4')
