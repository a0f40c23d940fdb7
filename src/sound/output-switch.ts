// The output of the sound thread: opened before the show is there, replaced without a device.
import type { Timers } from '../clock/timers.js'
import { MASTER_LOOK_AHEAD } from '../engine/sound/master.js'
import type { StereoBlock } from '../engine/ports.js'
import { NullOutput } from '../io/output/null-output.js'
import type { Output, OutputCallbacks, OutputStats, Renderer } from '../io/output/output.js'
import { wavPath } from '../io/output/sink.js'
import { startSpeakerProcess } from '../io/speaker/speaker-child.js'
import {
  SPEAKER_OPTIONS, SpeakerOutput, type SpeakerOptions,
} from '../io/speaker/speaker-output.js'
import { fixedTarget, TARGET_LIMITS } from '../io/speaker/speaker-target.js'
import type { StartSoundProcess } from '../io/speaker/speaker-wire.js'
import { WavOutput } from '../io/output/wav-output.js'
import { urgentThreads } from '../io/thread-priority.js'
import type { Opening } from './sound-messages.js'

/** Whoever fills the output and hears what becomes of it; a device that is absent is lost to it. */
export interface OutputOwner extends Renderer, Omit<OutputCallbacks, 'absent'> {
  foresee(into: StereoBlock, count: number, isAnew: boolean): number
  /** Once: the output is open or known to be away; with what an operator should read. */
  ready(note: string | null): void
}

/** How a sound process is started, and what it said is read. */
export interface SpeakerWays extends Pick<SpeakerOptions, 'afterReading'> {
  readonly startProcess: StartSoundProcess
}

const REAL_WAYS: SpeakerWays = {
  startProcess: startSpeakerProcess, afterReading: SPEAKER_OPTIONS.afterReading,
}

/** What an output has to say before there is an owner is little: more than this is passed over. */
const EARLY_NOTICES_MAX = 20

/** At boot, before the sound server, that is how an evening begins. */
const HEARD_BY_NOBODY = 'playing to the null sink, nothing will be heard until the next start; '
  + 'with audio.sink "speaker" a device is waited for'

export class OutputSwitch {
  readonly #opening: Opening
  #output: Output
  #owner: OutputOwner | null = null
  /** Whether the output told its first outcome yet, and how it stands now. */
  #isKnown = false
  #lost: string | null = null
  #isReady = false
  #note: string | null = null
  readonly #notices: string[] = []

  constructor(
    opening: Opening, private readonly timers: Timers,
    private readonly speaker: SpeakerWays = REAL_WAYS,
  ) {
    this.#opening = opening
    this.#output = this.#made()
    // A device that was named is wanted: it is waited for, as a sink that was named is.
    this.#open(opening.sink === null && opening.device === null)
  }

  /** From here on the engine fills the output; what was told before is told now. */
  attach(owner: OutputOwner): void {
    this.#owner = owner
    for (const message of this.#notices.splice(0)) owner.notice(message)
    if (this.#isKnown) this.#tellOutcome()
  }

  wake(): void {
    this.#output.wake()
  }

  meet(act: () => void): void {
    this.#output.meet(act)
  }

  stats(): OutputStats {
    return this.#output.stats()
  }

  stop(): Promise<void> {
    return this.#output.stop()
  }

  #made(): Output {
    const { sink, device, bufferMs } = this.#opening
    const renderer: Renderer = {
      render: (into, count) => {
        if (this.#owner === null) silence(into, count)
        else this.#owner.render(into, count)
      },
      quiet: () => this.#owner?.quiet() ?? true,
      foresee: (into, count, isAnew) => this.#owner?.foresee(into, count, isAnew) ?? 0,
      lookAhead: MASTER_LOOK_AHEAD,
    }
    if (sink === 'null' || this.#note !== null) return new NullOutput(renderer, this.timers)
    const file = wavPath(sink)
    if (file !== null) return new WavOutput(renderer, file, this.timers)
    const target = bufferMs === null ? TARGET_LIMITS : fixedTarget(bufferMs)
    const { startProcess, afterReading } = this.speaker
    const options = { device, target, urgentThreads: urgentThreads(), afterReading }
    return new SpeakerOutput(renderer, options, this.timers, startProcess)
  }

  /** With no sink named, a machine without a device runs its show silently, and says so. */
  #open(mayFallBack: boolean): void {
    this.#output.start({
      back: () => {
        this.#lost = null
        this.#tellOutcome()
      },
      lost: (message) => {
        this.#lost = message
        this.#tellOutcome()
      },
      absent: (message) => {
        if (mayFallBack) {
          void this.#fallBack(message)
          return
        }
        if (this.#lost !== null) return
        this.#lost = message
        this.#tellOutcome()
      },
      notice: (message) => {
        if (this.#owner !== null) this.#owner.notice(message)
        else if (this.#notices.length < EARLY_NOTICES_MAX) this.#notices.push(message)
      },
    })
  }

  async #fallBack(message: string): Promise<void> {
    this.#note = `no sound device (${message}): ${HEARD_BY_NOBODY}`
    await this.#output.stop()
    this.#output = this.#made()
    // Whoever started the daemon read by then that the device takes long.
    if (this.#isReady) this.#owner?.notice(this.#note)
    this.#open(false)
  }

  #named(): string {
    const { device } = this.#opening
    return device === null ? '' : `"${device}", see \`cartwall devices\`: `
  }

  #tellOutcome(): void {
    this.#isKnown = true
    const owner = this.#owner
    if (owner === null) return
    if (this.#lost === null) owner.back()
    else owner.lost(this.#lost)
    if (this.#isReady) return
    this.#isReady = true
    owner.ready(this.#lost === null
      ? this.#note
      : `no sound output (${this.#named()}${this.#lost}); it is tried again until it opens`)
  }
}

const silence = (into: StereoBlock, count: number): void => {
  into.left.fill(0, 0, count)
  into.right.fill(0, 0, count)
}
