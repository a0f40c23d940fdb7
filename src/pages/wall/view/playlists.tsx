// The playlists as tabs, each with a mark where something of it plays.
import type { JSX } from 'preact'
import { useLayoutEffect, useRef } from 'preact/hooks'
import type { ShowPlaylist } from '../../../contract/show-page.js'
import type { LiveNow } from '../look.js'
import { unnamed, WORDS } from '../words.js'
import { Icon } from './icons.js'
import { useWall } from './model-context.js'
import { moveOf } from './key-event.js'

export const Playlists = (): JSX.Element => {
  const model = useWall()
  const playlists = model.show.value?.playlists ?? []
  const current = model.places.playlist.value?.id ?? null
  const turn = (event: KeyboardEvent): void => {
    const by = { ArrowUp: -1, ArrowLeft: -1, ArrowDown: 1, ArrowRight: 1 }[moveOf(event)]
    // With Alt an arrow is the browser's own: it goes back.
    if (by === undefined || event.altKey || event.ctrlKey || event.metaKey) return
    event.preventDefault()
    event.stopPropagation()
    model.places.turnPlaylist(by as 1 | -1)
    const tabs = event.currentTarget as HTMLElement
    requestAnimationFrame(() =>
      tabs.querySelector<HTMLElement>('[aria-selected="true"]')?.focus())
  }
  return (
    <nav class="lists" aria-label={WORDS.playlists}>
      <div class="playlists" role="tablist" aria-label={WORDS.playlists} onKeyDown={turn}>
        {playlists.map((playlist) => (
          <Tab key={playlist.id} playlist={playlist} isCurrent={playlist.id === current} />
        ))}
      </div>
    </nav>
  )
}

const MARK_WORDS = { playing: 'something plays', paused: 'something is paused' } as const

/** What of a playlist is on: `paused` where nothing else of it is. */
const markOf = (
  { runs, timelines, image }: LiveNow, ids: ReadonlySet<string>,
): keyof typeof MARK_WORDS | null => {
  const own = runs.filter(({ buttonId }) => ids.has(buttonId))
  const isOn = own.some(({ state }) => state !== 'paused')
    || timelines.some(({ buttonId }) => ids.has(buttonId))
    || (image !== null && ids.has(image.buttonId))
  return isOn ? 'playing' : own.length > 0 ? 'paused' : null
}

/** Of many lists not all tabs are seen: keys, the search and buttons may open any of them. */
const reveal = (tab: HTMLElement | null): void => {
  const list = tab?.parentElement
  if (tab === null || list === null || list === undefined) return
  const own = tab.getBoundingClientRect()
  const { left, right, top, bottom } = list.getBoundingClientRect()
  list.scrollLeft += Math.min(0, own.left - left) + Math.max(0, own.right - right)
  list.scrollTop += Math.min(0, own.top - top) + Math.max(0, own.bottom - bottom)
}

const Tab = (
  { playlist, isCurrent }: { readonly playlist: ShowPlaylist; readonly isCurrent: boolean },
): JSX.Element => {
  const model = useWall()
  const ids = new Set(playlist.buttons.map(({ id }) => id))
  const known = model.known.value
  const mark = known === null ? null : markOf(known, ids)
  const tab = useRef<HTMLButtonElement>(null)
  useLayoutEffect(() => {
    if (isCurrent) reveal(tab.current)
  }, [isCurrent])
  return (
    <button
      type="button"
      ref={tab}
      role="tab"
      class="tab"
      aria-label={unnamed(playlist.title, 'playlist') ?? undefined}
      aria-selected={isCurrent}
      aria-controls="grid"
      tabIndex={isCurrent ? 0 : -1}
      onClick={() => model.places.openPlaylist(playlist.id)}
    >
      <span class="tab-title" dir="auto">{playlist.title}</span>
      <span class={`tab-mark is-${mark ?? 'off'}`}>
        {mark !== null && <Icon sign={mark} />}
        {mark !== null && <span class="visually-hidden">{MARK_WORDS[mark]}</span>}
      </span>
    </button>
  )
}
