// Videos and images without a document, on a clock that the test moves: each is late, hangs, fails
// or plays as its file is at that moment.
import { vi } from 'vitest'
import type { VirtualTimers } from '../../../src/clock/virtual.js'

export interface ChanceFile {
  readonly loadMs: number
  readonly state: 'well' | 'broken' | 'hung'
}
export type FileOf = (source: string) => ChanceFile

const SECONDS = 60
const FRAMES = 25
/** Then the browser gives up. */
const HANGS_MS = 20_000
const SEEK_MS = 40
const START_MS = 20

class Classes {
  readonly #names = new Set<string>()
  add = (name: string): unknown => this.#names.add(name)
  remove = (name: string): unknown => this.#names.delete(name)
  contains = (name: string): boolean => this.#names.has(name)
  toggle = (name: string, isOn: boolean): unknown => (isOn ? this.add(name) : this.remove(name))
}

/** What both kinds of elements have. */
abstract class Element {
  readonly style: Record<string, string> = { zIndex: '', opacity: '', objectFit: '' }
  readonly classList = new Classes()
  isInPage = false

  remove(): void {
    this.isInPage = false
  }
}

export class ChanceImage extends Element {
  src = ''
  naturalWidth = 4_000
  naturalHeight = 2_000
  hasPicture = false

  constructor(private readonly timers: VirtualTimers, private readonly fileOf: FileOf) {
    super()
  }

  decode(): Promise<void> {
    const { loadMs, state } = this.fileOf(this.src)
    return new Promise((resolve, reject) => {
      this.timers.after(state === 'hung' ? HANGS_MS : loadMs, () => {
        this.hasPicture = state === 'well'
        if (state === 'well') resolve()
        else reject(new Error('broken'))
      })
    })
  }
}

type FrameCall = (now: number, told: { expectedDisplayTime: number; mediaTime: number }) => void

export class ChanceVideo extends Element {
  src: string | null = null
  readyState = 0
  seeking = false
  paused = true
  error: { readonly message: string } | null = null
  #base = 0
  #rate = 1
  #from = 0
  #turn = 0
  #calls: FrameCall[] = []
  #shown = Number.NaN
  readonly #listeners = new Map<string, () => void>()

  constructor(private readonly timers: VirtualTimers, private readonly fileOf: FileOf) {
    super()
  }

  addEventListener(name: string, call: () => void): void {
    this.#listeners.set(name, call)
  }

  removeAttribute(): void {
    this.src = null
  }

  requestVideoFrameCallback(call: FrameCall): void {
    this.#calls.push(call)
  }

  get currentTime(): number {
    const isStill = this.paused || this.seeking
    const moved = isStill ? 0 : Math.max(0, this.timers.nowMs() - this.#from) / 1_000
    return Math.min(SECONDS, this.#base + moved * this.#rate)
  }

  set currentTime(seconds: number) {
    this.#base = Math.min(SECONDS, Math.max(0, seconds))
    this.seeking = true
    const turn = (this.#turn += 1)
    this.timers.after(SEEK_MS, () => {
      if (turn !== this.#turn) return
      this.seeking = false
      this.#from = this.timers.nowMs()
      this.#shown = Number.NaN
      this.#tell('seeked')
    })
  }

  get hasPicture(): boolean {
    return this.readyState >= 2 && this.error === null
  }

  get playbackRate(): number {
    return this.#rate
  }

  set playbackRate(rate: number) {
    this.#stand()
    this.#rate = rate
  }

  get ended(): boolean {
    return this.currentTime >= SECONDS
  }

  play(): Promise<void> {
    if (this.paused) this.#from = this.timers.nowMs() + START_MS
    this.paused = false
    return Promise.resolve()
  }

  pause(): void {
    this.#stand()
    this.paused = true
  }

  load(): void {
    this.#turn += 1
    Object.assign(this, { readyState: 0, paused: true, seeking: false, error: null })
    this.#base = 0
    this.#shown = Number.NaN
    const { src } = this
    if (src === null) return
    const { loadMs, state } = this.fileOf(src)
    const turn = this.#turn
    this.timers.after(state === 'hung' ? HANGS_MS : loadMs, () => {
      if (turn === this.#turn) this.#come(state)
    })
  }

  /** At each refresh: a frame is presented where another one is due. */
  refresh(): void {
    if (this.readyState < 2 || this.seeking) return
    const frame = Math.floor(this.currentTime * FRAMES + 1e-6)
    if (frame === this.#shown) return
    this.#shown = frame
    const now = this.timers.nowMs()
    for (const call of this.#calls.splice(0)) {
      call(now, { expectedDisplayTime: now + 8, mediaTime: frame / FRAMES })
    }
  }

  /** It breaks as it plays. */
  fail(): void {
    if (this.readyState === 0) return
    this.#turn += 1
    this.pause()
    Object.assign(this, { error: { message: 'it broke' }, seeking: false })
    this.#tell('error')
  }

  #come(state: ChanceFile['state']): void {
    if (state !== 'well') {
      this.error = { message: 'it cannot be had' }
      return this.#tell('error')
    }
    this.readyState = 1
    this.#tell('loadedmetadata')
    this.readyState = 4
    this.#tell('loadeddata')
  }

  #stand(): void {
    this.#base = this.currentTime
    this.#from = Math.max(this.#from, this.timers.nowMs())
  }

  #tell(name: string): void {
    this.#listeners.get(name)?.()
  }
}

/** A document that makes them, and the place in it where they are seen; the answer holds all. */
export const lendElements = (timers: VirtualTimers, fileOf: FileOf) => {
  const all = new Set<ChanceVideo | ChanceImage>()
  vi.stubGlobal('HTMLMediaElement', { HAVE_METADATA: 1, HAVE_CURRENT_DATA: 2 })
  vi.stubGlobal('document', {
    createElement: (name: string) =>
      name === 'video' ? new ChanceVideo(timers, fileOf) : new ChanceImage(timers, fileOf),
  })
  const root = {
    append: (element: ChanceVideo | ChanceImage) => {
      element.isInPage = true
      all.add(element)
    },
  } as unknown as HTMLElement
  return { all, root }
}
