// The offset that was set by keys, as this browser keeps it.

const OFFSET_KEY = 'cartwall.stage.offsetMs'

/** Null: none was set here, or this browser keeps nothing at all. */
export const keptOffset = (): number | null => {
  try {
    const kept = localStorage.getItem(OFFSET_KEY)
    return kept === null || !Number.isFinite(Number(kept)) ? null : Number(kept)
  } catch {
    return null
  }
}

export const keepOffset = (ms: number): void => {
  try {
    localStorage.setItem(OFFSET_KEY, String(ms))
  } catch {
    // It holds until the page is loaded anew.
  }
}
