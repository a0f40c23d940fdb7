// Every gesture on a button on its way to the press machine, and the sign that the button shows.
import { signal, type ReadonlySignal, type Signal } from '@preact/signals'
import { after, nowMs, type Cancel } from '../../../client/time.js'
import type { ShowButton } from '../../../contract/show-page.js'
import type { Known } from '../../shared/live-state.js'
import { ClickFilter } from './click-filter.js'
import { pressPorts } from './press-ports.js'
import { DoublePress } from './double-press.js'
import { lookOf } from '../look.js'
import { pressOf, stopOf, type Command, type PauseOrResume } from './press.js'
import { PressMachine, type Ignored } from './press-machine.js'
import type { Outcome } from './sender.js'
import { ignoredWords, NOT_PAUSED, NOT_SENT } from '../words.js'

/** What a button shows of its last press, beside what it is. */
export interface Sign {
  /** Taken, and without an answer yet. */
  readonly pressed: boolean
  /** Not taken: a red frame for a moment. */
  readonly ignored: boolean
  readonly message: string | null
}

/** What a button has to say, for where it is not seen itself. */
export interface Told {
  readonly buttonId: string
  readonly message: string
}

const NO_SIGN: Sign = { pressed: false, ignored: false, message: null }
const IGNORED_MS = 150
const MESSAGE_MS = 6_000

export class Presses {
  readonly clicks = new ClickFilter()
  /** The newest message of all buttons, as long as it stands. */
  readonly lastTold: Signal<Told | null> = signal(null)
  readonly #doublePress = new DoublePress()
  readonly #known: ReadonlySignal<Known | null>
  readonly #machine: PressMachine
  readonly #signs = new Map<string, Signal<Sign>>()
  readonly #messageEnds = new Map<string, Cancel>()

  constructor(
    known: ReadonlySignal<Known | null>,
    openPlaylist: (id: string) => void,
  ) {
    this.#known = known
    followPointers(this.clicks, this.#doublePress)
    this.#machine = new PressMachine(
      pressPorts,
      {
        pressed: (id) => {
          this.#taken(id)
          this.#change(id, { pressed: true })
        },
        ignored: (id, why) => this.#ignored(id, why),
        settled: (id, outcome, command) => this.#settled(id, outcome, command),
        told: (id, message) => this.#tell(id, message),
        opened: (id) => {
          this.turned()
          openPlaylist(id)
        },
      },
      300,
    )
  }

  set guardMs(ms: number) {
    this.#machine.guardMs = ms
  }

  set isConnected(isConnected: boolean) {
    this.#machine.isConnected = isConnected
  }

  signOf(buttonId: string): ReadonlySignal<Sign> {
    return this.#sign(buttonId)
  }

  /** A press opened or closed something: what is under the hand now is not what was pressed. */
  turned(): void {
    this.#doublePress.turned(nowMs())
  }

  /** Whether a click is the second half of the one that has turned what is under the hand. */
  isSecondHalf(): boolean {
    return this.#doublePress.isSecond(nowMs(), this.#machine.guardMs) === true
  }

  /** A press by pointer, key or screen reader; with Shift it stops. */
  press(button: ShowButton, stop: boolean): void {
    const isSecond = this.#doublePress.isSecond(nowMs(), this.#machine.guardMs)
    if (isSecond === true) return this.#ignored(button.id, 'guard')
    if (isSecond === null) return onceCounted(() => this.press(button, stop))
    const look = lookOf(button, this.#known.value)
    this.#machine.press(button.id, stop ? stopOf(button, look) : pressOf(button, look))
  }

  choose(command: Command): void {
    this.#machine.choose(command.buttonId, command)
  }

  /** Pause or Resume of a row, whichever it shows. */
  turn(command: PauseOrResume): void {
    this.#machine.turn(command)
  }

  takeBackAll(): void {
    this.#machine.takeBackAll()
  }

  #ignored(id: string, why: Ignored): void {
    this.#change(id, { ignored: true })
    after(IGNORED_MS, () => this.#change(id, { ignored: false }))
    const message = ignoredWords(why)
    if (message !== '') this.#tell(id, message)
  }

  #settled(id: string, outcome: Outcome, { kind }: Command): void {
    if (!this.#machine.isPending(id)) this.#change(id, { pressed: false })
    if (outcome.kind === 'refused') this.#tell(id, outcome.message)
    if (kind === 'pause' && outcome.kind === 'done' && isStopping(outcome.body)) {
      this.#tell(id, NOT_PAUSED)
    }
    const isOfLoss = outcome.kind === 'taken_back' && !this.#machine.isConnected
    if (outcome.kind === 'not_sent' || isOfLoss) this.#tell(id, NOT_SENT)
  }

  #tell(id: string, message: string): void {
    this.#change(id, { message })
    this.lastTold.value = { buttonId: id, message }
    this.#messageEnds.get(id)?.()
    this.#messageEnds.set(id, after(MESSAGE_MS, () => this.#taken(id)))
  }

  #taken(id: string): void {
    this.#change(id, { message: null })
    if (this.lastTold.value?.buttonId === id) this.lastTold.value = null
  }

  #sign(id: string): Signal<Sign> {
    let sign = this.#signs.get(id)
    if (sign === undefined) this.#signs.set(id, (sign = signal(NO_SIGN)))
    return sign
  }

  #change(id: string, change: Partial<Sign>): void {
    const sign = this.#sign(id)
    sign.value = { ...sign.peek(), ...change }
  }
}

/** A stop is not taken back: the service says yes to a pause, and what the run does instead. */
const isStopping = (body: unknown): boolean =>
  ((body ?? {}) as { readonly state?: unknown }).state === 'fading_out'

/** Right after its pointer event a mouse has its own, with the count. */
const onceCounted = (act: () => void): void =>
  document.addEventListener('mousedown', act, { capture: true, once: true })

/** Before the buttons see it: what is done on the page, by which clicks are told from presses. */
const followPointers = (clicks: ClickFilter, doublePress: DoublePress): void => {
  const up = ({ pointerId, timeStamp }: PointerEvent): void => clicks.up(pointerId, timeStamp)
  document.addEventListener('pointerdown', ({ pointerId, clientX, clientY, pointerType }) => {
    clicks.down(pointerId)
    doublePress.touched(clientX, clientY, pointerType === 'mouse')
  }, true)
  for (const counted of ['mousedown', 'click'] as const) {
    document.addEventListener(counted, ({ detail }) => doublePress.counted(detail), true)
  }
  document.addEventListener('keydown', () => doublePress.typed(), true)
  document.addEventListener('pointerup', up, true)
  document.addEventListener('pointercancel', up, true)
  // Last of all: where the wall has a menu of its own, or none, the browser opens none.
  document.addEventListener('contextmenu', (event) => {
    const { pointerId } = event as Partial<PointerEvent>
    if (!event.defaultPrevented) clicks.menuOpened(pointerId)
  })
}
