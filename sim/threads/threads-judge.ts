// Judges what readers on the main thread are told, beside what the engine on the other one does.
import { isDeepStrictEqual } from 'node:util'
import {
  EventDigest, RECORDING_VERSION, type RecordedFact, type RecordedInput, type RecordedLine,
} from '../../src/recording/recording.js'
import { replayRecording } from '../../src/recording/replay.js'
import { DEFAULT_ENGINE } from '../../src/engine/engine.js'
import type { Catalogue, Show } from '../../src/engine/catalogue.js'
import type { Command, Reply } from '../../src/engine/commands/commands.js'
import type { EngineEvent } from '../../src/engine/events.js'
import type { RunView } from '../../src/engine/runs/run-view.js'
import { isTerminal } from '../../src/contract/vocabulary.js'
import { armedRange, keyOf } from '../../src/io/media/preroll-entry.js'
import type { RemotePlayer } from '../../src/sound/remote-player.js'
import { Violation } from '../oracle/judge.js'
import type { ThreadsRule } from './threads-rules.js'

type ShowFact = 'catalogue_busy' | 'catalogue_kept' | 'catalogue'

/** What the main thread told: a show by its title, all else by its kind. */
type Told = readonly [kind: ShowFact | 'probed', title?: string]

const READING = 'is being read'

export interface Judged {
  readonly seed: number
  readonly dmxAllowed: boolean
  readonly show: Show
  readonly player: () => RemotePlayer
  /** Of the engine itself. */
  readonly engineNow: () => number
}

export class ThreadsJudge {
  readonly #told: Told[] = []
  readonly #heard: Told[] = []
  readonly #open = new Set<Command>()
  readonly #lines: RecordedLine[] = []
  readonly #digest = new EventDigest()
  /** The engine's show at each telling of news that was not heard yet. */
  readonly #shows: Catalogue[] = []
  readonly #read = new Map<string, number>()
  readonly #loops = new Set<string>()
  #now = 0
  /** What became of the show, as the main thread told it last, and as the engine heard it last. */
  #lastTold = ''
  #lastHeard = ''
  #unanswered: Command | null = null
  #hasEnded = false

