// Videos and images as models, on virtual time: files that load, seek, start, move and fail.

const LOAD_MS = 30
const SEEK_MS = 50
const START_MS = 20
const DISPLAY_MS = 8

/** What a browser would find under an address. */
export interface ModelFile {
  readonly seconds: number
  readonly framesPerSecond: number
  readonly width: number
  readonly height: number
  /** What it takes until it can be shown; usually next to nothing. */
  readonly loadMs?: number
  /** From its play to its first frame that moves; usually next to nothing. */
  readonly startMs?: number
  /** Where time begins in it: Chromium counts from there. */
  readonly beginsMs?: number
}

/** Null: the file cannot be had, or is none. */
export type Files = (source: string) => ModelFile | null

/** The part of a video element that the stage uses. */
class ModelVideo {
  readyState = 0
  isPaused = true
  isSeeking = false
  networkState = 1
  #isHeld = false
  error: { readonly message: string } | null = null
  dropped = 0
  /** The frame that it has on the screen, in ms of its file. */
  shownMs = Number.NaN
  #file: ModelFile | null = null
  #rate = 1
  #base = 0
  /** It moves from this moment on. */
  #from = 0
  #turn = 0
  #callbacks: VideoFrameRequestCallback[] = []

  constructor(private readonly element: HTMLVideoElement, private readonly files: Files) {}

  get currentTime(): number {
    const moved = this.#isStill ? 0 : Math.max(0, performance.now() - this.#from)
    return Math.min(this.#end, this.#base + (moved / 1_000) * this.#rate)
  }

  set currentTime(seconds: number) {
    this.#base = Math.max(this.#begin, seconds)
    this.isSeeking = true
    this.#later(SEEK_MS, () => {
      this.isSeeking = false
      this.#from = performance.now()
      this.#tell('seeked')
      this.#present()
    })
  }

  /** As in HTML: at its end it is paused, and stays there. */
  get ended(): boolean {
    return this.#file !== null && !this.isSeeking && this.currentTime >= this.#end
  }

  get #begin(): number {
    return (this.#file?.beginsMs ?? 0) / 1_000
  }

  get #end(): number {
    return this.#begin + (this.#file?.seconds ?? 0)
  }

  get #isStill(): boolean {
    return this.isPaused || this.isSeeking || this.#isHeld || this.networkState !== 1
  }

  get rate(): number {
    return this.#rate
  }

  set rate(rate: number) {
    this.#stand()
    this.#rate = rate
  }

  /** As in HTML: from its end on it begins anew. */
  play(): Promise<void> {
    if (this.ended) this.currentTime = 0
    if (this.isPaused) {
      this.isPaused = false
      const { startMs = START_MS } = this.files(this.element.getAttribute('src') ?? '') ?? {}
      this.#from = performance.now() + startMs
    }
    return Promise.resolve()
  }

  pause(): void {
    this.#stand()
    this.isPaused = true
  }

  /** As in a page that nobody sees: it stands, and is not paused. */
  hold(isHeld: boolean): void {
    this.#stand()
    this.#isHeld = isHeld
  }

  /** What came so far was shown, and the connection brings no more. */
  starve(): void {
    this.#stand()
    this.readyState = 2
    this.networkState = 2
  }

  load(): void {
    this.#turn += 1
    Object.assign(this, { readyState: 0, isPaused: true, isSeeking: false, error: null })
    this.networkState = 2
    this.#base = 0
    this.dropped = 0
    const source = this.element.getAttribute('src')
    if (source === null) return
    const { loadMs = LOAD_MS } = this.files(source) ?? {}
    this.#later(loadMs, () => this.#loaded(this.files(source)))
  }

  ask(callback: VideoFrameRequestCallback): void {
    this.#callbacks.push(callback)
  }

  #loaded(file: ModelFile | null): void {
    this.#file = file
    this.networkState = 1
    if (file === null) {
      this.error = { message: 'it cannot be had' }
      return this.#tell('error')
    }
    this.readyState = 1
    this.#tell('loadedmetadata')
    this.readyState = 4
    // As Chromium does: until here it calls it 0.
    this.#base = Math.max(this.#begin, this.#base)
    this.#tell('loadeddata')
    this.#next(1_000 / file.framesPerSecond)
  }

  /** At each frame of the file, where it moves. */
  #next(frameMs: number): void {
    this.#later(frameMs, () => {
      if (!this.#isStill && performance.now() >= this.#from) this.#present()
      if (!this.isPaused && this.ended) this.pause()
      this.#next(frameMs)
    })
  }

  #present(): void {
    const rate = this.#file?.framesPerSecond ?? 25
    const mediaTime = Math.floor(this.currentTime * rate + 1e-6) / rate
    const now = performance.now()
    this.shownMs = mediaTime * 1_000
    const told = { expectedDisplayTime: now + DISPLAY_MS, mediaTime }
    for (const callback of this.#callbacks.splice(0)) {
      callback(now, told as VideoFrameCallbackMetadata)
    }
  }

  #stand(): void {
    this.#base = this.currentTime
    this.#from = Math.max(this.#from, performance.now())
  }

  #later(ms: number, call: () => void): void {
    const turn = this.#turn
    setTimeout(() => {
      if (turn === this.#turn) call()
    }, ms)
  }

  #tell(type: string): void {
    this.element.dispatchEvent(new Event(type))
  }
}

