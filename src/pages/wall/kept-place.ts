// Where a wall was, for its next loading: by F5, or by a tablet that threw the page away asleep.
import type { KeptPlace, Place } from './places.js'

const KEY = 'cartwall.place'

const read = (): Place | null => {
  try {
    const { playlistId, first } = JSON.parse(sessionStorage.getItem(KEY) ?? '{}') as Partial<Place>
    return typeof playlistId === 'string' && typeof first === 'number'
      ? { playlistId, first } : null
  } catch {
    return null
  }
}

const write = (place: Place): void => {
  try {
    sessionStorage.setItem(KEY, JSON.stringify(place))
  } catch {
    // Nothing is kept here: the next loading begins at the first list.
  }
}

/** Of this window alone: walls side by side have different lists open. */
export const placeOfWindow: KeptPlace = { read, write }
