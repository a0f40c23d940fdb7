// A running hash of text: two 32-bit lanes, so that equal hashes mean equal records for all
// purposes here.

export class Digest {
  #a = 0x811c_9dc5
  #b = 0x1234_5678

  add(text: string): void {
    let a = this.#a
    let b = this.#b
    for (let i = 0; i < text.length; i += 1) {
      const unit = text.charCodeAt(i)
      a = Math.imul(a ^ unit, 0x0100_0193)
      b = Math.imul(b + unit, 0x5bd1_e995)
      b ^= b >>> 13
    }
    this.#a = Math.imul(a ^ 0x0a, 0x0100_0193)
    this.#b = (b + 0x9e37_79b9) | 0
  }

  get hex(): string {
    const word = (n: number): string => (n >>> 0).toString(16).padStart(8, '0')
    return word(this.#a) + word(this.#b)
  }
}

export const digestOf = (records: readonly string[]): string => {
  const digest = new Digest()
  for (const record of records) digest.add(record)
  return digest.hex
}
