// Which fade applies to a pause, a resume or a stop (4.1), by the model's own reading.
import { framesOf, type ModelList } from '../shapes.js'

/** The first that applies: supplied, saved and positive, Crossfade where Mix is on, none. */
export const fadeOf = (
  suppliedMs: number | null, savedMs: number, list: ModelList | null,
): number => {
  if (suppliedMs !== null) return framesOf(suppliedMs)
  if (savedMs > 0) return framesOf(savedMs)
  return list?.mixOnTransition === true ? framesOf(list.crossfadeMs) : 0
}
