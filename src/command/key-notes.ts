// What `cartwall check` says of the keys of a playlist's buttons, as the wall will have them.
import { PLACE_KEYS } from '../contract/place-keys.js'
import type { Playlist } from '../engine/catalogue.js'
import type { Fault } from '../io/files/fault.js'
import type { ShowLooks } from '../io/show/show-file.js'
import { isKeyCode } from './key-codes.js'

export const keyNotes = (
  { buttons }: Playlist, at: string, looks: ShowLooks,
): readonly Fault[] => {
  const hotkeys = buttons.map(({ id }) => looks.buttons.get(id)?.hotkey ?? null)
  return hotkeys.flatMap((own, b) => {
    if (own !== null) return isKeyCode(own) ? [] : [noKey(`${at}.buttons[${b}].hotkey`, own)]
    // On later pages it depends on the window which button has which place.
    const key = PLACE_KEYS[b]
    const owner = key === undefined ? -1 : hotkeys.indexOf(key)
    return owner < 0 ? [] : [{
      place: `${at}.buttons[${b}]`,
      message: `${key}, the key of its place on the first page, is the hotkey of `
        + `${at}.buttons[${owner}]`,
    }]
  })
}

const noKey = (place: string, code: string): Fault =>
  ({ place, message: `no browser names a key ${code}: it is a code such as KeyQ or Digit1` })
