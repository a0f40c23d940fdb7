// The engine's only source of chance: seeded, forkable by name, the same on every machine.

export interface Prng {
  /** Uniform in [0, 1) with 32 bits. */
  next(): number
  /** An independent stream that depends on the seed and the name alone. */
  fork(name: string): Prng
}

/** FNV-1a over UTF-16 units, 32 bits. */
const hash = (text: string, basis: number): number => {
  let h = basis >>> 0
  for (let i = 0; i < text.length; i += 1) h = Math.imul(h ^ text.charCodeAt(i), 0x01000193)
  return h >>> 0
}

/** sfc32 (Chris Doty-Humphrey's PractRand), seeded by one 32-bit number and warmed up. */
export const createPrng = (seed: number): Prng => {
  let a = 0x9e3779b9
  let b = seed >>> 0
  let c = 0x243f6a88 ^ Math.floor(seed / 0x100000000)
  let counter = 1
  const draw = (): number => {
    const sum = (a + b + counter) | 0
    counter = (counter + 1) | 0
    a = b ^ (b >>> 9)
    b = (c + (c << 3)) | 0
    c = (c << 21) | (c >>> 11)
    c = (c + sum) | 0
    return sum >>> 0
  }
  for (let i = 0; i < 12; i += 1) draw()
  return {
    next: () => draw() / 0x100000000,
    fork: (name) => createPrng(hash(name, seed ^ 0x811c9dc5)),
  }
}
