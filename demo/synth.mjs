// The instruments of the demo show: notes are added into a stereo buffer, by formula alone.

export const RATE = 48_000
const TAU = 2 * Math.PI

/** A piece being written; in a round one, what rings past the end rings in at the start. */
export const piece = (seconds, isRound) => {
  const frames = Math.round(seconds * RATE)
  return { frames, isRound, left: new Float32Array(frames), right: new Float32Array(frames) }
}

/** Equal temperament by MIDI number: 69 is the A of 440 Hz. */
const pitch = (note) => 440 * 2 ** ((note - 69) / 12)

/** Adds `voice(t)` from `at` on for `seconds`; pan 0 is left, 1 is right. */
const add = (into, at, seconds, pan, voice) => {
  const first = Math.round(at * RATE)
  const count = Math.round(seconds * RATE)
  const toLeft = Math.cos((pan * Math.PI) / 2)
  const toRight = Math.sin((pan * Math.PI) / 2)
  for (let n = 0; n < count; n += 1) {
    let frame = first + n
    if (into.isRound) frame %= into.frames
    else if (frame >= into.frames) return
    const value = voice(n / RATE)
    into.left[frame] += value * toLeft
    into.right[frame] += value * toRight
  }
}

/** Rises over `attack`, holds, falls over `release` to nothing at `seconds`; no corner clicks. */
const swell = (t, seconds, attack, release) => {
  const rise = t < attack ? t / attack : 1
  const fall = t > seconds - release ? (seconds - t) / release : 1
  const level = Math.min(rise, fall)
  return level * level * (3 - 2 * level)
}

/** A soft chord: a few harmonics, two detuned strands to a side. */
export const pad = (into, at, seconds, notes, gain) => {
  for (const [index, note] of notes.entries()) {
    for (const [detune, pan] of [[0.9985, 0.25], [1.0015, 0.75]]) {
      const frequency = pitch(note) * detune
      const phase = index * 1.7 + pan
      add(into, at, seconds, pan, (t) => {
        const x = TAU * frequency * t + phase
        const high = Math.sin(3 * x) / 9 + Math.sin(4 * x) / 20
        const tone = Math.sin(x) + Math.sin(2 * x) / 3.2 + high
        return tone * gain * 0.5 * swell(t, seconds, 0.9, 1.4)
      })
    }
  }
}

/** A plucked string: its high harmonics die first. */
export const pluck = (into, at, note, gain, pan) => {
  const frequency = pitch(note)
  const seconds = 1.6
  add(into, at, seconds, pan, (t) => {
    let tone = 0
    for (let n = 1; n <= 6; n += 1) {
      tone += (Math.sin(TAU * frequency * n * t) / n) * Math.exp(-t * (2 + 1.6 * n))
    }
    return tone * gain * swell(t, seconds, 0.003, 0.3)
  })
}

/** A bell by frequency modulation. */
export const bell = (into, at, note, gain, pan) => {
  const frequency = pitch(note)
  const seconds = 2.2
  add(into, at, seconds, pan, (t) => {
    const bend = 1.8 * Math.exp(-3.5 * t) * Math.sin(TAU * frequency * 3.01 * t)
    const tone = Math.sin(TAU * frequency * t + bend)
    return tone * gain * Math.exp(-2.4 * t) * swell(t, seconds, 0.002, 0.4)
  })
}

export const bass = (into, at, seconds, note, gain) => {
  const frequency = pitch(note)
  add(into, at, seconds, 0.5, (t) => {
    const x = TAU * frequency * t
    const tone = Math.sin(x) + Math.sin(2 * x) * 0.35 + Math.sin(3 * x) * 0.1
    return tone * gain * Math.exp(-1.2 * t) * swell(t, seconds, 0.008, 0.08)
  })
}

/** A brass-like note, for fanfares and, far down, for a buzzer. */
export const brass = (into, at, seconds, note, gain, pan) => {
  const frequency = pitch(note)
  add(into, at, seconds, pan, (t) => {
    let tone = 0
    const bright = 1 - Math.exp(-9 * t)
    for (let n = 1; n <= 8; n += 1) {
      tone += (Math.sin(TAU * frequency * n * t) / n) * bright ** (n / 3)
    }
    return tone * gain * 0.6 * swell(t, seconds, 0.03, 0.12)
  })
}

/** A brushed drum: noise from a fixed seed, softened. */
export const brush = (into, at, seconds, gain, seed) => {
  let state = seed
  let soft = 0
  add(into, at, seconds, 0.5, (t) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) | 0
    soft += 0.45 * (state / 2 ** 31 - soft)
    return soft * gain * Math.exp(-t * 14) * swell(t, seconds, 0.001, 0.02)
  })
}

/** Brings the loudest sample of a piece to `peak`. */
export const level = (into, peak) => {
  let most = 0
  for (const side of [into.left, into.right]) {
    for (const value of side) most = Math.max(most, Math.abs(value))
  }
  for (const side of [into.left, into.right]) {
    for (let n = 0; n < side.length; n += 1) side[n] *= peak / most
  }
  return into
}

/** As ffmpeg reads it: interleaved 32-bit float. */
export const interleaved = ({ frames, left, right }) => {
  const samples = new Float32Array(frames * 2)
  for (let n = 0; n < frames; n += 1) {
    samples[2 * n] = left[n]
    samples[2 * n + 1] = right[n]
  }
  return Buffer.from(samples.buffer)
}
