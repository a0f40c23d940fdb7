// Ids for runs: random GUIDs drawn from the engine's seed, so that a replay has the same.
import type { IdSource } from './ports.js'
import { createPrng, type Prng } from './prng.js'

/** Of each byte. A number's own `toString(16)` took 60 µs of a press that comes out of the blue. */
const HEX = Array.from({ length: 256 }, (_each, byte) => byte.toString(16).padStart(2, '0'))

/** GUIDs of version 4 (RFC 9562, 5.4). Two daemons differ as their seeds do. */
export const guidSource = (prng: Prng): IdSource => {
  const digits = (count: number): string => {
    const drawn = Math.floor(prng.next() * 0x100000000)
    const bytes = [drawn >>> 24, (drawn >>> 16) & 255, (drawn >>> 8) & 255, drawn & 255]
    return bytes.map((byte) => HEX[byte]).join('').slice(0, count)
  }
  const variant = (): string => '89ab'.charAt(Math.floor(prng.next() * 4))
  return {
    next: () =>
      `${digits(8)}-${digits(4)}-4${digits(3)}-${variant()}${digits(3)}-${digits(8)}${digits(4)}`,
  }
}

/** All that an engine draws, from the one number that a recording keeps of it. */
export const drawnFrom = (seed: number): { readonly prng: Prng; readonly ids: IdSource } => {
  const prng = createPrng(seed)
  return { prng, ids: guidSource(prng.fork('ids')) }
}
