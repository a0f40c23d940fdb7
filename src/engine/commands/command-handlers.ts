// What each command does (4.1): which run an id means, what is refused, and the answers' bodies.
import { ZERO } from '../../clock/frame.js'
import { refuse, type ErrorCode } from '../../contract/errors.js'
import type { LiveState } from '../../contract/vocabulary.js'
import type { Button } from '../catalogue.js'
import type { AnswerBody, Command, Reply } from './commands.js'
import { fadeFrames } from '../runs/fades.js'
import type { Ticket } from './command-queue.js'
import { listOf } from '../runs/boundary.js'
import type { Images } from '../images.js'
import { executionBody, isSounding, type Run } from '../runs/run.js'
import type { RunLifecycle } from '../runs/run-lifecycle.js'
import { TRANSPORT, type Move, type Trigger } from '../runs/transport.js'

type Of<K extends Command['kind']> = Extract<Command, { kind: K }>

const ok = (body: AnswerBody, status: 200 | 202 = 200): Reply => ({ ok: true, status, body })
const no = (code: ErrorCode, message: string): Reply => ({
  ok: false, refusal: refuse(code, message),
})

const NO_OUTPUT = no('playback_unavailable', 'there is no sound output at the moment')

/** Live runs are the only ones whose state is looked up in the table. */
const moveOf = (run: Run, trigger: Trigger): Move => TRANSPORT[run.state as LiveState][trigger]

export class CommandHandlers {
  constructor(
    private readonly lifecycle: RunLifecycle,
    private readonly images: Images,
    /** Goes on with a ticket once its file was looked at. */
    private readonly goOn: (ticket: Ticket) => void,
  ) {}

  /** Null where a file has to be looked at first; what that said stands in the ticket. */
  carryOut(ticket: Ticket): Reply | null {
    const { command } = ticket
    switch (command.kind) {
      case 'play':
      case 'restart':
        return this.#start(ticket, command)
      case 'pause':
        return this.#pause(command)
      case 'resume':
        return this.#resume(command)
      case 'stop':
        return this.#stop(command)
      case 'sync':
        return this.#sync(command)
      case 'panic':
        return this.panic(command.fadeOutMs, 'command')
    }
  }

  // Starts

