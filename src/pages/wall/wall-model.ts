// The wall behind its looks: what is known, what is open, and what every gesture does.
import { computed, signal, type ReadonlySignal, type Signal } from '@preact/signals'
import { nowMs } from '../../client/time.js'
import type { LiveChange, LiveHello } from '../../contract/live.js'
import { readLiveFrame, type LevelsFrame, type LightsFrame } from '../../contract/live-frames.js'
import type { ShowButton, ShowPage } from '../../contract/show-page.js'
import { browserPorts, showPorts, wakeWith } from '../shared/browser-ports.js'
import { EngineClock, FRAMES_PER_MS, type TimeSample } from '../shared/clock.js'
import { LiveSocket, type Connection } from '../shared/live-socket.js'
import type { Known } from '../shared/live-state.js'
import { ShowLoader } from '../shared/show-loader.js'
import { Announcer } from './announcer.js'
import { armedButtons, type LoadedShow } from './show/armed.js'
import { pressPorts } from './press/press-ports.js'
import { Ends, type EndedRun } from './ends.js'
import { layoutSignal } from './keyboard-layout.js'
import { placeOfWindow } from './kept-place.js'
import { PanicMachine } from './panic.js'
import { PanicSign } from './panic-sign.js'
import { Places } from './places.js'
import { Presses } from './press/presses.js'
import { settingsSignal } from './settings.js'
import { ShowFault } from './show/show-fault.js'
import { Ticker, TICK_MS } from './ticker.js'
import { WaveLoader } from './show/wave-loader.js'
import { runAnnounced, WORDS } from './words.js'

export type Panel = 'lights' | 'stages' | 'keys' | 'settings' | 'search'

/** A menu: of a button, where it was asked for. */
export interface MenuOf {
  readonly button: ShowButton
  readonly x: number
  readonly y: number
  /** What has the focus again when the menu closes. */
  readonly from: HTMLElement | null
}

export type Open =
  | { readonly kind: 'panel'; readonly panel: Panel; readonly from: Element | null }
  | { readonly kind: 'menu'; readonly menu: MenuOf }
  | { readonly kind: 'options'; readonly menu: MenuOf }

/** What gets the focus back. */
const fromOf = (open: Open): Element | null =>
  open.kind === 'panel' ? open.from : open.menu.from

/** A clock that is righted by less moves no bar by a pixel that anybody misses. */
const LEAP_MS = 100

export class WallModel {
  readonly loaded: Signal<LoadedShow | null> = signal(null)
  readonly show: ReadonlySignal<ShowPage | null> = computed(() => this.loaded.value?.page ?? null)
  readonly known: Signal<Known | null> = signal(null)
  readonly connection: Signal<Connection> = signal('connecting')
  /** The time of day since when there is no connection. */
  readonly lostSince: Signal<Date | null> = signal(null)
  readonly otherVersion = signal(false)
  readonly ends: Signal<readonly EndedRun[]> = signal([])
  readonly open: Signal<Open | null> = signal(null)
  /** When a pointer pressed panic, also on the sign before it: its click is no other press. */
  readonly panicDown = { at: -Infinity }
  readonly panicSign = new PanicSign(browserPorts.after)
  readonly levels: Signal<LevelsFrame | null> = signal(null)
  readonly lights: Signal<LightsFrame | null> = signal(null)
  /** Set where keys moved the focus: the grid then lets it follow. */
  readonly focusFollows = { current: false }
  readonly announced = signal('')
  readonly settings = settingsSignal()
  readonly layout = layoutSignal()
  readonly clock = new EngineClock()
  /** Rises where the clock leapt, or was set at all: what was drawn by it is drawn anew. */
  readonly clockTurn = signal(0)
  readonly ticker = new Ticker()
  readonly waves = new WaveLoader()
  readonly showFault = new ShowFault(showPorts)
  readonly places: Places
  readonly presses: Presses
  readonly armed: ReadonlySignal<ReadonlySet<string>>
  readonly buttons: ReadonlySignal<ReadonlyMap<string, ShowButton>>
  readonly panic: PanicMachine
  readonly #ends = new Ends()
  readonly #announcer: Announcer
  readonly #loader: ShowLoader
  readonly #live: LiveSocket

