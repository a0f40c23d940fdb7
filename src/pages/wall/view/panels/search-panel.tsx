// Search: a title in all playlists; choosing one opens its page and gives it the focus.
import type { JSX } from 'preact'
import { useLayoutEffect, useState } from 'preact/hooks'
import type { ShowButton } from '../../../../contract/show-page.js'
import type { WallModel } from '../../wall-model.js'
import { folded } from '../../search-text.js'
import { moreFound, WORDS } from '../../words.js'
import { useWall } from '../model-context.js'
import { isComposed, moveOf } from '../key-event.js'

const FOUND_MOST = 12

interface Found {
  readonly button: ShowButton
  readonly playlist: string
}

export const SearchPanel = (): JSX.Element => {
  const model = useWall()
  const [text, setText] = useState('')
  const [place, setAt] = useState(0)
  const all = find(model, text)
  const found = all.slice(0, FOUND_MOST)
  // A show that is saved meanwhile may have fewer.
  const at = Math.min(place, Math.max(0, found.length - 1))
  // In a low window it is below what is seen: who chose it by keys must see what Enter takes.
  useLayoutEffect(() => {
    document.getElementById(`found-${at}`)?.scrollIntoView({ block: 'nearest' })
  }, [at, text])
  const onKeyDown = (event: KeyboardEvent): void => {
    if (isComposed(event)) return
    const by = { ArrowDown: 1, ArrowUp: -1 }[moveOf(event)]
    if (by !== undefined) {
      event.preventDefault()
      setAt(Math.max(0, Math.min(at + by, found.length - 1)))
    }
    const chosen = found[at]
    // By what it writes: the keyboard of a phone has no places, the number pad another one.
    if (event.key === 'Enter' && !event.repeat && chosen !== undefined) {
      event.preventDefault()
      choose(model, chosen.button)
    }
  }
  return (
    <div class="search">
      <input type="search" role="combobox" list={undefined} aria-expanded={found.length > 0}
        aria-controls="found" aria-label={WORDS.searchHint} placeholder={WORDS.searchHint}
        aria-activedescendant={found[at] === undefined ? undefined : `found-${at}`}
        autocomplete="off" value={text} onKeyDown={onKeyDown}
        onInput={(event) => {
          setText(event.currentTarget.value)
          setAt(0)
        }} />
      <div class="found" id="found" role="listbox" aria-label={WORDS.search}>
        {found.map(({ button, playlist }, n) => (
          <div key={button.id} id={`found-${n}`} role="option" aria-selected={n === at}
            class="found-one" onClick={() => {
              // Of two clicks the second lands on what was under the panel; two Enters are meant.
              model.presses.turned()
              choose(model, button)
            }}>
            <span class="found-title" dir="auto">{button.title}</span>
            <span class="found-list" dir="auto">{playlist}</span>
          </div>
        ))}
      </div>
      <p class="fact" role="status">{foundWords(text, all.length)}</p>
    </div>
  )
}

/** What the list does not say, also to a screen reader. */
const foundWords = (text: string, count: number): string => {
  if (count > FOUND_MOST) return moreFound(count - FOUND_MOST)
  return text !== '' && count === 0 ? WORDS.noneFound : ''
}

const choose = (model: WallModel, button: ShowButton): void => {
  model.open.value = null
  model.moveFocus(() => model.places.find(button.id))
  // Where its page is open already nothing is drawn anew, and the focus is moved by hand.
  requestAnimationFrame(() => {
    const cell = document.querySelector<HTMLElement>(`[data-button="${button.id}"] .press`)
    cell?.focus()
  })
}

const find = (model: WallModel, text: string): readonly Found[] => {
  const words = folded(text).split(/\s+/).filter(Boolean)
  if (words.length === 0) return []
  const all = (model.show.value?.playlists ?? []).flatMap(({ title, buttons }) =>
    buttons.map((button) => ({ button, playlist: title })))
  return all.filter(({ button }) => {
    const title = folded(button.title)
    return words.every((word) => title.includes(word))
  })
}