  #start(ticket: Ticket, command: Of<'play' | 'restart'>): Reply | null {
    const button = this.lifecycle.context.catalogue.button(command.buttonId)
    if (button === null) return no('button_not_found', `no button ${command.buttonId}`)
    if (button.kind === 'navigation') {
      const message = `${button.title} is a navigation button: it cannot be played`
      return no('invalid_playback_request', message)
    }
    if (command.kind === 'play') {
      const active = this.#playActive(button)
      if (active !== null) return active
    }
    if (button.kind === 'dmx') return this.#startLights(button)
    if (button.media === null) throw new Error('bug: a playable button without media')
    const { media } = button
    // Looked at again where the show was replaced in the meantime and names another file.
    if (ticket.looked?.path !== media) {
      ticket.check = this.lifecycle.context.check(media, 'command', (found, trouble) => {
        ticket.looked = { path: media, found, trouble }
        this.goOn(ticket)
      })
      return null
    }
    if (!ticket.looked.found) {
      const reason = ticket.looked.trouble ?? 'no readable file is there'
      return no('media_file_missing', `${button.title}: ${reason}: ${media}`)
    }
    if (button.kind === 'image') return this.#show(button)
    return this.#startMedia(button, command)
  }

  #startMedia(button: Button, command: Of<'play' | 'restart'>): Reply {
    const { context } = this.lifecycle
    if (!context.outputUp) return NO_OUTPUT
    const previous = context.runs.ofButton(button.id)
    if (previous !== null) this.lifecycle.stop(previous, ZERO, 'explicit_stop', 'linear')
    this.lifecycle.sequencer.dropDueOf(button.id)
    const run = this.lifecycle.start(button, command.options)
    return this.#accepted(button, run.executionId)
  }

  #startLights(button: Button): Reply {
    const { context, dmx } = this.lifecycle
    const timeline = button.dmx
    if (timeline === null) throw new Error('bug: a DMX button without a timeline')
    if (!context.dmxAllowed) return this.#accepted(button, null)
    if (timeline.durationFrames === null) {
      return no('media_file_missing', `${button.title}: ${timeline.error ?? 'no timeline'}`)
    }
    dmx.end(context.now, button.id)
    this.lifecycle.startDmx(button, 'itself')
    return this.#accepted(button, null)
  }

  #show(button: Button): Reply {
    this.images.show(button)
    this.lifecycle.startDmx(button, 'itself')
    return this.#accepted(button, null)
  }

  #accepted(button: Button, executionId: string | null): Reply {
    const body = {
      result: 'accepted' as const,
      id: button.id,
      executionId,
      dmxAllowed: this.lifecycle.context.dmxAllowed,
      dmxExecutionId: this.#dmxOf(button.id),
    }
    return ok(body, 202)
  }

  #dmxOf(buttonId: string): string | null {
    return this.lifecycle.dmx.runOf(buttonId)?.dmxExecutionId ?? null
  }

  /** 2.6 and the play rows of 3.2: null where nothing of the button is active. */
  #playActive(button: Button): Reply | null {
    const run = this.lifecycle.context.runs.ofButton(button.id)
    const dmxExecutionId = this.#dmxOf(button.id)
    const lit = button.kind === 'dmx' && dmxExecutionId !== null
    if (run === null && !lit && this.images.shown?.id !== button.id) return null
    if (run !== null) {
      const move = moveOf(run, 'play')
      if (move === 'refuse') {
        const message = `${button.title} is being stopped; restart starts it anew`
        return no('execution_not_resumable', message)
      }
      if (move === 'rise') {
        if (!this.lifecycle.context.outputUp) return NO_OUTPUT
        this.lifecycle.rise(run, null)
      }
    }
    const executionId = run?.executionId ?? null
    return ok({ result: 'already_active', id: button.id, executionId, dmxExecutionId })
  }

  // Pause, resume, stop

  /** Decisions 3, "Which run an id means". A string is a refusal; null a run that ended. */
  #meant(command: Of<'pause' | 'resume' | 'stop'>, executionId: string): Run | null | Reply {
    const { runs } = this.lifecycle.context
    const live = runs.run(executionId)
    const owner = live?.button.id ?? runs.ended(executionId)?.buttonId ?? null
    if (owner === null) return no('execution_not_found', `no execution ${executionId}`)
    if (owner !== command.buttonId) {
      return no('stale_execution', `execution ${executionId} belongs to another button`)
    }
    if (live !== null) return live
    if (runs.ofButton(command.buttonId) === null) return null
    return command.kind === 'resume'
      ? no('execution_not_resumable', 'a newer run of the button is active')
      : no('stale_execution', 'a newer run of the button is active')
  }

  /** A button that vanished with a live run still answers (decisions 6). */
  #known(buttonId: string): boolean {
    const { context, dmx } = this.lifecycle
    return (
      context.catalogue.button(buttonId) !== null || context.runs.ofButton(buttonId) !== null ||
      dmx.runOf(buttonId) !== null || this.images.shown?.id === buttonId
    )
  }

  #target(command: Of<'pause' | 'resume'>): Run | Reply {
    if (!this.#known(command.buttonId)) {
      return no('button_not_found', `no button ${command.buttonId}`)
    }
    return (
      this.#meant(command, command.executionId) ??
      no('execution_not_resumable', `execution ${command.executionId} has ended`)
    )
  }

  #pause(command: Of<'pause'>): Reply {
    const run = this.#target(command)
    if ('ok' in run) return run
    const move = moveOf(run, 'pause')
    if (move === 'pause_when_ready') run.pauseWhenReady = true
    if (move === 'fade_to_pause') {
      const list = listOf(run, this.lifecycle.context.catalogue)
      const frames = fadeFrames(command.fadeOutMs, run.button.fadeOutMs, list)
      this.lifecycle.pause(run, frames, 'command', 'linear')
    }
    return this.#body(run)
  }

  #resume(command: Of<'resume'>): Reply {
    const run = this.#target(command)
    if ('ok' in run) return run
    const move = moveOf(run, 'resume')
    if (move === 'refuse') return no('execution_not_resumable', 'the run is being stopped')
    if (!this.lifecycle.context.outputUp) return NO_OUTPUT
    if (move === 'forget_pause') run.pauseWhenReady = false
    if (move === 'rise') this.lifecycle.rise(run, command.fadeInMs)
    return this.#body(run)
  }

  #body(run: Run): Reply {
    return ok(executionBody(this.lifecycle.context.view(run), this.lifecycle.context.now))
  }

  #stop(command: Of<'stop'>): Reply {
    const { buttonId } = command
    if (!this.#known(buttonId)) return no('button_not_found', `no button ${buttonId}`)
    let run = this.lifecycle.context.runs.ofButton(buttonId)
    if (command.executionId !== null) {
      const meant = this.#meant(command, command.executionId)
      if (meant !== null && 'ok' in meant) return meant
      run = meant
    }
    const id = buttonId
    this.lifecycle.sequencer.dropDueOf(buttonId)
    if (run === null) {
      const dark = command.executionId === null && this.#stopSilent(buttonId)
      const result = dark ? 'stopped' : 'already_stopped'
      return ok({ result, id, executionId: command.executionId })
    }
    const { executionId } = run
    const fading = this.#fade(run, command.fadeOutMs)
    return ok({ result: fading ? 'fading_out' : 'stopped', id, executionId })
  }

  /** Stops a run as the table says; true while it fades. */
  #fade(run: Run, fadeOutMs: number | null): boolean {
    const move = moveOf(run, 'stop')
    if (move === 'none') return true
    const list = listOf(run, this.lifecycle.context.catalogue)
    const frames = fadeFrames(fadeOutMs, run.button.fadeOutMs, list)
    this.lifecycle.stop(run, move === 'cut' ? ZERO : frames, 'explicit_stop', 'linear')
    return isSounding(run)
  }

  /** Images and DMX-only buttons stop at once (4.1 stop 6); false where nothing ran. */
  #stopSilent(buttonId: string): boolean {
    const { dmx, context } = this.lifecycle
    const lit = dmx.runOf(buttonId) !== null
    const shown = this.images.shown?.id === buttonId
    if (shown) this.images.hide()
    else if (lit) dmx.end(context.now, buttonId)
    return lit || shown
  }

  #sync(command: Of<'sync'>): Reply {
    const { context, dmx } = this.lifecycle
    const button = context.catalogue.button(command.buttonId)
    const live = dmx.runOf(command.buttonId)
    if (button === null && !this.#known(command.buttonId)) {
      return no('button_not_found', `no button ${command.buttonId}`)
    }
    const hasTimeline = live !== null || (button !== null && button.dmx !== null)
    const reply = dmx.sync(context.now, { ...command, hasTimeline })
    return reply.ok ? ok(reply.body) : reply
  }

  // Panic

  /**
   * Everything stops: sound by its fades or the one supplied, images and lights at once. Whoever
   * supplies zero wants silence now, e.g. as the second panic while the first one still fades: what
   * fades out already is cut too, and keeps the reason of its fade (decisions 3).
   */
  panic(fadeOutMs: number | null, cause: 'command' | 'shutdown'): Reply {
    const { context, dmx } = this.lifecycle
    let fadingOut = 0
    let stopped = 0
    this.lifecycle.sequencer.dropDue()
    for (const run of [...context.runs.live()]) {
      if (fadeOutMs === 0) this.lifecycle.end(run, run.fadeReason, cause, null)
      if (run.endReason === null && this.#fade(run, fadeOutMs)) fadingOut += 1
      else stopped += 1
    }
    const image = this.images.shown
    if (image !== null && this.#stopSilent(image.id)) stopped += 1
    for (const view of dmx.views()) {
      dmx.end(context.now, view.buttonId)
      stopped += 1
    }
    const result = fadingOut > 0 ? 'fading_out' : stopped > 0 ? 'stopped' : 'already_stopped'
    return ok({ result, fadingOut, stopped })
  }
}
