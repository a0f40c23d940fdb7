// A hash of records: two 32-bit lanes, so that equal hashes mean equal records for all purposes.

/** Of records as they come. */
export class Digest {
  #a = 0x811c_9dc5
  #b = 0x1234_5678

  add(text: string): void {
    let [a, b] = [this.#a, this.#b]
    for (let i = 0; i < text.length; i += 1) {
      const unit = text.charCodeAt(i)
      a = Math.imul(a ^ unit, 0x0100_0193)
      b = Math.imul(b + unit, 0x5bd1_e995)
      b ^= b >>> 13
    }
    this.#a = Math.imul(a ^ 0x0a, 0x0100_0193)
    this.#b = (b + 0x9e37_79b9) | 0
  }

  get hash(): string {
    return [this.#a, this.#b].map((n) => (n >>> 0).toString(16).padStart(8, '0')).join('')
  }
}

export const digestOf = (records: readonly string[]): string => {
  const digest = new Digest()
  for (const text of records) digest.add(text)
  return digest.hash
}
