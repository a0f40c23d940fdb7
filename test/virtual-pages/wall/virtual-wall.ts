// A wall without a browser: all of it drawn in happy-dom, on virtual time, before a daemon that the
// test speaks for. There is no layout, so what only a browser can tell is told by a browser.
import { h, render } from 'preact'
import { onTestFinished, vi } from 'vitest'
import type { LiveChange, LiveParts } from '../../../src/contract/live.js'
import type { ShowButton, ShowPage, ShowPlaylist } from '../../../src/contract/show-page.js'
import { App } from '../../../src/pages/wall/view/app.js'
import { registerKeys } from '../../../src/pages/wall/view/key-handler.js'
import { Model } from '../../../src/pages/wall/view/model-context.js'
import { WallModel } from '../../../src/pages/wall/wall-model.js'
import { openVirtual, pass } from '../virtual-page.js'
import { FakeDaemon } from '../fake-daemon.js'
import { SILENT } from '../../pages/wall/show-parts.js'

/** Until what was told or done is drawn, and texts are counted once more. */
const DRAWN_MS = 60
/** The part of the window that the grid has: three columns and two rows of its cells. */
const GRID = { width: 3 * 180, height: 2 * 124 }

/** A bar that the compositor moves: from where to where, in so many ms. */
interface Moved {
  readonly element: Element
  readonly from: string
  readonly to: string
  readonly ms: number
  isOver: boolean
}

export const listOf = (
  id: string, buttons: readonly ShowButton[], more: Partial<ShowPlaylist> = {},
): ShowPlaylist => ({
  id, title: `List ${id}`, mode: 'manual', wrap: false, mixOnTransition: false, crossfadeMs: 0,
  crossfadeCurve: 'linear', columns: null, buttons, ...more,
})

export const showOf = (
  playlists: readonly ShowPlaylist[], settings: Partial<ShowPage['settings']> = {},
): ShowPage => ({
  title: 'Night', version: '1', playlists,
  settings: { panicFadeMs: 1_500, guardMs: 300, stageOffsetMs: 0, ...settings },
})

export class VirtualWall {
  readonly moved: Moved[] = []

  private constructor(readonly daemon: FakeDaemon, readonly model: WallModel) {}

  /** Connected, its show read and its clock set. It is closed as the test is over. */
  static async open(show: ShowPage, parts: Partial<LiveParts> = {}): Promise<VirtualWall> {
    openVirtual('<div id="wall"></div>')
    const daemon = new FakeDaemon(show, { ...SILENT, ...parts })
    const root = document.querySelector('#wall')
    if (root === null) throw new Error('there is no place for a wall')
    lendLayout()
    const model = new WallModel()
    const wall = new VirtualWall(daemon, model)
    Element.prototype.animate = wall.#animate()
    render(h(Model.Provider, { value: model }, h(App, {})), root)
    registerKeys(model)
    model.start()
    onTestFinished(() => render(null, root))
    await pass(500)
    return wall
  }

  async tell(change: Partial<LiveChange>): Promise<void> {
    this.daemon.tell(change)
    await pass(DRAWN_MS)
  }

  find(selector: string): HTMLElement {
    const found = document.querySelector<HTMLElement>(selector)
    if (found === null) throw new Error(`there is no ${selector}`)
    return found
  }

  /** As they are read: without what is hidden, and each blank once. */
  texts(selector: string): readonly string[] {
    return [...document.querySelectorAll(selector)].map(textOf)
  }

  text(selector: string): string {
    return textOf(this.find(selector))
  }

  /** A button or another control by its name. */
  named(name: string): HTMLElement {
    const all = [...document.querySelectorAll<HTMLElement>('button, input, [role="menuitem"]')]
    const found = all.find((one) => (one.getAttribute('aria-label') ?? textOf(one)) === name)
    if (found === undefined) throw new Error(`nothing is named ${name}`)
    return found
  }

  cell(buttonId: string): HTMLElement {
    return this.find(`[data-button="${buttonId}"]`)
  }

  async click(element: HTMLElement): Promise<void> {
    element.click()
    await pass(DRAWN_MS)
  }

  /** A pointer that goes down on it, and what comes of that. */
  async press(element: HTMLElement, init: PointerEventInit = {}): Promise<void> {
    const event = { bubbles: true, cancelable: true, pointerId: 1, ...init }
    element.dispatchEvent(new PointerEvent('pointerdown', event))
    element.dispatchEvent(new PointerEvent('pointerup', event))
    element.dispatchEvent(new MouseEvent('click', { bubbles: true, detail: 1, ...init }))
    await pass(DRAWN_MS)
  }

  async key(code: string, init: KeyboardEventInit = {}): Promise<void> {
    const target = document.activeElement ?? document.body
    const event = new KeyboardEvent('keydown', { bubbles: true, cancelable: true, code, ...init })
    target.dispatchEvent(event)
    await pass(DRAWN_MS)
  }

  async type(field: HTMLElement, text: string): Promise<void> {
    const input = field as HTMLInputElement
    input.value = text
    input.dispatchEvent(new Event('input', { bubbles: true }))
    await pass(DRAWN_MS)
  }

  #animate(): Element['animate'] {
    const { moved } = this
    return function animate(this: Element, frames, options) {
      const [from, to] = frames as unknown as readonly { transform: string }[]
      const { duration = 0 } = options as KeyframeAnimationOptions
      const one: Moved = {
        element: this, from: from?.transform ?? '', to: to?.transform ?? '',
        ms: Number(duration), isOver: false,
      }
      moved.push(one)
      return { cancel: () => (one.isOver = true) } as unknown as Animation
    }
  }
}

const textOf = (element: Element): string => {
  const copy = element.cloneNode(true) as Element
  for (const hidden of copy.querySelectorAll('.visually-hidden, svg')) hidden.remove()
  return copy.textContent.replaceAll(/\s+/g, ' ').trim()
}

/** Sizes, and what happy-dom has not. */
const lendLayout = (): void => {
  Object.defineProperties(HTMLElement.prototype, {
    clientWidth: { configurable: true, get: () => GRID.width },
    clientHeight: { configurable: true, get: () => GRID.height },
  })
  HTMLElement.prototype.hasPointerCapture = () => false
  vi.stubGlobal('ResizeObserver', class {
    observe(): void {}
    disconnect(): void {}
  })
}
