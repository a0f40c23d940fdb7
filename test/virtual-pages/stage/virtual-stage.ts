// A stage without a browser: the whole page on virtual time, with models for its videos and images.
import { vi } from 'vitest'
import type { PageStage, StageReport } from '../../../src/contract/live.js'
import type { ShowButton } from '../../../src/contract/show-page.js'
import { openVirtual, pass } from '../virtual-page.js'
import { FakeDaemon } from '../fake-daemon.js'
import { lendMedia, modelOf, type Files, type ModelFile } from './model-media.js'
import { showOf } from '../../pages/stage/video-show.js'
import { SILENT } from '../../pages/wall/show-parts.js'

export const CLIP: ModelFile = { seconds: 60, framesPerSecond: 25, width: 640, height: 360 }

interface StageOptions {
  /** As in `?name=left`. */
  readonly address?: string
  readonly files?: Files
  readonly offsetMs?: number
  /** The offset that this browser has kept. */
  readonly kept?: string | null
}

/** One picture on the screen. */
export interface Shown {
  readonly buttonId: string
  readonly weight: number
}

export class VirtualStage {
  private constructor(readonly daemon: FakeDaemon) {}

  static async open(
    buttons: readonly ShowButton[], options: StageOptions = {},
  ): Promise<VirtualStage> {
    const { address = '', files = () => CLIP, offsetMs = 0, kept = null } = options
    openVirtual('<div id="screen"></div><pre id="diagnostics" hidden></pre>')
    const show = showOf(...buttons)
    const settings = { ...show.settings, stageOffsetMs: offsetMs }
    const stage = new VirtualStage(new FakeDaemon({ ...show, settings }, SILENT))
    if (kept !== null) localStorage.setItem('cartwall.stage.offsetMs', kept)
    lendMedia(files)
    history.replaceState(null, '', `/stage${address}`)
    vi.resetModules()
    await import('../../../src/pages/stage/stage.js')
    await pass(1_000)
    return stage
  }

  /** The show is saved with these buttons. */
  save(buttons: readonly ShowButton[]): void {
    this.daemon.save(showOf(...buttons))
  }

  /** From below. */
  get shown(): readonly Shown[] {
    return this.elements.map((element) => ({
      buttonId: /media\/([^?]*)/.exec(element.getAttribute('src') ?? '')?.[1] ?? '',
      weight: element.style.opacity === '' ? 1 : Number(element.style.opacity),
    }))
  }

  /** What is seen, from below. */
  get elements(): readonly HTMLElement[] {
    return [...document.querySelectorAll<HTMLElement>('#screen > :not(.hidden)')]
      .toSorted((a, b) => Number(a.style.zIndex) - Number(b.style.zIndex))
  }

  /** Which frame of its file the video on top shows, in ms. */
  get topMs(): number {
    const top = this.elements.at(-1)
    return top === undefined ? Number.NaN : modelOf(top).shownMs
  }

  get report(): StageReport {
    const told = this.daemon.heard.filter((one): one is PageStage => one.kind === 'stage')
    const last = told.at(-1)
    if (last === undefined) throw new Error('it has not reported yet')
    return last.report
  }

  key(key: string, code: string, init: KeyboardEventInit = {}): void {
    document.dispatchEvent(new KeyboardEvent('keydown', { key, code, ...init }))
  }
}
