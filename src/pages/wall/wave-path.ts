// Turns a small waveform into the path of its drawing.

/** In a box of `columns` by 2, mirrored about its middle; quiet passages keep a thin line. */
export const wavePath = (peaks: Uint8Array): string => {
  const heights = [...peaks].map((peak) => Math.max(0.03, Math.round((peak / 255) * 100) / 100))
  const above = heights.map((height, x) => `${x} ${(1 - height).toFixed(2)}`)
  const below = heights.map((height, x) => `${x} ${(1 + height).toFixed(2)}`).reverse()
  return `M${[...above, ...below].join('L')}Z`
}
