// What the pages' paths are served from: built files, the show as pages know it, its files
// and their waveforms.
import type { PageFile, Tagged } from '../../contract/page-file.js'

export interface PagesSource {
  /** A built file by its path: `/`, `/stage`, `/assets/NAME-HASH.EXT`; null: there is none. */
  file(path: string): Promise<PageFile | null>
  /** The body of /show. */
  show(): Tagged
  /** The body of /waves: small waveforms of all buttons that have one by now. */
  waves(): Tagged
  /** The whole waveform of a button; null where there is none, or none yet. */
  wave(buttonId: string): Promise<Tagged | null>
  /** The path of a button's media; null where there is no such button, or it has none. */
  media(buttonId: string): string | null
}
