// Takes presses: guards each button, sends what a press means, and tells what became of it.
//
// Nothing is ever queued. A press is sent in the very call that takes it, or it is not sent at all.
import type { Command, PauseOrResume, Press } from './press.js'
import { requestOf } from './press.js'
import { send, type Outcome, type Sending, type SenderPorts } from './sender.js'

/** Why a press was not taken; the button shows it for a moment. */
export type Ignored = 'guard' | 'coming' | 'no_connection'

export interface PressPorts extends SenderPorts {
  now(): number
}

export interface PressListener {
  /** Taken: the button shows it in the next frame. */
  pressed(buttonId: string): void
  ignored(buttonId: string, why: Ignored): void
  /** A press of this button has its answer. */
  settled(buttonId: string, outcome: Outcome, command: Command): void
  told(buttonId: string, message: string): void
  opened(playlistId: string): void
}

export class PressMachine {
  readonly #ports: PressPorts
  readonly #listener: PressListener
  /** Until when a button, or a control of a run, takes no other press. */
  readonly #guarded = new Map<string, number>()
  readonly #flights = new Map<string, Set<Sending>>()
  #isConnected = false

  /** @param guardMs for so long after a press a button takes no other. */
  constructor(ports: PressPorts, listener: PressListener, public guardMs: number) {
    this.#ports = ports
    this.#listener = listener
  }

  /** A loss takes back what has no answer yet: it must not come true when the daemon is back. */
  set isConnected(isConnected: boolean) {
    this.#isConnected = isConnected
    if (!isConnected) this.takeBackAll()
  }

  get isConnected(): boolean {
    return this.#isConnected
  }

  isPending(buttonId: string): boolean {
    return this.#flights.has(buttonId)
  }

  /** A press by hand, guarded. What opens a playlist or only says something needs no connection. */
  press(buttonId: string, press: Press): void {
    if (press.kind === 'open') return this.#listener.opened(press.playlistId)
    if (press.kind === 'tell') return this.#listener.told(buttonId, press.message)
    if (!this.#isConnected) return this.#listener.ignored(buttonId, 'no_connection')
    if (this.#isGuarded(buttonId)) return this.#listener.ignored(buttonId, 'guard')
    if (press.kind === 'nothing') return
    if (press.command.kind !== 'stop' && this.isPending(buttonId)) {
      return this.#listener.ignored(buttonId, 'coming')
    }
    this.#guard(buttonId)
    this.#send(buttonId, press.command)
  }

  /** Pause and Resume of one run, which stand in one place: two clicks would undo each other. */
  turn(command: PauseOrResume): void {
    const { buttonId, executionId } = command
    if (!this.#isConnected) return this.#listener.ignored(buttonId, 'no_connection')
    if (this.#isGuarded(executionId)) return this.#listener.ignored(buttonId, 'guard')
    this.#guard(executionId)
    this.#send(buttonId, command)
  }

  /** A choice of a menu: deliberate, so not guarded; inert without a connection all the same. */
  choose(buttonId: string, command: Command): void {
    if (!this.#isConnected) return this.#listener.ignored(buttonId, 'no_connection')
    this.#send(buttonId, command)
  }

  /** A panic, or a loss: nothing that was pressed before may start anything after it. */
  takeBackAll(): void {
    for (const flights of this.#flights.values()) {
      for (const sending of flights) sending.takeBack()
    }
  }

  #isGuarded(id: string): boolean {
    return this.#ports.now() < (this.#guarded.get(id) ?? -Infinity)
  }

  #guard(id: string): void {
    const now = this.#ports.now()
    // Runs are new each time: what is over is let go.
    for (const [each, until] of this.#guarded) if (until <= now) this.#guarded.delete(each)
    this.#guarded.set(id, now + this.guardMs)
  }

  #send(buttonId: string, command: Command): void {
    const { path, body } = requestOf(command)
    const sending = send(this.#ports, path, body)
    const flights = this.#flights.get(buttonId) ?? new Set()
    flights.add(sending)
    this.#flights.set(buttonId, flights)
    this.#listener.pressed(buttonId)
    void sending.outcome.then((outcome) => {
      flights.delete(sending)
      if (flights.size === 0) this.#flights.delete(buttonId)
      this.#listener.settled(buttonId, outcome, command)
    })
  }
}
