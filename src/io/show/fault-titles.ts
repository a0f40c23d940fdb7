// Faults of a show with the titles of what they stand in: nobody counts to `buttons[137]`.
import { isBlank } from '../../contract/blank-text.js'
import { cutText } from '../../contract/cut-text.js'
import type { Fault } from '../files/fault.js'
import type { NamedFile } from './named-files.js'
import { isRaw, placeInShow, rawList } from './raw-show.js'

const TITLE_CHARACTERS = 60

/** @param show as it was read, whatever is wrong with it */
export const withTitles = (show: unknown, faults: readonly Fault[]): readonly Fault[] =>
  faults.map((fault) => {
    const at = placeInShow(fault.place)
    if (at === null) return fault
    const playlist = rawList(show, 'playlists')[at.playlist]
    return at.button === null ? { ...fault, ...called('playlist', playlist) }
      : { ...fault, ...called('button', rawList(playlist, 'buttons')[at.button]) }
  })

/** A fault of a file, where the show names it. */
export const faultAt = ({ place, button }: NamedFile, message: string): Fault =>
  ({ place, message, ...called('button', button) })

/** Nothing where it has no title. */
const called = (what: string, it: unknown): Pick<Fault, 'of'> => {
  const title = isRaw(it) ? it['title'] : null
  if (typeof title !== 'string' || isBlank(title)) return {}
  const short = cutText(title, TITLE_CHARACTERS)
  return { of: `${what} ${JSON.stringify(short === title ? title : `${short}…`)}` }
}
