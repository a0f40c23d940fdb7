// Many things done, so many at a time, with a word on how far it is.
import type { Progress } from './progress.js'

export const concurrently = async <Thing, Found>(
  things: ReadonlySet<Thing>,
  atOnce: number,
  progress: Progress,
  look: (thing: Thing) => Promise<Found>,
): Promise<ReadonlyMap<Thing, Found>> => {
  const found = new Map<Thing, Found>()
  // The workers share one iterator, so that each thing is taken by one of them.
  const left = things.values()
  const work = async (): Promise<void> => {
    for (const thing of left) {
      found.set(thing, await look(thing))
      progress.step()
    }
  }
  await Promise.all(Array.from({ length: atOnce }, work))
  return found
}
