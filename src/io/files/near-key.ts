// A key that was written almost as it is called: `colour`, `fadeoutMs`, `gain` for `gainDb`.

/** Slips that are more likely than another word: two letters that changed places are two. */
const SLIPS_MOST = 2

/** The known key that was likely meant; null where none is like it. */
export const nearKey = (key: string, known: readonly string[]): string | null => {
  const wanted = key.toLowerCase()
  const slips = known.map((name) => ({ name, count: slipsBetween(wanted, name.toLowerCase()) }))
    .sort((a, b) => a.count - b.count)
  const [near] = slips
  if (near !== undefined && near.count <= Math.min(SLIPS_MOST, Math.floor(wanted.length / 2))) {
    return near.name
  }
  // Without its unit or its verb: `gain`, `loopEnabled`. Where several hold it, nobody can tell.
  const holding = known.filter((name) => name.toLowerCase().includes(wanted))
  return wanted.length >= 3 && holding.length === 1 ? holding[0]! : null
}

/** Levenshtein's distance: letters put in, left out or exchanged. */
const slipsBetween = (a: string, b: string): number => {
  let before = Array.from({ length: b.length + 1 }, (_, n) => n)
  for (let i = 1; i <= a.length; i += 1) {
    const row = [i]
    for (let j = 1; j <= b.length; j += 1) {
      const exchanged = before[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1)
      row.push(Math.min(exchanged, before[j]! + 1, row[j - 1]! + 1))
    }
    before = row
  }
  return before[b.length]!
}
