// What a list can expect of its items' files: which may fail, are quick, how long a look takes.
import { framesOf, type ModelButton, type ModelList } from '../shapes.js'
import type { ModelState } from '../state.js'

export const playable = (list: ModelList): readonly ModelButton[] =>
  list.buttons.filter(({ kind }) => kind === 'audio' || kind === 'video')

/** It may be passed over: its file was not what it seems, or may not be. */
export const isDoubtful = ({ media, tampered }: ModelState, button: ModelButton): boolean => {
  if (button.file === null) return false
  const file = media.files[button.file]!
  return tampered.has(button.file) || file.missing || file.breaksAt !== null ||
    file.readyAfter === null || file.checkedAfter === null ||
    framesOf(button.startMs) >= file.frames
}

export const isQuick = (state: ModelState, button: ModelButton): boolean => {
  const file = state.media.files[button.file!]!
  return !isDoubtful(state, button) && file.readyAfter! + file.checkedAfter! <= 48_000 &&
    file.step === null && file.stall === null
}

/** How long a list may look for its next item: every file twice; some looks never end. */
export const patienceOf = ({ media }: ModelState, list: ModelList): number =>
  playable(list).reduce(
    (sum, { file }) => sum + 2 * (media.files[file!]!.checkedAfter ?? Infinity), 0)
