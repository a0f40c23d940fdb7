// The stage's page: what the daemon tells goes to the renderer, how it does goes back.
import { after, every, nowMs } from '../../client/time.js'
import { LIVE } from '../../contract/live.js'
import { browserPorts, showPorts, wakeWith } from '../shared/browser-ports.js'
import { browserScreenLock } from '../shared/browser-wake-lock.js'
import { TIMING } from '../shared/clock.js'
import { refuseFiles } from '../shared/dropped-files.js'
import { LiveSocket, type Connection, type LiveListener } from '../shared/live-socket.js'
import { ShowLoader } from '../shared/show-loader.js'
import { keepAwake } from '../shared/wake-lock.js'
import { readAddress } from './address.js'
import { addControls } from './controls.js'
import { ElementTraits } from './deck/element-traits.js'
import { diagnosticsText } from './diagnostics.js'
import { Figures } from './figures.js'
import { keptOffset } from './kept-offset.js'
import { Renderer } from './renderer.js'
import { Screen } from './screen.js'
import { ShowLook } from './show-look.js'
import { StageTime } from './timing.js'

/** Chromium does; what is made of it: element-traits.ts. */
const HOPS_BY_FRAMES = /Chrom(e|ium)\//u
/** What was told is heard by then, and an offset over. */
const HEARD_WITHIN_MS = 1_000

const address = readAddress(location.search)
const time = new StageTime()
const figures = new Figures()
let look = new ShowLook(null, null)
let version: string | null = null
let isOutdated = false
let isAnew = true
let connection: Connection = 'connecting'

const element = (id: string): HTMLElement => {
  const found = document.getElementById(id)
  if (found === null) throw new Error(`the page has no ${id}`)
  return found
}

const traits = new ElementTraits(HOPS_BY_FRAMES.test(navigator.userAgent))
const renderer = new Renderer(new Screen(element('screen')), time, () => look, figures, traits)

/** By a key on this page: a show that is read anew does not take it back. */
let offsetByKey: number | null = null

/** By a key, in the address, by a key in this browser before, else by the configuration. */
const setOffset = (): void => {
  time.offsetMs = offsetByKey ?? address.offsetMs ?? keptOffset() ?? look.offsetMs
}

const shows = new ShowLoader(showPorts, (show) => {
  look = new ShowLook(show, look)
  setOffset()
})

/**
 * Browsers draw no page that nobody sees: what is on then is to be there when it is seen again.
 * They keep timers that follow one another for a minute after a while, and not one of a message.
 */
const drawUnseen = (): void => {
  if (!document.hidden) return
  after(HEARD_WITHIN_MS, () => {
    if (document.hidden) renderer.frame(nowMs())
  })
}

const listener: LiveListener = {
  hello: (hello, isNewBoot) => {
    isAnew = isAnew || isNewBoot
    if (isNewBoot) time.reset()
    isOutdated = version !== null && hello.version !== version
    version ??= hello.version
    shows.want(hello.show)
  },
  state: (known, { at }) => {
    renderer.state(known, at, isAnew)
    isAnew = false
    shows.want(known.show)
    drawUnseen()
    report()
  },
  change: (known, change) => {
    renderer.change(change)
    shows.want(known.show)
    drawUnseen()
  },
  time: (sample) => {
    if (time.note(sample)) socket.askAnew()
  },
  binary: () => {
    // Levels and lights are never asked for here.
  },
  connection: (now) => {
    connection = now
    renderer.isAlone = now === 'lost'
  },
}

const socket = new LiveSocket(browserPorts, listener, TIMING.stageEveryMs)

const report = (): void => {
  socket.send({ kind: 'stage', report: figures.report(address.name, renderer, time) })
  // Another version's page is loaded where nobody sees it.
  if (isOutdated && renderer.isBlack && connection === 'live') location.reload()
}

const draw = (at: number): void => {
  requestAnimationFrame(draw)
  time.refreshed(at)
  renderer.frame(nowMs())
}

addControls(
  element('diagnostics'), time,
  () => diagnosticsText(renderer, figures, time, connection, address.name),
  () => {
    offsetByKey = time.offsetMs
    report()
  },
)
setOffset()
refuseFiles()
socket.start()
wakeWith(() => {
  socket.wake()
  renderer.seenAgain()
})
keepAwake(browserScreenLock())
every(LIVE.stageReportMs, report)
requestAnimationFrame(draw)
