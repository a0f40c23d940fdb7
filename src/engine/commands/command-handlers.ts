// Which rule carries a command out: each of them in a file of its name.
import { pauseCommand } from '../runs/pause.js'
import { resumeCommand } from '../runs/resume.js'
import { stopCommand } from '../runs/stop.js'
import { no, ok, type CommandParts, type Of } from './command-parts.js'
import type { QueuedCommand } from './command-queue.js'
import type { Reply } from './commands.js'
import { startCommand } from './play-restart.js'
import { knowsButton } from './which-run.js'

/**
 * Null where a file has to be looked at first; what that said stands in the queued command, and
 * `goOn` is called.
 */
export const carryOut = (
  parts: CommandParts, queued: QueuedCommand, goOn: () => void,
): Reply | null => {
  const { command } = queued
  switch (command.kind) {
    case 'play':
    case 'restart':
      return startCommand(parts, queued, command, goOn)
    case 'pause':
      return pauseCommand(parts, command)
    case 'resume':
      return resumeCommand(parts, command)
    case 'stop':
      return stopCommand(parts, command)
    case 'sync':
      return syncCommand(parts, command)
  }
}

const syncCommand = (parts: CommandParts, command: Of<'sync'>): Reply => {
  const { context, dmx } = parts
  const button = context.catalogue.button(command.buttonId)
  if (button === null && !knowsButton(parts, command.buttonId)) {
    return no('button_not_found', `no button ${command.buttonId}`)
  }
  const live = dmx.runOf(command.buttonId)
  const hasTimeline = live !== null || (button !== null && button.dmx !== null)
  const reply = dmx.sync(context.now, { ...command, hasTimeline })
  return reply.ok ? ok(reply.body) : reply
}
