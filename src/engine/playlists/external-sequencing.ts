// Who decides what follows a run (3.3): the client, its own list, or its own repeat. All that
// external sequencing switches off is decided here.
import type { Catalogue } from '../catalogue.js'
import { listOf, type Run } from '../runs/run.js'

/** Whether the list goes on by itself after this run (3.3.2, 3.4.1), and from its End. */
export const listGoesOn = (run: Run, catalogue: Catalogue): boolean => {
  if (run.options.externalSequencing || run.options.loop === true) return false
  // What blends in has the list now, unless it broke and nobody else follows (decisions 8).
  if (run.handedOver !== null && run.takenBack === null) return false
  // A vanished button has no place in its list that something could follow.
  if (catalogue.button(run.button.id) === null) return false
  return (listOf(run, catalogue)?.mode ?? 'manual') !== 'manual'
}

/** Whether the saved padlock counts at all: a client that sequences has switched it off (3.4.3). */
export const obeysPadlock = (run: Pick<Run, 'options'>): boolean => !run.options.externalSequencing
