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
  /** A frame is on the screen, or will be at `displayAt`; `mediaMs`: where it is in its file. */
  frame(now: number, displayAt: number, mediaMs: number): void
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
  /**
   * What the current element calls the beginning of its file: Chromium counts from where time
   * begins in it, e.g. 100 s in a cut of a longer recording. Null: that is not known yet.
   */
  #originMs: number | null = 0
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

  /** It is where it was sent to, and has a frame of it. */
  get isThere(): boolean {
    const { seeking, readyState } = this.#current
    return this.#originMs !== null && !seeking && readyState >= HTMLMediaElement.HAVE_CURRENT_DATA
  }

  /** From the beginning of its file, as it is heard. */
  get atMs(): number {
    return this.#current.currentTime * 1000 - (this.#originMs ?? 0)
  }

  /** False: it cannot be sent anywhere yet, and says when it can. */
  seek(ms: number): boolean {
    const isKnown = this.#current.readyState >= HTMLMediaElement.HAVE_METADATA
    if (!isKnown || this.#originMs === null) return false
    this.#current.currentTime = (ms + this.#originMs) / 1000
    return true
  }

  play(): void {
    this.#current.play().catch(() => {
      // Paused again before it began, or not allowed: the next frame tries anew.
    })
  }

  /** What the browser did by itself is put right, a pause, another rate; it stops at `beforeMs`. */
  keepRunning(rate: number, beforeMs: number): void {
    const element = this.#current
    if (this.atMs >= beforeMs) element.pause()
    else if (element.paused && !element.ended && !element.seeking) this.play()
    if (element.playbackRate !== rate) element.playbackRate = rate
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

  /**
   * @param isAgain the same file was asked for before.
   * @param beginsMs where time begins in it, as the show tells; null: not known yet.
   */
  load(source: string, isAgain: boolean, beginsMs: number | null): void {
    this.#stalls.begun(isAgain, nowMs())
    // The element tells: browsers differ. To wait for that takes a large video 0.2 s.
    this.#originMs = beginsMs === 0 ? 0 : null
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
    on('loadedmetadata', () => {
      if (this.#originMs !== null) this.listener.loaded()
    })
    on('seeked', () => this.listener.arrived())
    on('loadeddata', () => {
      if (this.#originMs !== null) return this.listener.arrived()
      this.#originMs = element.currentTime * 1000
      this.listener.loaded()
    })
    on('error', () => this.listener.failed())
    this.#watchFrames(element)
  }

  #watchFrames(element: HTMLVideoElement): void {
    element.requestVideoFrameCallback((now, seen) => {
      if (element !== this.#current) return
      this.#watchFrames(element)
      const origin = this.#originMs
      if (origin === null) return
      this.listener.frame(now, seen.expectedDisplayTime, seen.mediaTime * 1000 - origin)
    })
  }
}
