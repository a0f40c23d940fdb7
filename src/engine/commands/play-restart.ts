// Play and restart (4.1, 2.4, 2.6): what starts anew, and what is active already.
import { ZERO } from '../../clock/frame.js'
import type { Button } from '../catalogue.js'
import { startDmx } from '../dmx/dmx-start.js'
import { resumeRun } from '../runs/resume.js'
import { stopRun } from '../runs/stop.js'
import { moveOf, no, ok, type CommandParts, type Of } from './command-parts.js'
import type { QueuedCommand } from './command-queue.js'
import type { Reply } from './commands.js'
import { missingMedia, missingTimeline, navigationRefusal } from './start-refusals.js'

type Start = Of<'play' | 'restart'>

/** Null where a file has to be looked at first: then `goOn` is called. */
export const startCommand = (
  parts: CommandParts, queued: QueuedCommand, command: Start, goOn: () => void,
): Reply | null => {
  const { context } = parts
  const button = context.catalogue.button(command.buttonId)
  if (button === null) return no('button_not_found', `no button ${command.buttonId}`)
  const opens = navigationRefusal(button)
  if (opens !== null) return opens
  if (command.kind === 'play') {
    const active = playActive(parts, button)
    if (active !== null) return active
  }
  if (button.kind === 'dmx') return startLights(parts, button)
  if (button.media === null) throw new Error('bug: a playable button without media')
  const { media } = button
  // Looked at again where the show was replaced in the meantime and names another file.
  if (queued.looked?.path !== media) {
    queued.check = context.check(media, 'command', (found, trouble) => {
      queued.looked = { path: media, found, trouble }
      goOn()
    })
    return null
  }
  const missing = missingMedia(button, queued.looked)
  if (missing !== null) return missing
  return button.kind === 'image' ? startSilent(parts, button) : startMedia(parts, button, command)
}

/** A restart ends the run before it by a cut, at acceptance (decisions 3). */
const startMedia = (parts: CommandParts, button: Button, { options }: Start): Reply => {
  const refusal = parts.output.refusal()
  if (refusal !== null) return refusal
  endBefore(parts, button)
  const run = parts.start(button, options)
  return accepted(parts, button, run.executionId)
}

const startLights = (parts: CommandParts, button: Button): Reply => {
  const timeline = button.dmx
  if (timeline === null) throw new Error('bug: a DMX button without a timeline')
  const missing = parts.context.dmxAllowed ? missingTimeline(button, timeline) : null
  return missing ?? startSilent(parts, button)
}

/** An image, or lights alone. */
const startSilent = (parts: CommandParts, button: Button): Reply => {
  endBefore(parts, button)
  if (button.kind === 'image') parts.images.show(button)
  startDmx(parts, button, 'itself')
  return accepted(parts, button, null)
}

/** Also what it had while it was of another kind, before the show was edited. */
const endBefore = (parts: CommandParts, button: Button): void => {
  const { context, images, sequencer } = parts
  const previous = context.runs.ofButton(button.id)
  if (previous !== null) stopRun(parts, previous, ZERO, 'explicit_stop', 'linear')
  if (images.shown?.id === button.id) images.hide()
  sequencer.dropDueOf(button.id, null)
}

const accepted = (parts: CommandParts, { id }: Button, executionId: string | null): Reply =>
  ok({
    result: 'accepted', id, executionId, dmxAllowed: parts.context.dmxAllowed,
    dmxExecutionId: lightsOf(parts, id),
  }, 202)

const lightsOf = ({ dmx }: CommandParts, buttonId: string): string | null =>
  dmx.runOf(buttonId)?.dmxExecutionId ?? null

/** 2.6 and the play rows of 3.2: null where nothing of the button is active. */
const playActive = (parts: CommandParts, button: Button): Reply | null => {
  const { context, images, output } = parts
  const run = context.runs.ofButton(button.id)
  const dmxExecutionId = lightsOf(parts, button.id)
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
      resumeRun(parts, run, null)
    }
  }
  const executionId = run?.executionId ?? null
  return ok({ result: 'already_active', id: button.id, executionId, dmxExecutionId })
}
