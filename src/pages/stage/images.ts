// The images of the show, decoded before they are shown; those used last are kept, to 64 MB.
import { nowMs } from '../../client/time.js'

const KEPT_BYTES = 64 * 1024 * 1024
const BYTES_PER_PIXEL = 4
/** Of a drawing without a size of its own. */
const USUAL_BYTES = 1920 * 1080 * BYTES_PER_PIXEL
const AGAIN_MS = 2_000
const UNDECODED = 'the image cannot be decoded: save it as JPEG or PNG'

type ImageState = 'loading' | 'ready' | { readonly failedAt: number; readonly message: string }

export class StageImage {
  readonly element = document.createElement('img')
  #state: ImageState = 'loading'

  constructor(readonly buttonId: string, readonly source: string) {
    this.element.alt = ''
    this.element.draggable = false
    // Else a large one is painted without itself first.
    this.element.decoding = 'sync'
    this.element.src = source
    this.element.decode().then(
      () => {
        this.#state = 'ready'
      },
      () => {
        this.#state = { failedAt: nowMs(), message: UNDECODED }
      },
    )
  }

  get isShowable(): boolean {
    return this.#state === 'ready'
  }

  /** An animation that plays once, e.g. a GIF, is at its last frame: set anew, it begins anew. */
  begin(): void {
    if (this.isShowable) this.element.src = this.source
  }

  get error(): string | null {
    return typeof this.#state === 'string' ? null : this.#state.message
  }

  /** One that failed may be there by now. */
  isStale(now: number): boolean {
    return typeof this.#state !== 'string' && now - this.#state.failedAt > AGAIN_MS
  }

  get bytes(): number {
    const { naturalWidth, naturalHeight } = this.element
    return naturalWidth * naturalHeight * BYTES_PER_PIXEL || USUAL_BYTES
  }
}

export class StageImages {
  /** In order of use: the first is the first to go. */
  readonly #images = new Map<string, StageImage>()

  constructor(private readonly add: (element: HTMLElement) => void) {}

  get(buttonId: string, source: string, now: number): StageImage {
    const known = this.#images.get(source)
    const image = known === undefined || known.isStale(now) ? this.#load(buttonId, source) : known
    this.#images.delete(source)
    this.#images.set(source, image)
    return image
  }

  /** Where the file is another one now, what was shown of the button stays until it is decoded. */
  shown(buttonId: string, source: string, now: number): StageImage {
    const wanted = this.get(buttonId, source, now)
    if (wanted.isShowable) return wanted
    const before = [...this.#images.values()].findLast((image) =>
      image.buttonId === buttonId && image.isShowable)
    return before ?? wanted
  }

  /** Of the file as it is now: one that was there before it may have been broken. */
  errorOf(source: string): string | null {
    return this.#images.get(source)?.error ?? null
  }

  /** Lets go of what is not on, oldest first, until the rest fits. */
  trim(isOn: (image: StageImage) => boolean): void {
    let bytes = 0
    for (const image of this.#images.values()) bytes += image.bytes
    for (const [source, image] of this.#images) {
      if (bytes <= KEPT_BYTES) return
      if (isOn(image)) continue
      bytes -= image.bytes
      this.#images.delete(source)
      image.element.remove()
    }
  }

  #load(buttonId: string, source: string): StageImage {
    this.#images.get(source)?.element.remove()
    const image = new StageImage(buttonId, source)
    this.add(image.element)
    return image
  }
}
