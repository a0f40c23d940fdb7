// Whether a page's heap grows: the slope of the least squares line through what it held.

/** Megabytes an hour; `minute` and `heapMb` are taken after a collection of garbage. */
export const heapSlope = (
  held: readonly { readonly minute: number; readonly heapMb: number }[],
): number => {
  const mean = (values: readonly number[]): number =>
    values.reduce((sum, value) => sum + value, 0) / values.length
  const x = mean(held.map(({ minute }) => minute))
  const y = mean(held.map(({ heapMb }) => heapMb))
  const along = held.reduce((sum, each) => sum + (each.minute - x) * (each.heapMb - y), 0)
  const across = held.reduce((sum, each) => sum + (each.minute - x) ** 2, 0)
  return (along / across) * 60
}
