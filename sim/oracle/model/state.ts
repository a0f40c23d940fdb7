// What the reference model knows at a frame: the show, the runs, the output; its parts share it.
import { judgeBody } from '../difference.js'
import type { Judge } from '../judge.js'
import type { RuleName } from '../rules.js'
import type { ListSpec, Scenario } from '../../scenario/scenario.js'
import { buttonId, eachButton, type Naming } from '../../scenario/show.js'
import type { EngineObserver } from '../../world/engine-observer.js'
import type { SimMedia } from '../../world/media.js'
import type { PlayerUnderTest } from '../../world/player-under-test.js'
import type { ModelButton, ModelList, ModelRun, ModelShow } from './shapes.js'

export const modelShow = (lists: readonly ListSpec[], naming: Naming): ModelShow => {
  const all = eachButton(lists, (spec, n, list): ModelButton =>
    ({ ...spec, n, id: buttonId(n, naming), list }))
  const made = lists.map((list, n): ModelList =>
    ({ ...list, n, buttons: all[n]!.filter(({ gone }) => !gone) }))
  const buttons = new Map(made.flatMap((list) => list.buttons).map((button) => [button.id, button]))
  return { lists: made, buttons }
}

export class ModelState {
  now: number
  show: ModelShow
  /** The frame since which the show is as it is. */
  showSince = -1
  /** In order of creation. */
  readonly live: ModelRun[] = []
  readonly known = new Map<string, ModelRun>()
  /** In order of their ends. */
  readonly ended: ModelRun[] = []
  image: ModelButton | null = null
  outputUp = true
  busy = false
  shut = false
  /** Files that were altered in this scenario. */
  readonly tampered = new Set<number>()
  /** What was answered, where only that can tell which of two close verdicts is right. */
  said: Readonly<Record<string, unknown>> | null = null
  readonly scenario: Scenario
  readonly retention: number
  readonly observer: EngineObserver
  readonly media: SimMedia

  constructor(player: PlayerUnderTest, readonly judge: Judge) {
    const { scenario, naming, origin, observer, media } = player
    this.scenario = scenario
    this.retention = scenario.retentionMs * 48
    this.observer = observer
    this.media = media
    this.show = modelShow(scenario.lists, naming)
    this.now = origin
  }

  /** A change was told at this very frame, in full. */
  expectTold(rule: RuleName, heard: object | undefined, meant: object): void {
    const words = `${JSON.stringify(meant)} should be told now; `
    judgeBody(this.judge, rule, heard ?? {}, { ...meant, at: this.now }, {}, words)
  }

  ofButton(id: string): ModelRun | null {
    return this.live.find((run) => run.button.id === id) ?? null
  }

  /** The owning list; a button that vanished keeps obeying the one it was in. */
  listOf(button: ModelButton): ModelList {
    return this.show.lists[button.list]!
  }

  /** Whether its list may go on after it. */
  goesOn({ options, button }: ModelRun): boolean {
    if (options.externalSequencing || options.loop === true) return false
    return this.show.buttons.has(button.id) && this.listOf(button).mode !== 'manual'
  }
}