  constructor(private readonly judged: Judged) {
    const { seed, dmxAllowed, show } = judged
    const { origin, retentionMs, loopHeadBytes } = DEFAULT_ENGINE
    this.#lines.push({
      kind: 'cartwall-recording', version: RECORDING_VERSION, cartwall: 'sim', startedAt: '',
      seed, dmxAllowed, origin, retentionMs, loopHeadBytes, show,
    })
  }

  // What the main thread does

  tells(kind: ShowFact | 'probed', title?: string): void {
    if (kind !== 'probed') this.#lastTold = labelOf(kind, title, this.#told)
    this.#told.push(title === undefined ? [kind] : [kind, title])
  }

  asks(command: Command): void {
    this.#open.add(command)
  }

  unanswered(command: Command): void {
    this.#unanswered ??= command
  }

  ends(): void {
    this.#hasEnded = true
  }

  /** While a show is read, and until the engine has heard of it. */
  #mayBeBusy(): boolean {
    return this.#lastTold === READING || this.#lastTold !== this.#lastHeard
  }

  answered(command: Command, reply: Reply): void {
    this.#hold('threads/answered', this.#open.delete(command), () => `${command.kind} twice`)
    if (!reply.ok) {
      const isBusy = reply.refusal.code === 'app_busy'
      this.#hold('threads/not-busy', !isBusy || this.#mayBeBusy(), () =>
        `${command.kind} is refused: ${reply.refusal.message}`)
      return
    }
    const { body } = reply
    // A sync is of lights, which are no execution.
    if (command.kind === 'sync' || !('executionId' in body) || body.executionId === null) return
    const run = this.judged.player().execution(body.executionId)
    this.#hold('threads/own-command', run !== null, () => `${command.kind} ${JSON.stringify(body)}`)
    if (run === null || !('result' in body)) return
    // Between them a run may have gone on; what is stopped does not come back.
    const isOver = body.result === 'stopped' || body.result === 'already_stopped'
    this.#hold('threads/own-command', !isOver || isTerminal(run.state), () =>
      `${command.kind} answers ${body.result}, read ${run.state}`)
  }

  // What passes between them

  /** The engine's thread is about to tell news. */
  tellsNews(show: Catalogue): void {
    this.#shows.push(show)
  }

  recorded(inputs: readonly RecordedInput[], events: readonly EngineEvent[]): void {
    for (const input of inputs) {
      this.#lines.push(input)
      this.#hear(input)
    }
    if (events.length === 0) return
    for (const event of events) this.#digest.add(event)
    const at = Math.max(...inputs.map((input) => input.at), ...events.map((event) => event.at))
    const { count, hash } = this.#digest
    this.#lines.push({ at, events: count, hash })
  }

  #hear(input: RecordedInput): void {
    if (!('fact' in input)) return
    const { fact } = input
    const told = toldOf(fact)
    if (told === null) return
    if (fact.kind !== 'probed') this.#lastHeard = labelOf(told[0], told[1], this.#heard)
    this.#heard.push(told)
  }

  heardNews(): void {
    const show = this.#shows.shift()
    const { catalogue } = this.judged.player()
    this.#hold('threads/show', show !== undefined && isSame(catalogue, show), () =>
      `readers have ${namesOf(catalogue)}, the engine ${show === undefined ? '' : namesOf(show)}`)
    this.look()
  }

  /** Somebody reads, at any moment. */
  look(): void {
    const player = this.judged.player()
    const [now, engine] = [player.now, this.judged.engineNow()]
    this.#hold('threads/time', now >= this.#now && now <= engine, () =>
      `readers are at ${now}, were at ${this.#now}, the engine is at ${engine}`)
    this.#now = now
    for (const [id, before] of this.#read) this.#compare(id, before)
    this.#read.clear()
    for (const view of player.readModel.live()) this.#note(view)
  }

  /** What comes round goes back. What is only about to begin has no place yet. */
  #note({ executionId, state, comesRound }: RunView): void {
    if (comesRound) this.#loops.add(executionId)
    if (state === 'starting' || this.#loops.has(executionId)) return
    const run = this.judged.player().execution(executionId)
    if (run !== null) this.#read.set(executionId, run.positionMs)
  }

  #compare(id: string, before: number): void {
    const { positionMs = before } = this.judged.player().execution(id) ?? {}
    this.#hold('threads/time', positionMs >= before, () =>
      `run ${id} is read at ${positionMs} ms, was at ${before}`)
  }

  // At the end

  /** `engine`: what its thread has. */
  finish(engine: { readonly show: Catalogue; readonly armed: ReadonlySet<string> }): void {
    const player = this.judged.player()
    const live = player.readModel.live().map((view) => view.executionId)
    const { service } = player.readModel
    if (this.#hasEnded) {
      this.#hold('threads/end', live.length === 0 && service === 'shutting_down', () =>
        `${live.join(', ')} is live, the service ${service}`)
    } else {
      const isBusy = service === 'busy'
      this.#hold('threads/not-busy', !isBusy || this.#lastTold === READING, () =>
        'the service stays busy')
      this.#hold('threads/show', isSame(player.catalogue, engine.show), () =>
        `readers have ${namesOf(player.catalogue)}, the engine ${namesOf(engine.show)}`)
      const [readers, thread, show] = [player.armed, engine.armed, armedIn(engine.show)].map(
        (set) => [...set].sort().join(' '))
      this.#hold('threads/at-rest', readers === show, () =>
        `readers have ${readers}; its thread: ${thread}; the show: ${show}`)
    }
    this.#inOrder()
    const open = this.#unanswered ?? [...this.#open][0]
    this.#hold('threads/answered', open === undefined, () => `${String(open?.kind)} is not`)
    this.#replays()
  }

  #inOrder(): void {
    const words = (all: readonly Told[]): string => all.map((one) => one.join(' ')).join(', ')
    const titles = new Set(this.#heard.flatMap(([, title]) => title ?? []))
    const isLast = (n: number): boolean =>
      !this.#hasEnded && this.#told.slice(n + 1).every(([later]) => later !== 'catalogue')
    // A show that was under way when the next one came, or the shutdown, is left out.
    const due = this.#told.filter(([, title], n) =>
      title === undefined || titles.has(title) || isLast(n))
    this.#hold('threads/in-order', words(due) === words(this.#heard), () =>
      `told ${words(this.#told)}; heard ${words(this.#heard)}`)
  }

  #replays(): void {
    const nobody = (): void => undefined
    const { difference } = replayRecording(this.#lines, {
      event: nobody, command: nobody, reply: nobody, show: nobody,
    })
    const isSame = difference === null || difference.kind === 'nothing_compared'
    this.#hold('threads/recording', isSame, () => JSON.stringify(difference))
  }

  #hold(rule: ThreadsRule, holds: boolean, told: () => string): void {
    if (!holds) throw new Violation(rule, this.judged.engineNow(), told())
  }
}

/** Of what the main thread tells; null: others told it. */
const toldOf = (fact: RecordedFact): Told | null => {
  const { kind } = fact
  if (kind === 'catalogue') return [kind, fact.show.title]
  return kind === 'catalogue_busy' || kind === 'catalogue_kept' || kind === 'probed' ? [kind] : null
}

/** The show, or the how manieth one that was not taken. */
const labelOf = (kind: Told[0], title: string | undefined, before: readonly Told[]): string => {
  if (kind === 'catalogue_busy') return READING
  return title ?? `${before.filter((told) => told[0] === 'catalogue_kept').length} kept before it`
}

const namesOf = ({ title, playlists }: Catalogue): string =>
  [title, ...playlists.map(({ title: list, buttons }) => `${list}: ${buttons.length}`)].join(', ')

const isSame = (one: Catalogue, other: Catalogue): boolean => one === other ||
  (one.title === other.title && isDeepStrictEqual(one.playlists, other.playlists))

const armedIn = ({ playlists }: Catalogue): ReadonlySet<string> =>
  new Set(playlists.flatMap(({ buttons }) => buttons).flatMap((button) => {
    const range = armedRange(button)
    return range === null ? [] : keyOf(range.path, range.from, range.to)
  }))
