// Play and restart (4.1, 2.4, 2.6): what starts anew, and what is active already.
import { ZERO } from '../../clock/frame.js'
import type { Button } from '../catalogue.js'
import { resumeRun } from '../runs/resume.js'
import { stopRun } from '../runs/stop.js'
import { moveOf, no, ok, type CommandParts, type Of } from './command-parts.js'
import type { Ticket } from './command-queue.js'
import type { Reply } from './commands.js'
import { missingMedia, missingTimeline, navigationRefusal } from './start-refusals.js'

export class PlayRestart {
  constructor(
    private readonly parts: CommandParts,
    /** Goes on with a ticket once its file was looked at. */
    private readonly goOn: (ticket: Ticket) => void,
  ) {}

  /** Null where a file has to be looked at first; what that said stands in the ticket. */
  carryOut(ticket: Ticket, command: Of<'play' | 'restart'>): Reply | null {
    const { context } = this.parts.runs
    const button = context.catalogue.button(command.buttonId)
    if (button === null) return no('button_not_found', `no button ${command.buttonId}`)
    const opens = navigationRefusal(button)
    if (opens !== null) return opens
    if (command.kind === 'play') {
      const active = this.#playActive(button)
      if (active !== null) return active
    }
    if (button.kind === 'dmx') return this.#startLights(button)
    if (button.media === null) throw new Error('bug: a playable button without media')
    const { media } = button
    // Looked at again where the show was replaced in the meantime and names another file.
    if (ticket.looked?.path !== media) {
      ticket.check = context.check(media, 'command', (found, trouble) => {
        ticket.looked = { path: media, found, trouble }
        this.goOn(ticket)
      })
      return null
    }
    const missing = missingMedia(button, ticket.looked)
    if (missing !== null) return missing
    if (button.kind === 'image') return this.#show(button)
    return this.#startMedia(button, command)
  }

  /** A restart ends the run before it by a cut, at acceptance (decisions 3). */
  #startMedia(button: Button, command: Of<'play' | 'restart'>): Reply {
    const { runs, output } = this.parts
    const refusal = output.refusal()
    if (refusal !== null) return refusal
    this.#endBefore(button)
    const run = runs.start(button, command.options)
    return this.#accepted(button, run.executionId)
  }

  #startLights(button: Button): Reply {
    const { context } = this.parts.runs
    const timeline = button.dmx
    if (timeline === null) throw new Error('bug: a DMX button without a timeline')
    const missing = context.dmxAllowed ? missingTimeline(button, timeline) : null
    if (missing !== null) return missing
    this.#endBefore(button)
    if (!context.dmxAllowed) return this.#accepted(button, null)
    this.parts.runs.startDmx(button, 'itself')
    return this.#accepted(button, null)
  }

  #show(button: Button): Reply {
    this.#endBefore(button)
    this.parts.images.show(button)
    this.parts.runs.startDmx(button, 'itself')
    return this.#accepted(button, null)
  }

  /** Also what it had while it was of another kind, before the show was edited. */
  #endBefore(button: Button): void {
    const { runs, images } = this.parts
    const previous = runs.context.runs.ofButton(button.id)
    if (previous !== null) stopRun(runs, previous, ZERO, 'explicit_stop', 'linear')
    if (images.shown?.id === button.id) images.hide()
    runs.sequencer.dropDueOf(button.id, null)
  }

  #accepted(button: Button, executionId: string | null): Reply {
    const body = {
      result: 'accepted' as const,
      id: button.id,
      executionId,
      dmxAllowed: this.parts.runs.context.dmxAllowed,
      dmxExecutionId: this.#dmxOf(button.id),
    }
    return ok(body, 202)
  }

  #dmxOf(buttonId: string): string | null {
    return this.parts.runs.dmx.runOf(buttonId)?.dmxExecutionId ?? null
  }

  /** 2.6 and the play rows of 3.2: null where nothing of the button is active. */
  #playActive(button: Button): Reply | null {
    const { runs, images, output } = this.parts
    const run = runs.context.runs.ofButton(button.id)
    const dmxExecutionId = this.#dmxOf(button.id)
    const lit = button.kind === 'dmx' && dmxExecutionId !== null
    const shown = button.kind === 'image' && images.shown?.id === button.id
    if (run === null && !lit && !shown) return null
    if (run !== null) {
      const move = moveOf(run, 'play')
      if (move === 'refuse') {
        const message = `${button.title} is being stopped; restart starts it anew`
        return no('execution_not_resumable', message)
      }
      if (move === 'rise') {
        const refusal = output.refusal()
        if (refusal !== null) return refusal
        resumeRun(runs, run, null)
      }
    }
    const executionId = run?.executionId ?? null
    return ok({ result: 'already_active', id: button.id, executionId, dmxExecutionId })
  }
}
