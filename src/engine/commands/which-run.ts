// Which run an id means (4.3): of another button, superseded by a newer run, or ended.
import type { Run } from '../runs/run.js'
import { no, type CommandParts, type Of } from './command-parts.js'
import type { Reply } from './commands.js'

/** A run that is live; null for one that ended; else the refusal. */
const whichRun = (
  parts: CommandParts, command: Of<'pause' | 'resume' | 'stop'>, executionId: string,
): Run | null | Reply => {
  const { runs } = parts.context
  const live = runs.run(executionId)
  const owner = live?.button.id ?? runs.ended(executionId)?.buttonId ?? null
  if (owner === null) {
    const isOfLights = parts.dmx.views().some((run) => run.dmxExecutionId === executionId)
    const cure = isOfLights ? ': it is of lights, which /dmx/sync holds and moves' : ''
    return no('execution_not_found', `no execution ${executionId}${cure}`)
  }
  if (owner !== command.buttonId) {
    return no('stale_execution', `execution ${executionId} belongs to another button`)
  }
  if (live !== null) return live
  if (runs.ofButton(command.buttonId) === null) return null
  return command.kind === 'resume'
    ? no('execution_not_resumable', 'a newer run of the button is active')
    : no('stale_execution', 'a newer run of the button is active')
}

/** The live run that a pause or a resume means: one that ended is refused. */
export const liveTarget = (
  parts: CommandParts, command: Of<'pause' | 'resume'>,
): Run | Reply => {
  if (!knowsButton(parts, command.buttonId)) {
    return no('button_not_found', `no button ${command.buttonId}`)
  }
  return (
    whichRun(parts, command, command.executionId) ??
    no('execution_not_resumable', `execution ${command.executionId} has ended`)
  )
}

/** What a stop means: the run that it names, or the live one of its button; null: there is none. */
export const stopTarget = (parts: CommandParts, command: Of<'stop'>): Run | null | Reply =>
  command.executionId === null
    ? parts.context.runs.ofButton(command.buttonId)
    : whichRun(parts, command, command.executionId)

/** A button that vanished with a live run still answers (decisions 6). */
export const knowsButton = ({ context, dmx, images }: CommandParts, buttonId: string): boolean =>
  context.catalogue.button(buttonId) !== null || context.runs.ofButton(buttonId) !== null ||
  dmx.runOf(buttonId) !== null || images.shown?.id === buttonId
