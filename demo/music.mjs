// The pieces of the demo show, written for its instruments.
import { bass, bell, brass, brush, level, pad, piece, pluck } from './synth.mjs'

const C = [48, 55, 60, 64, 67]
const AM = [45, 57, 60, 64, 69]
const F = [41, 53, 57, 60, 65]
const G = [43, 55, 59, 62, 67]
const DM = [50, 57, 62, 65, 69]
const EM = [52, 59, 64, 67, 71]

/** Two seconds a chord; the last one rings into the first. */
export const warmBed = () => {
  const bed = piece(8, true)
  for (const [index, chord] of [C, AM, F, G].entries()) pad(bed, index * 2, 3.4, chord, 0.1)
  return level(bed, 0.35)
}

export const thinkingBed = () => {
  const bed = piece(16, true)
  for (const [index, chord] of [AM, F, C, G].entries()) {
    pad(bed, index * 4, 5.4, chord.slice(1), 0.05)
    for (let step = 0; step < 8; step += 1) {
      const note = chord[1 + ((step * 3) % 4)] + 12
      pluck(bed, index * 4 + step * 0.5, note, 0.12, 0.3 + 0.4 * (step % 2))
    }
  }
  return level(bed, 0.35)
}

export const tensionBed = () => {
  const bed = piece(12, true)
  for (let beat = 0; beat < 24; beat += 1) {
    bass(bed, beat * 0.5, 0.45, beat % 8 === 7 ? 37 : 38, 0.3)
    brush(bed, beat * 0.5 + 0.25, 0.2, 0.1, 77 + beat)
  }
  pad(bed, 0, 7, [50, 57, 62], 0.06)
  pad(bed, 6, 7, [50, 58, 62], 0.06)
  return level(bed, 0.35)
}

export const correctSting = () => {
  const sting = piece(2.4, false)
  for (const [index, note] of [72, 76, 79, 84].entries()) {
    bell(sting, index * 0.09, note, 0.3, 0.35 + index * 0.1)
  }
  return level(sting, 0.6)
}

export const wrongSting = () => {
  const sting = piece(1.1, false)
  brass(sting, 0, 0.4, 46, 0.3, 0.5)
  brass(sting, 0.45, 0.6, 40, 0.3, 0.5)
  return level(sting, 0.5)
}

export const rollSting = () => {
  const sting = piece(3.2, false)
  for (let stroke = 0; stroke < 44; stroke += 1) {
    brush(sting, stroke * 0.06, 0.2, 0.1 + stroke * 0.008, 5 + stroke)
  }
  bell(sting, 2.7, 84, 0.5, 0.5)
  return level(sting, 0.6)
}

export const fanfareSting = () => {
  const sting = piece(4, false)
  const line = [[0, 0.2, 67], [0.22, 0.2, 67], [0.44, 0.2, 67], [0.66, 0.6, 72], [1.3, 0.3, 71]]
  for (const [at, seconds, note] of [...line, [1.65, 2, 76]]) {
    brass(sting, at, seconds, note, 0.25, 0.4)
    brass(sting, at, seconds, note - 5, 0.18, 0.6)
  }
  for (const note of [60, 64, 67, 72]) brass(sting, 1.65, 2.2, note, 0.12, 0.5)
  return level(sting, 0.6)
}

/** A tune over a walk of chords; each song its own key, pace and order. */
const song = (seconds, chords, pace, shift, seed) => {
  const music = piece(seconds, false)
  const bar = pace * 4
  const bars = Math.floor((seconds - 2) / bar)
  let state = seed
  const draw = (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
  for (let count = 0; count < bars; count += 1) {
    const at = count * bar
    const chord = chords[count % chords.length].map((note) => note + shift)
    pad(music, at, bar + 1.4, chord.slice(1), 0.06)
    bass(music, at, pace * 2, chord[0] - 12, 0.2)
    bass(music, at + pace * 2, pace * 2, chord[0] - 5, 0.14)
    for (let step = 0; step < 8; step += 1) {
      const when = at + (step * pace) / 2
      if (step % 2 === 1) brush(music, when, 0.15, 0.05, 11 + count * 8 + step)
      if (draw(10) < 6) pluck(music, when, chord[1 + draw(4)] + 12, 0.13, 0.25 + draw(5) / 10)
    }
    if (count % 4 === 3) bell(music, at + pace * 3, chord[2] + 24, 0.06, 0.6)
  }
  return level(music, 0.4)
}

export const firstSong = () => song(24, [C, AM, F, G], 0.5, 0, 1)
export const secondSong = () => song(24, [DM, G, C, AM], 0.46, 2, 2)
export const thirdSong = () => song(24, [F, C, G, AM], 0.54, -2, 3)
export const longTrack = () => song(90, [C, EM, F, G, AM, EM, DM, G], 0.6, -3, 4)
export const clipMusic = () => song(8, [C, G], 0.5, 5, 9)
