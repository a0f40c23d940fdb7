// Panic: the one button that always works, and what it did, in words that nobody can miss.
import type { JSX } from 'preact'
import { useRef } from 'preact/hooks'
import { nowMs } from '../../../client/time.js'
import { panicWords, WORDS } from '../words.js'
import { useWall } from './model-context.js'

export const PanicButton = (): JSX.Element => {
  const model = useWall()
  const downAt = useRef(-Infinity)
  const { kind } = model.panicSign.state.value
  return (
    <button
      type="button"
      class={`panic is-${kind}`}
      aria-label={WORDS.panic}
      title={WORDS.panicHint}
      onPointerDown={(event) => {
        if (event.button !== 0) return
        downAt.current = nowMs()
        model.panic.press()
      }}
      onClick={(event) => {
        // The click of a pointer, whose press was taken when it went down.
        const isPointers = event.detail > 0 && nowMs() - downAt.current < HELD_MOST_MS
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
        // The one button that works behind it, too.
        const under = document.elementsFromPoint(event.clientX, event.clientY)
        if (under.some((element) => element.matches('.panic'))) model.panic.press()
        else model.panicSign.close()
      }}
    >
      <span>{words}</span>
      {state.kind === 'not_sent' && <span class="panic-close">{WORDS.panicClose}</span>}
    </div>
  )
}
