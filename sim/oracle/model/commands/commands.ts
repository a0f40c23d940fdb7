// The reference model of commands: which run an id means, and what is answered (4, D1-D4).
import type { Command } from '../../../../src/engine/commands/commands.js'
import { take } from '../../../world/lists.js'
import type { RuleName } from '../../rules.js'
import type { ModelLights } from '../lights.js'
import type { ModelLists } from '../lists/lists.js'
import { fadeOf } from '../runs/fade-precedence.js'
import type { ModelRuns } from '../runs/runs.js'
import { isLive, unheard, type ModelButton, type ModelRun } from '../shapes.js'
import type { ModelState } from '../state.js'
import { NOT_RESUMABLE, ok, refused, runMeant, type Answer } from './answer.js'

const NO_BUTTON = refused(404, 'button_not_found', '7/button-not-found')
const NO_OUTPUT = refused(503, 'playback_unavailable', 'D3/output-refuses')
const NO_FILE = refused(422, 'media_file_missing', '7/media-missing')

type Of<K extends Command['kind']> = Extract<Command, { kind: K }>

export class ModelCommands {
  constructor(
    private readonly state: ModelState, private readonly runs: ModelRuns,
    private readonly lists: ModelLists, private readonly lights: ModelLights,
  ) {}

  /** Null where a file must be looked at first. */
  carryOut(ask: Command, found: boolean | null): Answer | null {
    if (ask.kind === 'panic') return this.panic(ask.fadeOutMs)
    if ('options' in ask) return this.#start(ask, found)
    if (!this.#isKnown(ask.buttonId)) return NO_BUTTON
    if (ask.kind === 'sync') return this.lights.sync(ask)
    if (ask.kind === 'stop') return this.#stop(ask)
    const run = runMeant(this.state, ask, ask.executionId)
    if ('status' in run) return run
    const rule = ask.kind === 'pause' ? this.#pause(run, ask.fadeOutMs)
      : this.#resume(run, ask.fadeInMs)
    if (typeof rule !== 'string') return rule
    return ok(this.runs.execution(run, this.state.said ?? {}), rule)
  }

  #start(ask: Of<'play' | 'restart'>, found: boolean | null): Answer | null {
    const button = this.state.show.buttons.get(ask.buttonId)
    if (button === undefined) return NO_BUTTON
    if (button.kind === 'navigation') {
      return refused(400, 'invalid_playback_request', '1/navigation')
    }
    const active = ask.kind === 'play' ? this.#alreadyActive(button) : null
    if (active !== null) return active
    if (button.kind === 'dmx') {
      const isReadable = (button.lights?.durationMs ?? null) !== null
      if (this.state.scenario.dmxAllowed && !isReadable) return NO_FILE
    } else if (found === null) return null
    else if (!found) return NO_FILE
    else if (button.kind !== 'image') return this.#startMedia(button, ask)
    else {
      this.#show(null)
      this.#show(button)
    }
    this.lights.start(button, 'itself')
    return this.#accepted(button, null)
  }

