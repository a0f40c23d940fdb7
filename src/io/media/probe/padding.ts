// What counts in the length that ffprobe tells, and nobody will hear: what coders pad.

export interface Padding {
  /** So many samples of all are left out when the file is decoded. */
  readonly samples: number
  /** How many frames of MP3 there are; null where nothing says. */
  readonly frames: number | null
}

/** From this rate on a frame of MP3 has 1152 samples, below it half as many. */
const MPEG_1_RATE = 32_000

/** What is heard of so many samples that ffprobe tells: version 9 leaves out what MP3 pads. */
export const heardSamples = (told: number, rate: number, { samples, frames }: Padding): number => {
  const all = frames === null ? told : frames * (rate < MPEG_1_RATE ? 576 : 1_152)
  return Math.abs(told - all) < 1 ? told - samples : told
}
