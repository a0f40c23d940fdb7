// The runs that a client has heard of, and the commands that a scenario means by them.
import type { Command } from '../../src/engine/commands/commands.js'
import type { EngineEvent } from '../../src/engine/events.js'
import { optionsOf } from '../oracle/model/shapes.js'
import type { Op, RunRef, Scenario } from '../scenario/scenario.js'
import { buttonId, UNKNOWN_ID, type Naming } from '../scenario/show.js'
import { push } from '../world/lists.js'

export type CommandOp = Extract<
  Op, { op: 'play' | 'restart' | 'pause' | 'resume' | 'stop' | 'panic' | 'sync' }
>

export const isCommand = (op: Op): op is CommandOp =>
  'options' in op || 'fadeMs' in op || op.op === 'sync'

export class KnownRuns {
  /** Every run of a button, and of its lights, in order of birth. */
  readonly #runs = new Map<string, string[]>()
  readonly #lights = new Map<string, string[]>()
  readonly #all: string[] = []
  readonly #sequences = new Map<string, number>()
  readonly #buttons: number

  /** @param lightsAt the frame at which the lights of a button stand; 0 where they are off. */
  constructor(
    lists: Scenario['lists'], private readonly naming: Naming,
    private readonly lightsAt: (buttonId: string) => number,
  ) {
    this.#buttons = lists.reduce((sum, { buttons }) => sum + buttons.length, 0)
  }

  hear(event: EngineEvent): void {
    if (event.kind === 'run' && event.state === 'starting') {
      push(this.#runs, event.buttonId, event.executionId)
      this.#all.push(event.executionId)
    }
    if (event.kind === 'dmx') {
      const { buttonId: button, dmxExecutionId } = event
      const last = this.#lights.get(button)?.at(-1)
      if (last !== dmxExecutionId) push(this.#lights, button, dmxExecutionId)
    }
  }

  /** The executions that began last. */
  latest(count: number): readonly string[] {
    return this.#all.slice(-count)
  }

  commandOf(op: CommandOp): Command {
    if (op.op === 'panic') return { kind: 'panic', fadeOutMs: op.fadeMs }
    const button = buttonId(op.button % this.#buttons, this.naming)
    if (op.op === 'sync') return this.#syncOf(button, op)
    if ('options' in op) return { kind: op.op, buttonId: button, options: optionsOf(op.options) }
    const own = { buttonId: button, fadeOutMs: op.fadeMs }
    if (op.run === null) return { kind: 'stop', executionId: null, ...own }
    const executionId = this.#runOf(button, op.run)
    return op.op === 'resume'
      ? { kind: 'resume', buttonId: button, executionId, fadeInMs: op.fadeMs }
      : { kind: op.op, executionId, ...own }
  }

  #syncOf(buttonId: string, op: Extract<Op, { op: 'sync' }>): Command {
    const executionId = this.#lightsOf(buttonId, op.run)
    const here = this.lightsAt(buttonId) / 48
    const positionMs = 'ms' in op.at ? op.at.ms : Math.max(0, here - op.at.driftMs)
    const sequence = Math.max(0, (this.#sequences.get(executionId) ?? 0) + op.step)
    if (op.step > 0) this.#sequences.set(executionId, sequence)
    const { isPlaying, forceSeek } = op
    return { kind: 'sync', buttonId, executionId, sequence, positionMs, isPlaying, forceSeek }
  }

  #runOf(button: string, ref: RunRef): string {
    const own = this.#runs.get(button) ?? []
    const other = (): string | undefined => this.#all.findLast((id) => !own.includes(id))
    return named(ref, own, this.#lights.get(button), other)
  }

  #lightsOf(button: string, ref: RunRef): string {
    const other = (): string | undefined =>
      [...this.#lights].findLast(([one]) => one !== button)?.[1].at(-1)
    return named(ref, this.#lights.get(button) ?? [], this.#runs.get(button), other)
  }
}

/** An id by what it is to a button: of its own, of its counterpart's, of another button's. */
const named = (
  ref: RunRef, own: readonly string[], counterpart: readonly string[] | undefined,
  other: () => string | undefined,
): string => {
  const ids = {
    live: () => own.at(-1), older: () => own.at(-2) ?? own.at(-1),
    lights: () => counterpart?.at(-1), other, unknown: () => undefined,
  }
  return ids[ref]() ?? UNKNOWN_ID
}
