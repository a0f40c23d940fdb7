// The reference model of commands: who is let in, which run an id means, and what is answered (4,
// D1-D4).
import type { Command } from '../../../src/engine/commands/commands.js'
import type { Judge } from '../judge.js'
import type { RuleName } from '../rules.js'
import type { RunEvent, EngineObserver } from '../../world/engine-observer.js'
import { fadeOf } from './fade-precedence.js'
import { fadeTo } from './gain.js'
import type { ModelLights } from './lights.js'
import type { ModelLists } from './lists.js'
import type { ModelRuns } from './runs.js'
import {
  isLive, placeOf, starvedOf, unheard, wholeMs, type ModelButton, type ModelRun, type ModelShow,
  type ModelStream,
} from './shapes.js'

/** What should be answered, and the sentence that says so. */
export interface Answer {
  readonly status: number
  readonly body: Readonly<Record<string, unknown>>
  readonly rule: RuleName
}

export interface CommandsHost {
  readonly judge: Judge
  readonly observer: EngineObserver
  readonly lights: ModelLights
  readonly runs: ModelRuns
  readonly lists: ModelLists
  readonly retention: number
  readonly lightsAllowed: boolean
  show(): ModelShow
  image(): ModelButton | null
  turnImage(button: ModelButton | null): void
  outputUp(): boolean
  /** The decode that was opened for the start that made this run. */
  claimOpened(event: RunEvent): ModelStream
  /** What was answered, where only that can tell which of two close verdicts is right. */
  said(): Readonly<Record<string, unknown>> | null
}

const refused = (status: number, error: string, rule: RuleName): Answer =>
  ({ status, body: { error }, rule })
const ok = (body: Answer['body'], rule: RuleName, status = 200): Answer => ({ status, body, rule })
const NOT_RESUMABLE = 'execution_not_resumable'

type Of<K extends Command['kind']> = Extract<Command, { kind: K }>

export class ModelCommands {
  constructor(private readonly host: CommandsHost) {}

  /** Null where a file must be looked at first. */
  carryOut(ask: Command, found: boolean | null): Answer | null {
    switch (ask.kind) {
      case 'play':
      case 'restart':
        return this.#start(ask, found)
      case 'pause':
        return this.#pause(ask)
      case 'resume':
        return this.#resume(ask)
      case 'stop':
        return this.#stop(ask)
      case 'panic':
        return this.panic(ask.fadeOutMs)
      case 'sync':
        return this.#sync(ask)
    }
  }

