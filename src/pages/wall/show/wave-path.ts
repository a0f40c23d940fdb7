// Turns a small waveform into the path of its drawing.

const FULL_SCALE = 255
/** A thin line. */
const LEAST = 0.03
/** Music at half of full scale is loud to the ear: what is quieter is drawn larger than it is. */
export const LOUDNESS = 0.7

/** In a box of `columns` by 2, mirrored about its middle; quiet passages keep a thin line. */
export const wavePath = (peaks: Uint8Array): string => {
  const heights = [...peaks].map((peak) => Math.max(LEAST, (peak / FULL_SCALE) ** LOUDNESS))
  const above = heights.map((height, x) => `${x} ${(1 - height).toFixed(2)}`)
  const below = heights.map((height, x) => `${x} ${(1 + height).toFixed(2)}`).reverse()
  return `M${[...above, ...below].join('L')}Z`
}
