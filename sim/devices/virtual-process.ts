// The sound process on the virtual clock: the code of the real one, between two pipes.
import { liveSession } from '../../src/io/speaker/speaker-session.js'
import type { Cancel } from '../../src/clock/timers.js'
import type { VirtualTimers } from '../../src/clock/virtual.js'
import type {
  Line, SoundProcess, SoundProcessListener, SpeakerArguments,
} from '../../src/io/speaker/speaker-wire.js'
import type { VirtualDevice } from './virtual-device.js'
import type { VirtualThread } from './virtual-thread.js'

export interface ProcessSetting {
  readonly world: VirtualTimers
  readonly device: VirtualDevice
  /** Its owner's thread and its own. */
  readonly owner: VirtualThread
  readonly own: VirtualThread
  /** How long a pipe takes, and a start. */
  readonly pipeMs: () => number
  readonly startMs: number
}

export class VirtualProcess implements SoundProcess {
  readonly #steps
  /** On its way, and there; null is the end. */
  readonly #sent: (Uint8Array | null)[] = []
  readonly #input: (Uint8Array | null)[] = []
  /** What it said and nobody has read: whoever comes late reads it as one. */
  #said = ''
  #wait: { readonly input: boolean; readonly cancel: Cancel } | null = null
  #alive = true

  constructor(
    readonly setting: ProcessSetting, wanted: SpeakerArguments,
    private readonly listener: SoundProcessListener,
  ) {
    const { world, own, device } = setting
    this.#steps = liveSession(
      device.addon(), wanted, (into) => this.#read(into), own.timers, (line) => this.#say(line),
    )
    world.after(setting.startMs, () => own.run(() => this.#goOn(false)))
  }

  pid(): number {
    return 1
  }

  send(bytes: Uint8Array): void {
    this.#arrive(bytes)
  }

  end(): void {
    this.#arrive(null)
  }

  /** Also what happens to one that crashes. */
  kill(): void {
    if (this.#alive) this.#leave('SIGKILL')
  }

  #arrive(bytes: Uint8Array | null): void {
    this.#sent.push(bytes)
    const { world, own, pipeMs } = this.setting
    world.after(pipeMs(), () => {
      // It lies in the pipe, whether the process is held up or not.
      this.#input.push(this.#sent.shift()!)
      own.run(() => {
        if (this.#wait?.input !== true || this.#input.length === 0) return
        this.#wait.cancel()
        this.#goOn(true)
      })
    })
  }

  #goOn(isReadable: boolean): void {
    this.#wait = null
    let readable = isReadable
    while (this.#alive) {
      const step = this.#steps.next(readable)
      if (step.done === true) {
        if (step.value !== null) this.#say({ kind: 'ended', message: step.value })
        return this.#leave('code 0')
      }
      const { input, ms } = step.value
      readable = input && this.#input.length > 0
      if (readable) continue
      const goOn = (): void => this.#goOn(input && this.#input.length > 0)
      this.#wait = { input, cancel: this.setting.own.timers.after(ms, goOn) }
      return
    }
  }

  #read(into: Buffer): number {
    const first = this.#input.shift() ?? null
    if (first === null) return 0
    // A message may be cut anywhere; its rest is there at once.
    const cut = 1 + Math.floor((this.setting.pipeMs() * 1e6) % first.length)
    const count = Math.min(cut, into.length)
    into.set(first.subarray(0, count))
    if (count < first.length) this.#input.unshift(first.subarray(count))
    return count
  }

  #say(line: Line): void {
    this.#said += `${JSON.stringify(line)}\n`
    const { world, pipeMs, owner } = this.setting
    world.after(pipeMs(), () => owner.run(() => this.#hand()))
  }

  #hand(): void {
    const text = this.#said
    this.#said = ''
    if (text !== '') this.listener.heard(text)
  }

  #leave(how: string): void {
    this.#alive = false
    this.setting.own.end()
    this.setting.device.close()
    this.setting.world.after(this.setting.pipeMs() + 1, () => this.setting.owner.run(() => {
      this.#hand()
      this.listener.ended(how)
    }))
  }
}
