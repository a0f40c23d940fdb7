// The wall as it is drawn, through keys, pointers, searches, menus and saves of the show in any
// order: Enter presses what has the focus, one button is reached by Tab, and cells and rows say
// what the service says.
// @vitest-environment happy-dom
import { expect, it } from 'vitest'
import { diceOf, type Dice } from '../../../sim/scenario/random.js'
import type { ShowButton, ShowPage } from '../../../src/contract/show-page.js'
import { lookOf } from '../../../src/pages/wall/look.js'
import { rowsOf } from '../../../src/pages/wall/shown-runs.js'
import { eachSeed } from '../../each-seed.js'
import { aButton, aRun } from '../../pages/wall/show-parts.js'
import { pass } from '../virtual-page.js'
import { VirtualWall, listOf, showOf } from './virtual-wall.js'

const SEEDS = 8
const STATES = ['playing', 'pausing', 'paused', 'fading_out', 'stopped'] as const
const LISTS = ['p', 'q', 'r']
const KEYS = [
  'ArrowLeft', 'ArrowRight', 'ArrowUp', 'ArrowDown', 'Home', 'End', 'Enter', 'Space', 'Minus',
  'Equal', 'PageUp', 'PageDown', 'KeyQ', 'KeyW', 'Escape', 'Backquote', 'ContextMenu',
]

const allOf = (selector: string): readonly HTMLElement[] =>
  [...document.querySelectorAll<HTMLElement>(selector)]

class Play {
  readonly #dice: Dice
  #wall!: VirtualWall
  #serial = 0

  constructor(seed: number) {
    this.#dice = diceOf(seed)
  }

  async go(steps: number): Promise<void> {
    this.#wall = await VirtualWall.open(this.#show())
    const { settings } = this.#wall.model
    settings.value = { ...settings.value, actOnRelease: this.#dice.chance(0.5) }
    for (let n = 0; n < steps; n += 1) {
      await this.#act(this.#dice.whole(0, 13))
      this.#look()
    }
  }

  /** Lists of buttons, some of which open a list, maybe their own. */
  #show(): ShowPage {
    const dice = this.#dice
    const lists = LISTS.filter((id) => id === 'p' || dice.chance(0.8))
    return showOf(lists.map((id) => {
      const all = Array.from({ length: 8 }, (_, n): ShowButton => aButton({
        id: `${id}${String(n)}`, title: `${id} ${String(n)}`,
        ...(n % 3 === 2 ? { kind: 'navigation', target: dice.pick([id, ...lists]) } : {}),
      }))
      const order = all.filter(() => dice.chance(0.8))
      return listOf(id, dice.chance(0.3) ? order.toReversed() : order)
    }))
  }

  async #act(act: number): Promise<void> {
    const wall = this.#wall
    const dice = this.#dice
    if (act <= 5) await this.#key(dice.pick(KEYS))
    else if (act <= 7) await this.#point('.press')
    else if (act === 8) await this.#point('[role="tab"], .turn, .more, [role="menuitem"]')
    else if (act === 9) {
      wall.daemon.save(this.#show())
      await wall.tell({})
      await wall.tell({})
    } else if (act <= 11) await this.#run()
    else if (act === 12) {
      const field = document.querySelector<HTMLElement>('.panel input[type="search"], .panel input')
      if (field !== null) await wall.type(field, dice.pick(['p', 'q 1', 'r', 'x']))
    } else {
      const shown = allOf('.press')
      if (shown.length > 0) dice.pick(shown).focus()
    }
  }

  async #key(code: string): Promise<void> {
    const { daemon } = this.#wall
    const focused = document.activeElement
    const id = focused?.closest<HTMLElement>('[data-button]')?.dataset['button'] ?? null
    const isPress = focused?.matches('.press') === true && this.#wall.model.open.value === null
    const before = daemon.posts.length
    await this.#wall.key(code)
    const posts = daemon.posts.slice(before).map(({ path }) => path.split('/')[2])
    const isForFocused = isPress && (code === 'Enter' || code === 'Space')
    if (isForFocused && posts.length > 0) expect(posts).toEqual([id])
  }

  async #point(selector: string): Promise<void> {
    const all = allOf(selector).filter((one) => !(one as HTMLButtonElement).disabled)
    if (all.length === 0) return
    const one = this.#dice.pick(all)
    const event = { bubbles: true, cancelable: true, pointerId: 1, pointerType: 'mouse' }
    one.dispatchEvent(new PointerEvent('pointerdown', event))
    one.dispatchEvent(new MouseEvent('mousedown', { bubbles: true, detail: 1 }))
    // As a browser does where nobody keeps it from it.
    if (one.isConnected) one.focus()
    one.dispatchEvent(new PointerEvent('pointerup', event))
    one.dispatchEvent(new MouseEvent('click', { bubbles: true, detail: 1 }))
    await pass(60)
  }

  async #run(): Promise<void> {
    const { daemon, model } = this.#wall
    const live = daemon.parts.runs
    if (live.length > 0 && this.#dice.chance(0.5)) {
      const run = this.#dice.pick(live)
      const state = this.#dice.pick(STATES)
      const endReason = state === 'stopped' ? 'explicit_stop' : null
      return this.#wall.tell({ runs: [{ ...run, state, endReason }] })
    }
    const buttons = [...model.buttons.value.keys()]
    if (buttons.length === 0) return
    const buttonId = this.#dice.pick(buttons)
    this.#serial += 1
    const serial = this.#serial
    const run = aRun({ executionId: `e${String(serial)}`, buttonId, serial, order: serial })
    await this.#wall.tell({ runs: [run] })
  }

  #look(): void {
    const { model } = this.#wall
    const known = model.known.value
    const cells = allOf('.cell')
    const shown = model.places.cells.value
    const ids = shown.map(({ button }) => button.id)
    expect(cells.map((cell) => cell.dataset['button'])).toEqual(ids)
    for (const [n, cell] of cells.entries()) {
      const { button } = shown[n]!
      expect(cell.className, button.id).toContain(`is-${lookOf(button, known).kind}`)
    }
    const stops = allOf('.press').filter(({ tabIndex }) => tabIndex === 0)
    expect(stops.length).toBe(cells.length === 0 ? 0 : 1)
    const focused = document.activeElement
    if (focused?.matches('.press') === true) {
      const id = focused.closest<HTMLElement>('[data-button]')?.dataset['button']
      expect(shown[model.places.focus.value]?.button.id).toBe(id)
    }
    const rows = allOf('.row[data-run]').map(({ dataset }) => dataset['run'])
    expect(new Set(rows)).toEqual(new Set(rowsOf(known).runs.map((run) => run.executionId)))
  }
}

it(`Enter presses what has the focus, and all says what is, in ${SEEDS} random evenings`, () =>
  eachSeed(SEEDS, (seed) => new Play(seed).go(50)), 120_000)
