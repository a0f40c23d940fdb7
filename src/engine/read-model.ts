// The engine's state as readers see it: plain data, kept up by changes, on whichever thread reads.
import { ZERO, type Frame } from '../clock/frame.js'
import type { Execution } from '../contract/schemas.js'
import { isTerminal, type ServiceState } from '../contract/vocabulary.js'
import type { DmxView } from './dmx/dmx-run.js'
import { executionBody, type RunView } from './runs/run-view.js'

export type Change =
  | { readonly kind: 'run'; readonly view: RunView }
  | { readonly kind: 'forget'; readonly executionIds: readonly string[] }
  | {
      readonly kind: 'image'
      readonly buttonId: string | null
      readonly title: string
      readonly at: Frame
    }
  | {
      readonly kind: 'dmx'
      readonly views: readonly DmxView[]
      readonly lamps: readonly DmxView[]
    }
  | { readonly kind: 'service'; readonly state: ServiceState }
  | { readonly kind: 'output'; readonly available: boolean }
  | { readonly kind: 'starvations'; readonly count: number }
  | { readonly kind: 'duration'; readonly path: string; readonly frames: Frame }

export class ReadModel {
  readonly #runs = new Map<string, RunView>()
  readonly #live = new Map<string, RunView>()
  readonly #durations = new Map<string, Frame>()
  image: string | null = null
  /** As it was when it came on, for one whose button left the show since. */
  imageTitle = ''
  /** Since when the image is as it is. */
  imageAt: Frame = ZERO
  dmx: readonly DmxView[] = []
  /** What the lamps go by: what ended with its media is dark only when that is heard. */
  lamps: readonly DmxView[] = []
  service: ServiceState = 'ready'
  outputUp = true
  starvations = 0

  apply(changes: readonly Change[]): void {
    for (const change of changes) this.#applyOne(change)
  }

  #applyOne(change: Change): void {
    switch (change.kind) {
      case 'run': {
        const { view } = change
        this.#runs.set(view.executionId, view)
        if (!isTerminal(view.state)) this.#live.set(view.buttonId, view)
        else if (this.#live.get(view.buttonId)?.executionId === view.executionId) {
          this.#live.delete(view.buttonId)
        }
        return
      }
      case 'forget':
        for (const id of change.executionIds) this.#runs.delete(id)
        return
      case 'image':
        this.image = change.buttonId
        this.imageTitle = change.title
        this.imageAt = change.at
        return
      case 'dmx':
        this.dmx = change.views
        this.lamps = change.lamps
        return
      case 'service':
        this.service = change.state
        return
      case 'output':
        this.outputUp = change.available
        return
      case 'starvations':
        this.starvations = change.count
        return
      case 'duration':
        this.#durations.set(change.path, change.frames)
        return
    }
  }

  run(executionId: string): RunView | null {
    return this.#runs.get(executionId) ?? null
  }

  /** What GET /executions/{id} answers at a frame (2.2); null for an id that it does not know. */
  execution(executionId: string, now: Frame): Execution | null {
    const view = this.run(executionId)
    return view === null ? null : executionBody(view, now)
  }

  liveOf(buttonId: string): RunView | null {
    return this.#live.get(buttonId) ?? null
  }

  /** In order of creation. */
  live(): RunView[] {
    return [...this.#live.values()].sort((a, b) => a.serial - b.serial)
  }

  dmxOf(buttonId: string): DmxView | null {
    return this.dmx.find((view) => view.buttonId === buttonId) ?? null
  }

  duration(path: string): Frame | null {
    return this.#durations.get(path) ?? null
  }
}
