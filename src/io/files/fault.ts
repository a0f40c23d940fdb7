// A fault in a file that a person wrote: the place where it stands, and what must be otherwise.
import { unseenShown } from './unseen-sign.js'

export interface Fault {
  /** As a person would point at it: `playlists[0].buttons[3].endMs`, or `line 3, column 9`. */
  readonly place: string
  readonly message: string
  /** What stands there, as people call it: `button "Doorbell"`. */
  readonly of?: string
}

/** Where a fault is the file's as a whole. */
export const WHOLE_FILE = 'file'

/**
 * Every fault of a file is named (decisions 6). The rest is counted only where a line could get
 * longer than the log takes, e.g. of a show whose 10 000 buttons all have the same mistake.
 */
const FAULTS_A_LINE = 1_000
/** For apps and walls, which read it again and again, the first of them do. */
const FAULTS_TOLD = 20

export const faultText = ({ place, message, of }: Fault): string =>
  `${place}: ${message}${of === undefined ? '' : ` (${of})`}`

/** All faults of one file as the one line that a daemon says when it cannot start (decisions 7). */
export const faultLine = (what: string, file: string, faults: readonly Fault[]): string =>
  `${what} ${file} is refused: ${faultsText(faults)}`

/** All faults of one file, its name apart. */
export const faultsText = (faults: readonly Fault[]): string => firstFaults(faults, FAULTS_A_LINE)

/** What apps are told of why a file was refused. */
export const faultsTold = (faults: readonly Fault[]): string => firstFaults(faults, FAULTS_TOLD)

/** So many of them in one line; the rest is counted. */
export const firstFaults = (
  faults: readonly Fault[], most: number, words = faultText,
): string => {
  const shown = faults.slice(0, most).map(words)
  const rest = faults.length - shown.length
  const more = rest > 0 ? `; and ${String(rest)} more` : ''
  return `${shown.join('; ')}${more}`
}

export const objectPlace = (place: string, key: string): string => {
  if (!/^[\p{L}_$][\p{L}\p{N}_$-]*$/u.test(key)) {
    return `${place}[${unseenShown(JSON.stringify(key))}]`
  }
  return place === '' ? key : `${place}.${key}`
}

/** A path of keys and indices as people write it. */
export const placeOf = (path: readonly PropertyKey[]): string => {
  let place = ''
  for (const step of path) {
    if (typeof step === 'number') place += `[${String(step)}]`
    else place = objectPlace(place, String(step))
  }
  return place === '' ? WHOLE_FILE : place
}
