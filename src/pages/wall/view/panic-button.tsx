// Panic: the one button that always works, and what it did, in words that nobody can miss.
import type { JSX } from 'preact'
import { nowMs } from '../../../client/time.js'
import { panicWords, WORDS } from '../words.js'
import { useWall } from './model-context.js'

export const PanicButton = (): JSX.Element => {
  const model = useWall()
  const { panicDown } = model
  const { kind } = model.panicSign.state.value
  return (
    <button
      type="button"
      class={`panic is-${kind}`}
      aria-label={WORDS.panic}
      title={WORDS.panicHint}
      onPointerDown={(event) => {
        if (event.button !== 0) return
        panicDown.at = nowMs()
        model.panic.press()
      }}
      onClick={(event) => {
        // The click of a pointer, whose press was taken when it went down.
        const isPointers = event.detail > 0 && nowMs() - panicDown.at < HELD_MOST_MS
        if (!isPointers) model.panic.press()
      }}
    >
      PANIC
    </button>
  )
}

/** A click with a pointer behind it comes when that is let go, however long it was held. */
const HELD_MOST_MS = 60_000

/** A panic that was not sent is told in the largest letters that there are. */
export const PanicTold = (): JSX.Element => {
  const model = useWall()
  const state = model.panicSign.state.value
  const words = panicWords(state, model.connection.value === 'lost')
  return (
    <div
      class={`panic-told is-${state.kind}`}
      role="alert"
      onPointerDown={(event) => {
        if (!isOverPanic(event)) return
        // The click of a finger comes after this is gone, on the button itself.
        model.panicDown.at = nowMs()
        model.panic.press()
      }}
      onClick={(event) => {
        // Not as it goes down: what lies beneath would have the click of a finger, e.g. Pause.
        if (isOverPanic(event) || !model.panicSign.close()) return
        model.presses.turned()
      }}
    >
      <span>{words}</span>
      {state.kind === 'not_sent' && <span class="panic-close">{WORDS.panicClose}</span>}
    </div>
  )
}

/** The one button that works behind the sign, too. */
const isOverPanic = ({ clientX, clientY }: MouseEvent): boolean =>
  document.elementsFromPoint(clientX, clientY).some((element) => element.matches('.panic'))
