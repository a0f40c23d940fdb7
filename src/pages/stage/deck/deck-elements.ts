// The video element of a deck, and the one that is seen until its successor has a frame.
import { nowMs } from '../../../client/time.js'
import { StallWatch } from './stall-watch.js'

/** What is told of the current element; what becomes of another one is nobody's business. */
export interface ElementListener {
  /** The length and the size of its file are known: it can be sent to a place. */
  loaded(): void
  /** A frame of the place that it was sent to is there. */
  arrived(): void
  failed(): void
  /** A frame is on the screen, or will be at `seen.expectedDisplayTime`. */
  frame(now: number, seen: VideoFrameCallbackMetadata): void
}

/** Set up for a stage: without sound, with nothing over it. */
const newElement = (): HTMLVideoElement => {
  const element = document.createElement('video')
  element.muted = true
  element.defaultMuted = true
  element.volume = 0
  element.preload = 'auto'
  element.playsInline = true
  // Nobody hears it; but Chromium loses 25 ms at each change of rate of a video that has sound.
  element.preservesPitch = false
  element.disablePictureInPicture = true
  element.disableRemotePlayback = true
  return element
}

/** Its connection and its decoder are free at once, not when memory is collected. */
const unload = (element: HTMLVideoElement): void => {
  element.removeAttribute('src')
  element.load()
}

const discard = (element: HTMLVideoElement): void => {
  unload(element)
  element.remove()
}

export class DeckElements {
  #current = newElement()
  #before: HTMLVideoElement | null = null
  #renewals = 0
  readonly #stalls = new StallWatch()

  /** `add` puts one on the screen, hidden. */
  constructor(
    private readonly add: (element: HTMLVideoElement) => void,
    private readonly listener: ElementListener,
  ) {
    this.#use(this.#current)
  }

  get current(): HTMLVideoElement {
    return this.#current
  }

  /** Something of the same showing is seen while the current one has no frame yet. */
  get isBridged(): boolean {
    return this.#before !== null
  }

  /** What belongs on the screen. */
  get seen(): HTMLVideoElement {
    return this.#before ?? this.#current
  }

  /**
   * Another element takes over, once it has a frame: one that is given its file anew shows black
   * until then.
   */
  renew(hasFrame: boolean): void {
    if (hasFrame && this.#before === null) this.#before = this.#current
    else discard(this.#current)
    this.#renewals += 1
    this.#current = newElement()
    this.#use(this.#current)
  }

  /** The current one has a frame, or what was seen is not wanted any more. */
  endBridge(): void {
    if (this.#before !== null) discard(this.#before)
    this.#before = null
  }

  /** What it lacks does not come any more. */
  hasStalled(now: number): boolean {
    return this.#stalls.hasStalled(now)
  }

  /** Called with every animation frame. */
  look(now: number): void {
    this.#stalls.look(this.#current, now)
  }

  /** @param isAgain the same file was asked for before. */
  load(source: string, isAgain: boolean): void {
    this.#stalls.begun(isAgain, nowMs())
    this.#current.src = isAgain ? this.#anew(source) : source
    this.#current.load()
  }

  /** Connections and decoders are few. */
  unload(): void {
    unload(this.#current)
  }

  /**
   * Under an address of its own: what is asked for under the same one waits, in a browser, for the
   * answer to whoever asked first, which may never come.
   */
  #anew(source: string): string {
    if (this.#renewals === 0) return source
    return `${source}${source.includes('?') ? '&' : '?'}again=${String(this.#renewals)}`
  }

  #use(element: HTMLVideoElement): void {
    this.add(element)
    const on = (event: string, then: () => void): void =>
      element.addEventListener(event, () => {
        if (element === this.#current) then()
      })
    on('progress', () => this.#stalls.came(nowMs()))
    on('loadedmetadata', () => this.listener.loaded())
    on('seeked', () => this.listener.arrived())
    on('loadeddata', () => this.listener.arrived())
    on('error', () => this.listener.failed())
    this.#watchFrames(element)
  }

  #watchFrames(element: HTMLVideoElement): void {
    element.requestVideoFrameCallback((now, seen) => {
      if (element !== this.#current) return
      this.#watchFrames(element)
      this.listener.frame(now, seen)
    })
  }
}
