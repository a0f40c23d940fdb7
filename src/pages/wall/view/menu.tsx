// The menu of a button or a run: what a press does not do.
import type { JSX } from 'preact'
import { useEffect, useLayoutEffect, useMemo, useRef } from 'preact/hooks'
import type { ShowButton } from '../../../contract/show-page.js'
import { makesRuns } from '../../../contract/vocabulary.js'
import { lookOf, runOf, type Look } from '../look.js'
import type { Command } from '../press/press.js'
import type { MenuOf, WallModel } from '../wall-model.js'
import { nameOf } from '../words.js'
import { useWall } from './model-context.js'
import { moveOf } from './key-event.js'

const FADES_S = [0.5, 1, 3, 5, 10] as const
const EDGE_PX = 8
/** Below the header, where panic is. */
const TOP_PX = 68

interface Item {
  readonly words: string
  readonly command: Command | 'options' | 'open'
}

export const Menu = (): JSX.Element | null => {
  const model = useWall()
  const { value } = model.open
  return value?.kind === 'menu' ? <OpenMenu menu={value.menu} key={value.menu.button.id} /> : null
}

const OpenMenu = ({ menu }: { readonly menu: MenuOf }): JSX.Element => {
  const model = useWall()
  const element = useRef<HTMLDivElement>(null)
  const { button } = menu
  const look = lookOf(button, model.known.value)
  useLayoutEffect(() => {
    place(element.current, menu)
    element.current?.querySelector<HTMLElement>('[role="menuitem"]')?.focus()
  }, [menu])
  useEffect(() => {
    const outside = (event: PointerEvent): void => {
      const { target } = event
      if (target instanceof Element && target.closest('.menu, .more, .row-tool') === null) {
        model.close()
      }
    }
    // A tablet that is turned: what was at the right would be out of sight.
    const turned = (): void => place(element.current, menu)
    document.addEventListener('pointerdown', outside)
    window.addEventListener('resize', turned)
    return () => {
      document.removeEventListener('pointerdown', outside)
      window.removeEventListener('resize', turned)
    }
  }, [model, menu])
  const facts = factsOf(button, look)
  // As it was opened: what is read is what is chosen, and nothing moves under a finger or takes the
  // focus away where the button starts or ends meanwhile.
  const items = useMemo(() => itemsOf(button, look), [menu])
  // On Windows the Menu key asks for the browser's menu as it comes up, over this one.
  return (
    <section class="menu" ref={element} aria-label={`Choices for ${nameOf(button.title)}`}
      onContextMenu={(event) => event.preventDefault()}>
      <p class="menu-title" dir="auto">{button.title}</p>
      {facts.map((fact) => <p class="menu-fact" key={fact}>{fact}</p>)}
      <div role="menu" aria-label={nameOf(button.title)} onKeyDown={(event) => walk(model, event)}>
        {items.map(({ words, command }) => (
          <button type="button" role="menuitem" tabIndex={-1} key={words}
            onClick={() => choose(model, menu, command)}>
            {words}
          </button>
        ))}
      </div>
    </section>
  )
}

const choose = (model: WallModel, menu: MenuOf, command: Item['command']): void => {
  // Low in the window the menu lies over the sign that a double click has opened it by.
  if (model.presses.isSecondHalf()) return
  model.close()
  const { target } = menu.button
  if (command === 'options') model.open.value = { kind: 'options', menu }
  else if (command !== 'open') model.presses.choose(command)
  else if (target !== null) model.moveFocus(() => model.places.openPlaylist(target))
}

/** Beside what it is of, and whole within the window. */
const place = (element: HTMLElement | null, { x, y }: MenuOf): void => {
  if (element === null) return
  const { offsetWidth: width, offsetHeight: height } = element
  const left = Math.max(EDGE_PX, Math.min(x, window.innerWidth - width - EDGE_PX))
  const top = Math.max(TOP_PX, Math.min(y, window.innerHeight - height - EDGE_PX))
  element.style.left = `${left}px`
  element.style.top = `${top}px`
}

const walk = (model: WallModel, event: KeyboardEvent): void => {
  // On from what has the menu. Left open behind the focus it would keep the keys of the buttons.
  if (moveOf(event) === 'Tab') return model.close()
  const menu = event.currentTarget as HTMLElement
  const items = [...menu.querySelectorAll<HTMLElement>('[role="menuitem"]')]
  const at = items.findIndex((item) => item === document.activeElement)
  const to = {
    ArrowDown: (at + 1) % items.length,
    ArrowUp: (at - 1 + items.length) % items.length,
    Home: 0,
    End: items.length - 1,
  }[moveOf(event)]
  if (to === undefined) return
  event.preventDefault()
  items[to]?.focus()
}

/** What a person may want to know, such as why a press cannot play it. */
const factsOf = ({ media, dmx }: ShowButton, look: Look): readonly string[] => {
  const facts: string[] = []
  if (look.kind === 'missing') facts.push(look.reason)
  if (media !== null && media.notShown !== null) facts.push(`No picture: ${media.notShown}`)
  if (dmx !== null && dmx.error !== null) facts.push(`No lights: ${dmx.error}`)
  return facts
}

const itemsOf = (button: ShowButton, look: Look): readonly Item[] => {
  const { id: buttonId, kind } = button
  const run = runOf(look)
  const stop = (words: string, fadeMs: number | null): Item => ({
    words,
    command: { kind: 'stop', buttonId, executionId: run?.executionId ?? null, fadeMs },
  })
  const restart: Item = {
    words: look.kind === 'idle' || look.kind === 'missing' ? 'Play' : 'Restart',
    command: { kind: look.kind === 'idle' ? 'play' : 'restart', buttonId, options: null },
  }
  // One that was made to open a playlist while it plays has a run, and is stopped by it.
  const first: Item = kind === 'navigation' ? { words: 'Open', command: 'open' } : restart
  const options: readonly Item[] =
    makesRuns(kind) ? [{ words: 'Play with…', command: 'options' }] : []
  if (run === null) {
    const isOn = look.kind === 'shown' || look.kind === 'lit'
    return [first, ...(isOn ? [stop('Stop', null)] : []), ...options]
  }
  const { executionId } = run
  const pauseOrResume = (words: string, fadeMs: number): Item => look.kind === 'paused'
    ? { words: `Resume ${words}`, command: { kind: 'resume', buttonId, executionId, fadeMs } }
    : { words: `Pause ${words}`, command: { kind: 'pause', buttonId, executionId, fadeMs } }
  return [
    first,
    stop('Stop', null),
    stop('Cut', 0),
    ...FADES_S.map((seconds) => stop(`Fade out in ${seconds} s`, seconds * 1_000)),
    pauseOrResume('at once', 0),
    pauseOrResume('with a fade of 3 s', 3_000),
    ...options,
  ]
}