  constructor() {
    this.buttons = computed(() => {
      const all = this.show.value?.playlists.flatMap(({ buttons }) => buttons) ?? []
      return new Map(all.map((button) => [button.id, button]))
    })
    this.armed = armedButtons(this.known, this.loaded)
    this.places = new Places(this.show, placeOfWindow)
    this.presses = new Presses(this.known, (id) => this.places.openPlaylist(id))
    this.panic = new PanicMachine(
      pressPorts, 1_500, () => this.presses.takeBackAll(), (state) => this.panicSign.tell(state),
    )
    this.#announcer = new Announcer(pressPorts, (text) => (this.announced.value = text))
    this.#loader = new ShowLoader(showPorts, (page, etag) => this.#loaded({ page, etag }))
    this.#live = new LiveSocket(browserPorts, {
      hello: (hello, isNewBoot) => this.#greeted(hello, isNewBoot),
      state: (known) => {
        this.#learned(known)
        this.showFault.look()
      },
      change: (known, change) => this.#changed(known, change),
      time: (sample) => this.#timed(sample),
      binary: (bytes) => this.#framed(bytes),
      connection: (connection) => this.#connected(connection),
    })
  }

  start(): void {
    this.#loader.start()
    this.#live.start()
    wakeWith(() => this.#live.wake())
    document.addEventListener('visibilitychange', () => this.#want())
    this.#want()
  }

  /** The frame that is heard now; before the clock is set, what the newest anchors say. */
  heardNow(): number {
    const heard = this.clock.heardFrameAt(nowMs())
    if (heard !== null) return heard
    return Math.max(0, ...(this.known.value?.runs ?? []).map((run) => run.anchor.at))
  }

  /** In the middle of the time for which a text stands: so it is off by half of it at most. */
  heardUntilNextTick(): number {
    return this.heardNow() + (TICK_MS / 2) * FRAMES_PER_MS
  }

  /** Moves the place in the grid that has the focus; the focus goes with it. */
  moveFocus(move: () => void): void {
    const { focus, cells } = this.places
    const place = focus.value
    const shown = cells.value
    move()
    // Where nothing moved nothing is drawn, and what is drawn later must not take the focus.
    // One that waits since an empty playlist waits on.
    this.focusFollows.current ||= focus.value !== place || cells.value !== shown
  }

  openPanel(panel: Panel): void {
    const isOpen = this.open.value?.kind === 'panel' && this.open.value.panel === panel
    // Of a double click the second half would close what the first has opened.
    if (isOpen) return this.presses.isSecondHalf() ? undefined : this.close()
    this.presses.turned()
    const was = this.open.value
    const focused = document.activeElement
    // What stood open is gone with this, and its focus with it.
    const from = was !== null && focused?.closest('.menu, .panel') ? fromOf(was) : focused
    this.open.value = { kind: 'panel', panel, from }
    this.#want()
  }

  openMenu(menu: MenuOf): void {
    this.presses.turned()
    this.open.value = { kind: 'menu', menu }
  }

  /** Closes what is open and gives the focus back to what had it. */
  close(): void {
    const was = this.open.value
    if (was === null) return
    this.presses.turned()
    this.open.value = null
    this.#want()
    const from = fromOf(was)
    if (from instanceof HTMLElement && from.isConnected) from.focus()
  }

  announce(text: string): void {
    this.#announcer.announce(text)
  }

  #want(): void {
    const panel = this.open.value?.kind === 'panel' ? this.open.value.panel : null
    this.#live.want(!document.hidden, panel === 'lights' && !document.hidden)
  }

  #loaded(loaded: LoadedShow): void {
    this.loaded.value = loaded
    const { settings, title } = loaded.page
    this.presses.guardMs = settings.guardMs
    this.panic.fadeMs = settings.panicFadeMs
    document.title = `${title} · cartwall`
  }

  #greeted({ version, show }: LiveHello, isNewBoot: boolean): void {
    if (isNewBoot) this.clock.reset()
    const before = this.show.value?.version
    if (before !== undefined && before !== version) this.otherVersion.value = true
    this.#loader.want(show)
  }

  #learned(known: Known): void {
    this.known.value = known
    this.#loader.want(known.show)
    this.waves.want(known.waves)
  }

  #changed(known: Known, change: LiveChange): void {
    this.showFault.note(change)
    if (this.#ends.note(change, known.runs)) this.ends.value = this.#ends.last
    // Each pass of a loop is told, and is no news to whoever listens.
    const before = new Map(this.known.value?.runs.map((run) => [run.executionId, run.state]))
    for (const run of change.runs) {
      if (before.get(run.executionId) !== run.state) this.announce(runAnnounced(run))
    }
    this.#learned(known)
  }

  #timed(sample: TimeSample): void {
    const now = nowMs()
    const before = this.clock.heardFrameAt(now)
    // A machine that slept through a connection which lives on has another time at once.
    if (this.clock.note(sample)) this.#live.askAnew()
    const heard = this.clock.heardFrameAt(now)
    if (heard === null) return
    const isLeap = before === null || Math.abs(heard - before) > LEAP_MS * FRAMES_PER_MS
    if (isLeap) this.clockTurn.value += 1
  }

  #framed(bytes: ArrayBuffer): void {
    const frame = readLiveFrame(bytes)
    if (frame?.kind === 'levels') this.levels.value = frame
    if (frame?.kind === 'lights') this.lights.value = frame
  }

  #connected(connection: Connection): void {
    // The banner goes, which nobody hears.
    if (connection === 'live' && this.connection.value === 'lost') this.announce(WORDS.connected)
    this.connection.value = connection
    const isLost = connection === 'lost'
    if (isLost) this.levels.value = null
    // What was left unanswered stays unanswered: a press never comes true after a loss.
    this.presses.isConnected = !isLost && connection !== 'connecting'
    if (connection === 'live') this.panicSign.connected()
    if (!isLost) this.lostSince.value = null
    else this.lostSince.value ??= new Date()
  }
}
