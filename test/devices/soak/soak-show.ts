// The show of a soak: three beds whose every frame tells which bed and which place it is, and
// buttons that are silent, so that whatever plays beside a bed leaves its frames readable.
import { join } from 'node:path'
import { button, type ButtonJson } from '../daemon-rig.js'
import { codedSample, positionOf, writeFloatWav } from '../media-files.js'

/** Frames of each bed: 12, 17 and 23 s. */
export const BED_FRAMES = [576_000, 816_000, 1_104_000] as const
/** The frames of bed n tell numbers from n times this on. */
const APART = 4_800_000

export const BEDS = BED_FRAMES.map((_, n) => button(n + 1))
/** A silent sting of 2 s, a file that is never there, one that is no sound, a sting on a share. */
export const STING = 4
export const MISSING = 5
export const BROKEN = 6
export const AWAY = 7
export const BUTTONS = 7

export const writeSoakMedia = (folder: string): void => {
  BED_FRAMES.forEach((frames, bed) => {
    writeFloatWav(join(folder, `bed-${bed}.wav`), frames, (n) => codedSample(bed * APART + n))
  })
  writeFloatWav(join(folder, 'sting.wav'), 96_000, () => [0, 0])
  writeFloatWav(join(folder, 'broken.wav'), 0, () => [0, 0])
}

/** `edition` tells one edit of the show from another. */
export const soakShow = (edition: number): readonly ButtonJson[] => [
  ...BED_FRAMES.map((_, bed) => ({ media: `bed-${bed}.wav`, title: `bed ${bed}, ${edition}` })),
  { media: 'sting.wav', allowOverlap: true },
  { media: 'gone.wav', allowOverlap: true },
  { media: 'broken.wav', allowOverlap: true },
  { media: 'share/away.wav', allowOverlap: true },
]

export interface Place {
  readonly bed: number
  readonly frame: number
}

export const placeOf = (left: number, right: number): Place => {
  const told = Math.round(positionOf(left, right))
  return { bed: Math.floor(told / APART), frame: told % APART }
}
