// A hash of records: two 32-bit lanes, so that equal hashes mean equal records for all purposes.

export const digestOf = (records: readonly string[]): string => {
  let [a, b] = [0x811c_9dc5, 0x1234_5678]
  for (const text of records) {
    for (let i = 0; i < text.length; i += 1) {
      const unit = text.charCodeAt(i)
      a = Math.imul(a ^ unit, 0x0100_0193)
      b = Math.imul(b + unit, 0x5bd1_e995)
      b ^= b >>> 13
    }
    a = Math.imul(a ^ 0x0a, 0x0100_0193)
    b = (b + 0x9e37_79b9) | 0
  }
  return [a, b].map((n) => (n >>> 0).toString(16).padStart(8, '0')).join('')
}
