// Which rule carries a command out: each of them in a file of its name.
import { pauseCommand } from '../runs/pause.js'
import { resumeCommand } from '../runs/resume.js'
import { stopCommand } from '../runs/stop.js'
import { no, ok, type CommandParts, type Of } from './command-parts.js'
import type { Ticket } from './command-queue.js'
import type { Reply } from './commands.js'
import { panic } from './panic.js'
import { PlayRestart } from './play-restart.js'
import { knowsButton } from './which-run.js'

export class CommandHandlers {
  readonly #starts: PlayRestart

  constructor(
    private readonly parts: CommandParts,
    goOn: (ticket: Ticket) => void,
  ) {
    this.#starts = new PlayRestart(parts, goOn)
  }

  /** Null where a file has to be looked at first; what that said stands in the ticket. */
  carryOut(ticket: Ticket): Reply | null {
    const { command } = ticket
    switch (command.kind) {
      case 'play':
      case 'restart':
        return this.#starts.carryOut(ticket, command)
      case 'pause':
        return pauseCommand(this.parts, command)
      case 'resume':
        return resumeCommand(this.parts, command)
      case 'stop':
        return stopCommand(this.parts, command)
      case 'sync':
        return this.#sync(command)
      case 'panic':
        return panic(this.parts, command.fadeOutMs, 'command')
    }
  }

  #sync(command: Of<'sync'>): Reply {
    const { context, dmx } = this.parts.runs
    const button = context.catalogue.button(command.buttonId)
    const live = dmx.runOf(command.buttonId)
    if (button === null && !knowsButton(this.parts, command.buttonId)) {
      return no('button_not_found', `no button ${command.buttonId}`)
    }
    const hasTimeline = live !== null || (button !== null && button.dmx !== null)
    const reply = dmx.sync(context.now, { ...command, hasTimeline })
    return reply.ok ? ok(reply.body) : reply
  }
}