  #start(ask: Of<'play' | 'restart'>, found: boolean | null): Answer | null {
    const { lights, runs } = this.host
    const button = this.host.show().buttons.get(ask.buttonId)
    if (button === undefined) return refused(404, 'button_not_found', '7/button-not-found')
    if (button.kind === 'navigation') {
      return refused(400, 'invalid_playback_request', '1/navigation')
    }
    const active = ask.kind === 'play' ? this.#alreadyActive(button) : null
    if (active !== null) return active
    if (button.kind === 'dmx') return this.#startLights(button)
    if (found === null) return null
    if (!found) return refused(422, 'media_file_missing', '7/media-missing')
    if (button.kind === 'image') {
      this.host.turnImage(null)
      this.host.turnImage(button)
      lights.start(runs.now, button, 'itself')
      return this.#accepted(button, null)
    }
    return this.#startMedia(button, ask)
  }

  #startMedia(button: ModelButton, ask: Of<'play' | 'restart'>): Answer {
    const { runs, lists, judge } = this.host
    if (!this.host.outputUp()) return refused(503, 'playback_unavailable', 'D3/output-refuses')
    const previous = runs.ofButton(button.id)
    if (previous !== null) {
      if (previous.state === 'fading_out') {
        judge.sometimes('a restart while the old run fades out')
      }
      runs.stop(previous, 0, 'explicit_stop', 'linear', '3.2/restart')
    }
    lists.dropOf(button.id)
    lists.startedByHand(button)
    const order = runs.nextOrder()
    const event = this.host.observer.takeBirth(button.id, runs.now, 'command')
    judge.hold('3.2/start', event !== null, () => `no run of b${button.n} began`)
    const tail = this.host.claimOpened(event!)
    const run = runs.born({
      button, options: ask.options, order, auto: false, tried: new Map(),
      event: event!, tail, from: null,
    })
    return this.#accepted(button, run.id)
  }

  #startLights(button: ModelButton): Answer {
    const { lights, runs } = this.host
    if (!this.host.lightsAllowed) return this.#accepted(button, null)
    if ((button.lights?.durationMs ?? null) === null) {
      return refused(422, 'media_file_missing', '7/media-missing')
    }
    lights.end(runs.now, button.id)
    lights.start(runs.now, button, 'itself')
    return this.#accepted(button, null)
  }

  #accepted(button: ModelButton, executionId: string | null): Answer {
    const dmxExecutionId = this.host.lights.live.get(button.id)?.id ?? null
    const dmxAllowed = this.host.lightsAllowed
    const body = { result: 'accepted', id: button.id, executionId, dmxAllowed, dmxExecutionId }
    return ok(body, '2.4/accepted', 202)
  }

  #alreadyActive(button: ModelButton): Answer | null {
    const { runs, lights } = this.host
    const run = runs.ofButton(button.id)
    const dmxExecutionId = lights.live.get(button.id)?.id ?? null
    const lit = button.kind === 'dmx' && dmxExecutionId !== null
    if (run === null && !lit && this.host.image()?.id !== button.id) return null
    const executionId = run?.id ?? null
    const body = { result: 'already_active', id: button.id, executionId, dmxExecutionId }
    if (run?.state === 'fading_out') return refused(409, NOT_RESUMABLE, '3.2/play-stopping')
    if (run?.state === 'paused') {
      if (!this.host.outputUp()) return refused(503, 'playback_unavailable', 'D3/output-refuses')
      runs.rise(run, null, '3.2/play-paused')
    }
    return ok(body, run === null ? '2.6/already-active' : '3.2/play-active')
  }

  // Which run is meant

  #known(id: string): boolean {
    return this.host.show().buttons.has(id) || this.host.runs.ofButton(id) !== null ||
      this.host.lights.live.has(id) || this.host.image()?.id === id
  }

  #meant(ask: Of<'pause' | 'resume' | 'stop'>, id: string): ModelRun | Answer {
    const { runs, judge } = this.host
    const run = runs.known.get(id)
    const gone = run === undefined ||
      (!isLive(run) && run.endedAt + this.host.retention < runs.now)
    if (gone) return refused(404, 'execution_not_found', 'D3/id-unknown')
    if (run.button.id !== ask.buttonId) return refused(409, 'stale_execution', 'D3/id-other-button')
    if (isLive(run)) return run
    if (runs.ofButton(ask.buttonId) !== null) {
      judge.sometimes('an old id is used while a newer run is live')
      const code = ask.kind === 'resume' ? NOT_RESUMABLE : 'stale_execution'
      return refused(409, code, 'D3/id-older')
    }
    if (ask.kind === 'stop') return run
    const rule = ask.kind === 'resume' ? '3.2/terminal-resume' : 'D3/id-ended'
    return refused(409, NOT_RESUMABLE, rule)
  }

  #pause(ask: Of<'pause'>): Answer {
    const { runs, judge } = this.host
    if (!this.#known(ask.buttonId)) return refused(404, 'button_not_found', '7/button-not-found')
    const run = this.#meant(ask, ask.executionId)
    if ('status' in run) return run
    let rule: RuleName = '3.2/pause-again'
    if (run.state === 'starting') {
      judge.sometimes('a pause of a starting run')
      run.pauseWanted = true
    } else if (run.state === 'playing') {
      if (run.seam !== null) judge.sometimes('a pause inside a loop seam')
      const list = runs.listOf(run.button)
      const frames = fadeOf(ask.fadeOutMs, run.button.fadeOutMs, list)
      rule = frames === 0 ? '3.2/pause-cut' : '3.2/pause-fade'
      runs.pause(run, frames, 'linear', rule)
    } else if (run.state === 'fading_out') rule = '3.2/stopping-keeps'
    return this.#execution(run, rule)
  }

  #resume(ask: Of<'resume'>): Answer {
    const { runs, judge } = this.host
    if (!this.#known(ask.buttonId)) return refused(404, 'button_not_found', '7/button-not-found')
    const run = this.#meant(ask, ask.executionId)
    if ('status' in run) return run
    if (run.state === 'fading_out') return refused(409, NOT_RESUMABLE, '3.2/stopping-keeps')
    if (!this.host.outputUp()) return refused(503, 'playback_unavailable', 'D3/output-refuses')
    let rule: RuleName = '3.2/resume-noop'
    if (run.state === 'starting') {
      if (run.pauseWanted) judge.sometimes('a resume of a starting run that was to pause')
      run.pauseWanted = false
    } else if (run.state === 'paused' || run.state === 'pausing') {
      rule = run.state === 'paused' ? '3.2/resume' : '3.2/resume-pausing'
      runs.rise(run, ask.fadeInMs, rule)
    }
    return this.#execution(run, rule)
  }

  #execution(run: ModelRun, rule: RuleName): Answer {
    return ok(this.executionBody(run), rule)
  }

  executionBody(run: ModelRun): Record<string, unknown> {
    const { runs } = this.host
    const durationMs = runs.durationMs(run, this.host.said()?.['durationMs'])
    return {
      executionId: run.id, buttonId: run.button.id, state: run.state,
      positionMs: wholeMs(placeOf(run, runs.now)),
      durationMs, ...runs.rangeMs(run, durationMs),
      endReason: run.reason,
      starvedMs: wholeMs(starvedOf(run, runs.now)),
    }
  }

  #stop(ask: Of<'stop'>): Answer {
    const { runs, lists, lights } = this.host
    const id = ask.buttonId
    if (!this.#known(id)) return refused(404, 'button_not_found', '7/button-not-found')
    let run = runs.ofButton(id)
    if (ask.executionId !== null) {
      const meant = this.#meant(ask, ask.executionId)
      if ('status' in meant) return meant
      run = isLive(meant) ? meant : null
    }
    lists.dropOf(id)
    if (run === null) {
      const shines = lights.live.has(id) || this.host.image()?.id === id
      const something = ask.executionId === null && shines
      if (something) this.#darken(id)
      const result = something ? 'stopped' : 'already_stopped'
      return ok({ result, id, executionId: ask.executionId },
        ask.executionId === null ? '2.5/stop-answer' : '3.2/terminal-stop')
    }
    const executionId = run.id
    const [fades, rule] = this.#bringDown(run, ask.fadeOutMs)
    return ok({ result: fades ? 'fading_out' : 'stopped', id, executionId }, rule)
  }

  #darken(button: string): void {
    if (this.host.image()?.id === button) this.host.turnImage(null)
    else this.host.lights.end(this.host.runs.now, button)
  }

  /** Whether the run fades now, and by which sentence. */
  #bringDown(run: ModelRun, fadeMs: number | null): readonly [boolean, RuleName] {
    const { runs, judge } = this.host
    if (run.state === 'fading_out') {
      if (run.why === 'replaced') {
        judge.sometimes('a replaced run is stopped by a command while it fades')
      }
      return [true, '3.2/stop-again']
    }
    if (run.state === 'pausing') judge.sometimes('a stop of a pausing run')
    if (run.state === 'starting') judge.sometimes('a stop of a starting run')
    if (run.seam !== null && run.state === 'playing') judge.sometimes('a stop inside a loop seam')
    const still = run.state === 'paused' || unheard(run)
    const list = runs.listOf(run.button)
    const frames = still ? 0 : fadeOf(fadeMs, run.button.fadeOutMs, list)
    const rule = run.state === 'paused' ? '3.2/stop-paused'
      : frames === 0 ? '3.2/stop-cut' : '3.2/stop-fade'
    runs.stop(run, frames, 'explicit_stop', 'linear', rule)
    return [frames > 0, rule]
  }

  panic(fadeMs: number | null): Answer {
    const { runs, lists, lights, judge } = this.host
    lists.dropAll()
    let fadingOut = 0
    let stopped = 0
    if (runs.live.length > 1) judge.sometimes('a panic over several runs')
    for (const run of [...runs.live]) {
      if (run.state === 'fading_out' && fadeMs === 0) {
        judge.sometimes('a panic cuts what fades out already')
        runs.end(run, run.why, 'D/panic')
        stopped += 1
      } else if (this.#bringDown(run, fadeMs)[0]) fadingOut += 1
      else stopped += 1
    }
    const image = this.host.image()
    if (image !== null) {
      this.#darken(image.id)
      stopped += 1
    }
    for (const button of [...lights.live.keys()]) {
      lights.end(runs.now, button)
      stopped += 1
    }
    const result = fadingOut > 0 ? 'fading_out' : stopped > 0 ? 'stopped' : 'already_stopped'
    return ok({ result, fadingOut, stopped }, 'D/panic')
  }

  #sync(ask: Of<'sync'>): Answer {
    const { lights, runs } = this.host
    const button = this.host.show().buttons.get(ask.buttonId)
    if (button === undefined && !this.#known(ask.buttonId)) {
      return refused(404, 'button_not_found', '7/button-not-found')
    }
    const hasTimeline = lights.live.has(ask.buttonId) || (button?.lights ?? null) !== null
    const said = this.host.said()?.['corrected'] === true
    const verdict = lights.sync(runs.now, { ...ask, hasTimeline, said })
    if ('error' in verdict) {
      const status = verdict.error === 'media_file_missing' ? 422 : 409
      return refused(status, verdict.error, 'D5/sync-refusals')
    }
    const { executionId, sequence, isPlaying } = ask
    const { corrected, position, drift } = verdict
    return ok({
      executionId, sequence, corrected, positionMs: position, driftMs: drift, isPlaying,
    }, '3.5/sync-answer')
  }

  /** Output loss: what starts or sounds fails, what is paused stays. */
  loseOutput(): void {
    const { runs, lists, judge } = this.host
    lists.dropAll()
    for (const run of [...runs.live]) {
      if (run.state === 'paused') judge.sometimes('the output is lost while a run is paused')
      else {
        if (run.state !== 'playing') judge.sometimes('the output is lost while a run fades')
        runs.end(run, 'playback_error', 'D3/output-lost')
      }
    }
  }
}

/** A run whose fade is replaced for an early crossfade. */
export const blendOut = (run: ModelRun, at: number, frames: number): void => {
  run.fade = fadeTo(run.fade, 0, at, frames, 'linear', '3.3/early')
}
