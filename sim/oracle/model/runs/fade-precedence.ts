// How long what begins or ends fades, by the model's own reading: the first of four sources (4.1).
import { framesOf, type ModelButton, type ModelList } from '../shapes.js'

/** The Crossfade of a list counts where its Mix is on. */
export const mixOf = ({ mixOnTransition, crossfadeMs }: ModelList): number =>
  mixOnTransition ? framesOf(crossfadeMs) : 0

/** What a fade at End takes. */
export const landingOf = ({ fadeOutAtEnd, fadeOutMs }: ModelButton): number =>
  fadeOutAtEnd ? framesOf(fadeOutMs) : 0

/** The first that applies: supplied, saved and positive, Crossfade where Mix is on, none. */
export const fadeOf = (
  suppliedMs: number | null, savedMs: number, list: ModelList | null,
): number => {
  if (suppliedMs !== null) return framesOf(suppliedMs)
  if (savedMs > 0) return framesOf(savedMs)
  return list === null ? 0 : mixOf(list)
}