  #startMedia(button: ModelButton, ask: Of<'play' | 'restart'>): Answer {
    if (!this.state.outputUp) return NO_OUTPUT
    const previous = this.state.ofButton(button.id)
    if (previous !== null) {
      this.state.judge.sometimes('a restart while the old run fades out',
        previous.state === 'fading_out')
      this.runs.stop(previous, 0, 'explicit_stop', 'linear', '3.2/restart')
    }
    this.lists.dropOf(button.id, null)
    this.lists.startedByHand(button)
    const { observer, now } = this.state
    const born = take(observer.births, ({ event: { buttonId, at, cause } }) =>
      buttonId === button.id && at === now && cause === 'command')
    this.state.judge.hold('3.2/start', born !== null, () => `no run of b${button.n} began`)
    const { options } = ask
    const { event } = born!
    const run = this.runs.born({ button, options, tried: new Map(), event, from: null })
    return this.#accepted(button, run.id)
  }

  #accepted(button: ModelButton, executionId: string | null): Answer {
    const dmxExecutionId = this.lights.live.get(button.id)?.id ?? null
    const dmxAllowed = this.state.scenario.dmxAllowed
    const body = { result: 'accepted', id: button.id, executionId, dmxAllowed, dmxExecutionId }
    return ok(body, '2.4/accepted', 202)
  }

  #alreadyActive(button: ModelButton): Answer | null {
    const run = this.state.ofButton(button.id)
    const dmxExecutionId = this.lights.live.get(button.id)?.id ?? null
    const lit = button.kind === 'dmx' && dmxExecutionId !== null
    if (run === null && !lit && this.state.image?.id !== button.id) return null
    const executionId = run?.id ?? null
    const body = { result: 'already_active', id: button.id, executionId, dmxExecutionId }
    if (run?.state === 'fading_out') return refused(409, NOT_RESUMABLE, '3.2/play-stopping')
    if (run?.state === 'paused') {
      if (!this.state.outputUp) return NO_OUTPUT
      this.runs.rise(run, null, '3.2/play-paused')
    }
    return ok(body, run === null ? '2.6/already-active' : '3.2/play-active')
  }

  /** The button is in the show, or something of it is live still. */
  #isKnown(button: string): boolean {
    const { show, image } = this.state
    return show.buttons.has(button) || this.state.ofButton(button) !== null ||
      this.lights.live.has(button) || image?.id === button
  }

  /** By which sentence. */
  #pause(run: ModelRun, fadeMs: number | null): RuleName {
    if (run.state === 'starting') {
      this.state.judge.sometimes('a pause of a starting run')
      run.pauseWanted = true
    }
    if (run.state === 'fading_out') return '3.2/stopping-keeps'
    if (run.state !== 'playing') return '3.2/pause-again'
    this.state.judge.sometimes('a pause inside a loop seam', run.seam !== null)
    const frames = fadeOf(fadeMs, run.button.fadeOutMs, this.state.listOf(run.button))
    const rule = frames === 0 ? '3.2/pause-cut' : '3.2/pause-fade'
    this.runs.pause(run, frames, 'linear', rule)
    return rule
  }

  #resume(run: ModelRun, fadeMs: number | null): RuleName | Answer {
    if (run.state === 'fading_out') return refused(409, NOT_RESUMABLE, '3.2/stopping-keeps')
    if (!this.state.outputUp) return NO_OUTPUT
    this.state.judge.sometimes('a resume of a starting run that was to pause', run.pauseWanted)
    run.pauseWanted = false
    if (run.state !== 'paused' && run.state !== 'pausing') return '3.2/resume-noop'
    const rule = run.state === 'paused' ? '3.2/resume' : '3.2/resume-pausing'
    this.runs.rise(run, fadeMs, rule)
    return rule
  }

  #stop(ask: Of<'stop'>): Answer {
    const id = ask.buttonId
    let run = this.state.ofButton(id)
    if (ask.executionId !== null) {
      const meant = runMeant(this.state, ask, ask.executionId)
      if ('status' in meant) return meant
      run = isLive(meant) ? meant : null
    }
    this.lists.dropOf(id, ask.executionId)
    if (run === null) {
      const shines = this.lights.live.has(id) || this.state.image?.id === id
      const something = ask.executionId === null && shines
      if (something && this.state.image?.id === id) this.#show(null)
      else if (something) this.lights.end(id)
      const result = something ? 'stopped' : 'already_stopped'
      return ok({ result, id, executionId: ask.executionId },
        ask.executionId === null ? '2.5/stop-answer' : '3.2/terminal-stop')
    }
    const executionId = run.id
    const [fades, rule] = this.#bringDown(run, ask.fadeOutMs)
    return ok({ result: fades ? 'fading_out' : 'stopped', id, executionId }, rule)
  }

  /** One image is shown, or none (D3). */
  #show(button: ModelButton | null): void {
    const { image: before, observer } = this.state
    if (button === null && before !== null) this.lights.end(before.id)
    this.state.image = button
    const { id } = button ?? before ?? {}
    if (id === undefined) return
    const meant = { kind: 'image', buttonId: id, shown: button !== null }
    this.state.expectTold('D3/image', observer.service.take('image'), meant)
  }

  /** Whether the run fades now, and by which sentence. */
  #bringDown(run: ModelRun, fadeMs: number | null): readonly [boolean, RuleName] {
    if (run.state === 'fading_out') {
      this.state.judge.sometimes('a replaced run is stopped by a command while it fades',
        run.why === 'replaced')
      return [true, '3.2/stop-again']
    }
    if (run.state === 'pausing') this.state.judge.sometimes('a stop of a pausing run')
    if (run.state === 'starting') this.state.judge.sometimes('a stop of a starting run')
    this.state.judge.sometimes('a stop inside a loop seam',
      run.seam !== null && run.state === 'playing')
    const still = run.state === 'paused' || unheard(run)
    const list = this.state.listOf(run.button)
    const frames = still ? 0 : fadeOf(fadeMs, run.button.fadeOutMs, list)
    const rule = run.state === 'paused' ? '3.2/stop-paused'
      : frames === 0 ? '3.2/stop-cut' : '3.2/stop-fade'
    this.runs.stop(run, frames, 'explicit_stop', 'linear', rule)
    return [frames > 0, rule]
  }

  panic(fadeMs: number | null): Answer {
    this.lists.dropAll()
    let fadingOut = 0
    const runs = [...this.state.live]
    this.state.judge.sometimes('a panic over several runs', runs.length > 1)
    for (const run of runs) {
      if (run.state === 'fading_out' && fadeMs === 0) {
        this.state.judge.sometimes('a panic cuts what fades out already')
        this.runs.end(run, run.why, 'D/panic', this.runs.byHand)
      } else if (this.#bringDown(run, fadeMs)[0]) fadingOut += 1
    }
    const images = this.state.image === null ? 0 : 1
    this.#show(null)
    const lamps = [...this.lights.live.keys()]
    for (const button of lamps) this.lights.end(button)
    const stopped = runs.length - fadingOut + images + lamps.length
    const result = fadingOut > 0 ? 'fading_out' : stopped > 0 ? 'stopped' : 'already_stopped'
    return ok({ result, fadingOut, stopped }, 'D/panic')
  }

  /** Output loss: what starts or sounds fails, what is paused stays. */
  loseOutput(): void {
    const { judge, live } = this.state
    this.lists.dropAll()
    for (const run of [...live]) {
      judge.sometimes('the output is lost while a run is paused', run.state === 'paused')
      if (run.state === 'paused') continue
      judge.sometimes('the output is lost while a run fades', run.state !== 'playing')
      this.runs.end(run, 'playback_error', 'D3/output-lost', 'output')
    }
  }
}
