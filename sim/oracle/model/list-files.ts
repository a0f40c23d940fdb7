// What a list can expect of the files of its items: which may fail, which are quick, how long a
// look takes.
import type { SimMedia } from '../../world/media.js'
import { framesOf, type ModelButton, type ModelList } from './shapes.js'

export interface FilesHost {
  readonly media: SimMedia
  /** The file was tampered with in this scenario. */
  tampered(file: number): boolean
}

export const playable = (list: ModelList): readonly ModelButton[] =>
  list.buttons.filter(({ kind }) => kind === 'audio' || kind === 'video')

/** It may be passed over: its file was not what it seems, or may not be. */
export const isDoubtful = (host: FilesHost, button: ModelButton): boolean => {
  if (button.file === null) return false
  const file = host.media.files[button.file]!
  return host.tampered(button.file) || file.missing || file.breaksAt !== null ||
    file.readyAfter === null || file.checkedAfter === null ||
    framesOf(button.startMs) >= file.frames
}

export const isQuick = (host: FilesHost, button: ModelButton): boolean => {
  const file = host.media.files[button.file!]!
  return !isDoubtful(host, button) && file.readyAfter! + file.checkedAfter! <= 48_000 &&
    file.step === null && file.stall === null
}

/** How long a list may look for its next item: every file twice; null where a look never ends. */
export const patienceOf = (host: FilesHost, list: ModelList): number | null => {
  let sum = 0
  for (const button of playable(list)) {
    const { checkedAfter } = host.media.files[button.file!]!
    if (checkedAfter === null) return null
    sum += 2 * checkedAfter
  }
  return sum
}
