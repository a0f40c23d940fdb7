// The variations in which a scenario is played again: other cuttings of time, names, orders,
// origins, reads. All must have the same records.
import { PLAIN_NAMING } from '../scenario/show.js'

export const ORDINARY = {
  name: 'as it is',
  naming: PLAIN_NAMING,
  /** Where time begins. */
  origin: 0,
  /** Time is cut at places that mean nothing. */
  cut: false,
  /** Every frame is rendered, none is skipped. */
  rendered: false,
  /** Everything is read after every operation. */
  reads: false,
}
export type Variation = Readonly<typeof ORDINARY>

const FAR = 1_000_000_000_000

export const VARIATIONS: readonly Variation[] = [
  ORDINARY,
  { ...ORDINARY, name: 'time cut elsewhere', cut: true },
  { ...ORDINARY, name: 'rendered throughout', rendered: true },
  { ...ORDINARY, name: 'ids relabelled', naming: { salt: 0x51ed_270b, reversed: false } },
  { ...ORDINARY, name: 'buttons reordered', naming: { salt: 0, reversed: true } },
  { ...ORDINARY, name: 'reads inserted', reads: true },
  { ...ORDINARY, name: 'origin shifted by 10^12 frames', origin: FAR },
  {
    name: 'all at once', naming: { salt: 0x2545_f491, reversed: true }, origin: FAR, cut: true,
    rendered: false, reads: true,
  },
]

/** The second run of a seed is one of them; every eighth is as the first. */
export const variationOf = (seed: number): Variation => VARIATIONS[seed % VARIATIONS.length]!
