// Which buttons would sound at once: their beginning is decoded already.
import { computed, type ReadonlySignal } from '@preact/signals'
import { readArmed } from '../../../contract/armed-bits.js'
import type { ShowPage } from '../../../contract/show-page.js'
import type { Known } from '../../shared/live-state.js'

export interface LoadedShow {
  readonly page: ShowPage
  readonly etag: string | null
}

const NONE: ReadonlySet<string> = new Set()

/**
 * Ids of buttons. The daemon tells them by their places in one version of the show: while the page
 * has another one they stay as they were.
 */
export const armedButtons = (
  known: ReadonlySignal<Known | null>, loaded: ReadonlySignal<LoadedShow | null>,
): ReadonlySignal<ReadonlySet<string>> => {
  // Most changes of what is known are of runs: these two stay, and nothing is worked out anew.
  const bits = computed(() => known.value?.armed ?? null)
  const etag = computed(() => known.value?.show ?? null)
  let last = NONE
  return computed(() => {
    const show = loaded.value
    if (bits.value === null || show === null || show.etag !== etag.value) return last
    const ids = show.page.playlists.flatMap(({ buttons }) => buttons.map(({ id }) => id))
    last = readArmed(bits.value, ids)
    return last
  })
}