const videos = new WeakMap<Element, ModelVideo>()
let files: Files = () => null

export const modelOf = (element: Element): ModelVideo => {
  const known = videos.get(element)
  if (known !== undefined) return known
  if (!(element instanceof HTMLVideoElement)) throw new Error('this is no video')
  const model = new ModelVideo(element, (source) => files(source))
  videos.set(element, model)
  return model
}

/** From now on the videos and images of a page are models, and these are the files behind them. */
export const lendMedia = (given: Files): void => {
  files = given
  for (const [n, name] of ['HAVE_NOTHING', 'HAVE_METADATA', 'HAVE_CURRENT_DATA'].entries()) {
    Object.defineProperty(HTMLMediaElement, name, { configurable: true, value: n })
  }
  Object.defineProperty(HTMLMediaElement, 'NETWORK_LOADING', { configurable: true, value: 2 })
  Object.defineProperties(HTMLVideoElement.prototype, VIDEO)
  Object.defineProperties(HTMLImageElement.prototype, IMAGE)
}

const fact = (get: (model: ModelVideo) => unknown): PropertyDescriptor => ({
  configurable: true,
  get(this: Element) {
    return get(modelOf(this))
  },
})
const act = (call: (model: ModelVideo, given: never) => unknown): PropertyDescriptor => ({
  configurable: true,
  value(this: Element, given: never) {
    return call(modelOf(this), given)
  },
})

const VIDEO: PropertyDescriptorMap = {
  readyState: fact(({ readyState }) => readyState),
  networkState: fact(({ networkState }) => networkState),
  seeking: fact(({ isSeeking }) => isSeeking),
  paused: fact(({ isPaused }) => isPaused),
  ended: fact(({ ended }) => ended),
  error: fact(({ error }) => error),
  currentTime: {
    ...fact(({ currentTime }) => currentTime),
    set(this: Element, seconds: number) {
      modelOf(this).currentTime = seconds
    },
  },
  playbackRate: {
    ...fact(({ rate }) => rate),
    set(this: Element, rate: number) {
      modelOf(this).rate = rate
    },
  },
  play: act((model) => model.play()),
  pause: act((model) => model.pause()),
  load: act((model) => model.load()),
  requestVideoFrameCallback: act((model, callback) => model.ask(callback)),
  getVideoPlaybackQuality: act(({ dropped }) => ({ droppedVideoFrames: dropped })),
}

const fileOf = (image: Element): ModelFile | null => files(image.getAttribute('src') ?? '')
const size = (name: 'width' | 'height'): PropertyDescriptor => ({
  configurable: true,
  get(this: Element) {
    return fileOf(this)?.[name] ?? 0
  },
})

const IMAGE: PropertyDescriptorMap = {
  naturalWidth: size('width'),
  naturalHeight: size('height'),
  decode: {
    configurable: true,
    value(this: Element) {
      const file = fileOf(this)
      return new Promise<void>((decoded, failed) => {
        const done = (): void => (file === null ? failed(new Error('broken')) : decoded())
        setTimeout(done, file?.loadMs ?? LOAD_MS)
      })
    },
  },
}
