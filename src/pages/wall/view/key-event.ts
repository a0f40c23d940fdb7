// What a key means that was pressed, whatever keyboard it stands on.

type Key = Pick<KeyboardEvent, 'code' | 'key'>

/** The physical key. Keys on a screen and those of some pads have a meaning and no place. */
export const placeOf = ({ code, key }: Key): string => (code === '' ? key : code)

/** As menus and lists ask for it: keys that move are also on a number pad without NumLock. */
export const moveOf = (event: Key): string =>
  /^(Arrow|Home$|End$)/.test(event.key) ? event.key : placeOf(event)

/**
 * Windows takes Shift back from a digit of the number pad, and tells what the key means with it,
 * e.g. Home: with NumLock on that is Shift and the digit.
 */
export const hasShift = (event: KeyboardEvent): boolean =>
  event.shiftKey || (/^Numpad(\d|Decimal)$/.test(event.code)
    && event.getModifierState('NumLock') && !/^[\d.,]$/.test(event.key))

/** The number that browsers give to a key of an input method, whichever it is. */
const OF_INPUT_METHOD = 229

/**
 * It writes a sign of several strokes, as in Japanese. The Enter that ends one, and the Esc that
 * takes it back, come after the composition in Safari, and are known by their number alone.
 */
export const isComposed = (event: KeyboardEvent): boolean => {
  // The number is out of fashion, and nothing else tells this.
  const { keyCode } = event as { readonly keyCode: number }
  const isInField = event.target instanceof HTMLInputElement
  return event.isComposing || (isInField && keyCode === OF_INPUT_METHOD)
}
