// A player without an engine: it answers what it was told to, and remembers what it was asked.
import type { ButtonsAnswer, Execution, StatusAnswer } from '../../src/contract/schemas.js'
import type { AnswerBody, Command, Reply } from '../../src/engine/commands/commands.js'
import type { EngineEvent } from '../../src/engine/events.js'
import type { Player } from '../../src/engine/player.js'
import { refuse, type ErrorCode } from '../../src/contract/errors.js'

export const BUTTON = '0d5e0000-1111-2222-3333-44444444abcd'
export const RUN = 'eeee0000-1111-2222-3333-44444444abcd'
export const LIGHT_RUN = 'dddd0000-1111-2222-3333-44444444abcd'

export const EXECUTION: Execution = {
  executionId: RUN,
  buttonId: BUTTON,
  state: 'playing',
  positionMs: 1234,
  durationMs: 60_000,
  endReason: null,
  startMs: 0,
  endMs: 60_000,
  starvedMs: 0,
}

const STATUS: StatusAnswer = {
  state: 'ready',
  version: '0.0.0',
  uptimeMs: 1,
  show: 'Test',
  showError: null,
  audio: { state: 'ok', sink: 'null', latencyMs: 0, underruns: 0, starvations: 0, armedHeads: 0 },
  dmx: { enabled: true, universes: 0, activeTimelines: 0 },
  lights: { output: { state: 'off', message: null }, timelines: [] },
  log: { state: 'ok', message: null, lost: 0 },
  active: [],
  paused: [],
}

/** A success of the right shape for every kind of command. */
export const successFor = (command: Command): Reply => {
  const ok = (body: AnswerBody): Reply => ({ ok: true, status: 200, body })
  switch (command.kind) {
    case 'play':
    case 'restart':
      return {
        ok: true,
        status: 202,
        body: {
          result: 'accepted',
          id: command.buttonId,
          executionId: RUN,
          dmxAllowed: true,
          dmxExecutionId: null,
        },
      }
    case 'pause':
    case 'resume':
      return ok({ ...EXECUTION, executionId: command.executionId, buttonId: command.buttonId })
    case 'stop':
      return ok({ result: 'stopped', id: command.buttonId, executionId: command.executionId })
    case 'panic':
      return ok({ result: 'already_stopped', fadingOut: 0, stopped: 0 })
    case 'sync':
      return ok({
        executionId: command.executionId,
        sequence: command.sequence,
        corrected: false,
        positionMs: command.positionMs,
        driftMs: 0,
        isPlaying: command.isPlaying,
      })
  }
}

export const refusing = (code: ErrorCode) => (): Promise<Reply> =>
  Promise.resolve({ ok: false, refusal: refuse(code, `said the player: ${code}`) })

export class FakePlayer implements Player {
  readonly commands: Command[] = []
  readonly listeners = new Set<(event: EngineEvent) => void>()
  answer: (command: Command) => Promise<Reply> = (command) => Promise.resolve(successFor(command))
  catalogue: ButtonsAnswer = { buttons: [] }
  state: StatusAnswer = STATUS

  execute(command: Command): Promise<Reply> {
    this.commands.push(command)
    return this.answer(command)
  }

  execution(executionId: string): Execution | null {
    return executionId === RUN ? EXECUTION : null
  }

  buttons(): ButtonsAnswer {
    return this.catalogue
  }

  status(): StatusAnswer {
    return this.state
  }

  subscribe(listener: (event: EngineEvent) => void): () => void {
    this.listeners.add(listener)
    return () => this.listeners.delete(listener)
  }

  tell(event: EngineEvent): void {
    for (const listener of this.listeners) listener(event)
  }
}
