// The one asynchronous port through which the API sees the engine. The daemon implements it across
// a worker's message channel, a simulation by direct calls.
import type { ButtonsAnswer, Execution, StatusAnswer } from '../contract/schemas.js'
import type { Command, Reply } from './commands/commands.js'
import type { EngineEvent } from './events.js'

export interface Player {
  /** Resolves with the engine's answer; a refusal is a value. It rejects only on a bug. */
  execute(command: Command): Promise<Reply>
  /** Reads never wait for a command, and one that follows a command's answer sees what it did. */
  execution(executionId: string): Execution | null
  buttons(): ButtonsAnswer
  status(): StatusAnswer
  /** Hears every event from now on, in order; the answer ends the subscription. */
  subscribe(listener: (event: EngineEvent) => void): () => void
}
