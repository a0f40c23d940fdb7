// A stage without a document on a clock that the test moves: its page but for stage.ts, whose part
// this is.
import type { VirtualTimers } from '../../../src/clock/virtual.js'
import { LiveSocket, type LiveListener } from '../../../src/pages/shared/live-socket.js'
import { ShowLoader } from '../../../src/pages/shared/show-loader.js'
import { ElementTraits } from '../../../src/pages/stage/deck/element-traits.js'
import { Renderer } from '../../../src/pages/stage/renderer.js'
import { Screen } from '../../../src/pages/stage/screen.js'
import { ShowLook } from '../../../src/pages/stage/show-look.js'
import { StageTime } from '../../../src/pages/stage/timing.js'
import { ChanceVideo, lendElements, type ChanceImage, type FileOf } from './chance-media.js'
import type { ChanceService } from '../chance-service.js'

/** One picture on the screen. */
export interface Shown {
  readonly one: ChanceVideo | ChanceImage
  readonly buttonId: string
  readonly weight: number
}

export class ChanceStage {
  isLive = false
  isHidden = false
  readonly elements: ReadonlySet<ChanceVideo | ChanceImage>
  readonly #time = new StageTime()
  readonly #renderer: Renderer
  readonly #socket: LiveSocket
  readonly #shows: ShowLoader
  #isAnew = true

  constructor(private readonly timers: VirtualTimers, service: ChanceService, fileOf: FileOf) {
    const { all, root } = lendElements(timers, fileOf)
    this.elements = all
    let look = new ShowLook(null, null)
    this.#renderer = new Renderer(new Screen(root), this.#time, () => look, {
      frame: () => undefined, seek: () => undefined,
    }, new ElementTraits(false))
    this.#shows = new ShowLoader({
      after: (wait, act) => timers.after(wait, act), read: () => service.read(),
    }, (show) => (look = new ShowLook(show, look)))
    this.#socket = new LiveSocket(service.ports(() => this.isHidden), this.#listener())
    this.#socket.start()
  }

  get videos(): readonly ChanceVideo[] {
    return [...this.elements].filter((one) => one instanceof ChanceVideo)
  }

  /** What is seen. */
  get shown(): readonly Shown[] {
    return [...this.elements]
      .filter(({ isInPage, classList }) => isInPage && !classList.contains('hidden'))
      .filter(({ hasPicture }) => hasPicture)
      .map((one) => ({
        one, buttonId: buttonOf(one.src ?? ''), weight: Number(one.style['opacity'] || 1),
      }))
  }

  /** An animation frame; nothing is drawn where nobody sees it. */
  draw(): void {
    if (this.isHidden) return
    for (const video of this.videos) video.refresh()
    this.#time.refreshed(this.timers.nowMs())
    this.#renderer.frame(this.timers.nowMs())
  }

  hide(isHidden: boolean): void {
    const wasHidden = this.isHidden
    this.isHidden = isHidden
    if (isHidden || !wasHidden) return
    this.#socket.wake()
    this.#renderer.seenAgain()
  }

  #listener(): LiveListener {
    return {
      hello: (hello, isNewBoot) => {
        this.#isAnew = this.#isAnew || isNewBoot
        if (isNewBoot) this.#time.reset()
        this.#shows.want(hello.show)
      },
      state: (known, { at }) => {
        this.#renderer.state(known, at, this.#isAnew)
        this.#isAnew = false
        this.#shows.want(known.show)
      },
      change: (known, change) => {
        this.#renderer.change(change)
        this.#shows.want(known.show)
      },
      time: (sample) => {
        if (this.#time.note(sample)) this.#socket.askAnew()
      },
      binary: () => undefined,
      connection: (now) => {
        this.isLive = now === 'live'
        this.#renderer.isAlone = now === 'lost'
      },
    }
  }
}

export const buttonOf = (source: string): string => /media\/([^?]*)/.exec(source)?.[1] ?? ''
