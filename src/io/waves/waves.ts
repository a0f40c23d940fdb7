// The waveforms of a show: asks for them file by file in the background, and tells those it has.
//
// First those that are kept from another time, which is a matter of a second or two; then the
// others are made, one at a time, while nothing starts and no head is being armed.
import type { Cancel, Timers } from '../../clock/timers.js'
import { BackOff, waited } from '../../clock/waiting.js'
import type { Tagged } from '../../contract/page-file.js'
import { WAVE_COLUMNS, writeWaves } from '../../contract/waves.js'
import { tagged } from '../files/page-files.js'
import type { WaveCache } from './wave-cache.js'
import type { WaveLink, WaveRange } from './wave-messages.js'

/** A button that has sound. */
export interface WavedButton extends WaveRange {
  readonly id: string
  readonly path: string
}

export interface WavesOptions {
  readonly timers: Timers
  readonly link: WaveLink
  readonly cache: WaveCache
  /** Whether sound needs the processor now: something starts, or heads are being armed. */
  readonly isBusy: () => boolean
}

interface Wave {
  /** Of the whole one; null where it is not kept. */
  readonly key: string | null
  /** By range. */
  readonly peaks: ReadonlyMap<string, Uint8Array>
}

/** How often it is looked whether sound needs the processor. */
const LOOK_MS = 100
/** A file whose disk did not answer is asked for again after this, and ever more rarely. */
const AGAIN_MS_MIN = 10_000
const AGAIN_MS_MAX = 300_000

export class Waves {
  readonly #options: WavesOptions
  #buttons = new Map<string, WavedButton>()
  #ranges = new Map<string, Map<string, WaveRange>>()
  readonly #waves = new Map<string, Wave>()
  /** Where pictures go on after their sound; 0: they do not. */
  readonly #picturesEnd = new Map<string, number>()
  /** Files to be asked for, in the order in which they were learnt. */
  readonly #unasked = new Set<string>()
  readonly #unmade = new Set<string>()
  /** Nothing is known of these for now; what they had stays. */
  readonly #away = new Set<string>()
  /** The file that is asked for, unless it is gone or has no sound since. */
  #asking: string | null = null
  readonly #pause = new BackOff(AGAIN_MS_MIN, AGAIN_MS_MAX)
  #again: Cancel | null = null
  #written: Tagged | null = null
  #isWorking = false
  #isClosed = false

  constructor(options: WavesOptions) {
    this.#options = options
  }

  /** The show's buttons; a file whose ranges changed is asked for again when it is learnt. */
  setButtons(buttons: readonly WavedButton[]): void {
    this.#buttons = new Map(buttons.map((button) => [button.id, button]))
    this.#ranges = new Map()
    for (const button of buttons) {
      const ranges = this.#ranges.get(button.path) ?? new Map<string, WaveRange>()
      this.#ranges.set(button.path, ranges.set(nameOf(button), button))
    }
    for (const known of [this.#waves, this.#picturesEnd]) {
      for (const path of known.keys()) if (!this.#ranges.has(path)) known.delete(path)
    }
    this.#written = null
  }

  /** The file is there and has sound, after which pictures may go on. */
  learn(path: string, picturesEnd = this.#picturesEnd.get(path) ?? 0): void {
    if (this.#isClosed) return
    this.#picturesEnd.set(path, picturesEnd)
    this.#unmade.delete(path)
    this.#away.delete(path)
    this.#unasked.add(path)
    if (!this.#isWorking) void this.#work()
  }

  /** The file is not there, or has no sound. */
  miss(path: string): void {
    if (this.#asking === path) this.#asking = null
    this.#unasked.delete(path)
    this.#unmade.delete(path)
    this.#away.delete(path)
    this.#picturesEnd.delete(path)
    if (this.#waves.delete(path)) this.#written = null
  }

  /** The body of /waves. */
  body(): Tagged {
    this.#written ??= tagged(Buffer.from(writeWaves(this.#small()).buffer))
    return this.#written
  }

  /** The whole waveform of a button; null where there is none by now. */
  async whole(buttonId: string): Promise<Tagged | null> {
    const path = this.#buttons.get(buttonId)?.path ?? ''
    const wave = this.#waves.get(path)
    if (wave === undefined || wave.key === null) return null
    const dat = await this.#options.cache.read(wave.key)
    if (dat !== null) return { bytes: dat, etag: `"${wave.key}"` }
    // It was kept, and somebody cleared the folder since: it is made again.
    if (this.#waves.get(path) === wave) this.learn(path)
    return null
  }

  close(): void {
    this.#isClosed = true
    this.#again?.()
    this.#options.link.rest()
  }

  #small(): ReadonlyMap<string, Uint8Array> {
    const small = new Map<string, Uint8Array>()
    for (const button of this.#buttons.values()) {
      const peaks = this.#waves.get(button.path)?.peaks.get(nameOf(button))
      if (peaks?.length === WAVE_COLUMNS) small.set(button.id, peaks)
    }
    return small
  }

  async #work(): Promise<void> {
    const { link, timers } = this.#options
    this.#isWorking = true
    const endWatch = timers.background.every(LOOK_MS, () => link.hold(this.#options.isBusy()))
    while (!this.#isClosed && this.#unasked.size + this.#unmade.size > 0) {
      const [known] = this.#unasked
      const [unmade] = this.#unmade
      if (known !== undefined) await this.#ask(known, false)
      // A turn of the watch; it keeps no process alive.
      else if (this.#options.isBusy()) await waited(timers.background, LOOK_MS)
      else if (unmade !== undefined) await this.#ask(unmade, true)
    }
    endWatch()
    this.#isWorking = false
    link.rest()
    this.#askAgain()
  }

  #askAgain(): void {
    if (this.#away.size === 0) this.#pause.restart()
    if (this.#away.size === 0 || this.#again !== null || this.#isClosed) return
    this.#again = this.#options.timers.background.after(this.#pause.nextMs(), () => {
      this.#again = null
      for (const path of [...this.#away]) this.learn(path)
    })
  }

  async #ask(path: string, makes: boolean): Promise<void> {
    this.#unasked.delete(path)
    this.#unmade.delete(path)
    this.#away.delete(path)
    const ranges = this.#ranges.get(path)
    if (ranges === undefined) return
    this.#asking = path
    const answer = await this.#options.link.ask({
      path, makes, ranges: [...ranges.values()].map(({ from, to }) => ({ from, to })),
      picturesEnd: this.#picturesEnd.get(path) ?? 0,
    })
    if (this.#asking !== path) return
    this.#asking = null
    // A show that was replaced meanwhile asks again with its own ranges.
    if (answer.kind === 'unmade') this.#unmade.add(path)
    if (answer.kind === 'away') this.#away.add(path)
    if (answer.kind === 'unmade' || answer.kind === 'away' || this.#isClosed) return
    this.#written = null
    if (answer.kind === 'none') this.#waves.delete(path)
    else this.#waves.set(path, { key: answer.key, peaks: named(ranges, answer.peaks) })
  }
}

const named = (
  ranges: ReadonlyMap<string, WaveRange>, peaks: readonly Uint8Array[],
): ReadonlyMap<string, Uint8Array> => {
  const all = new Map<string, Uint8Array>()
  for (const [n, name] of [...ranges.keys()].entries()) {
    const each = peaks[n]
    if (each !== undefined) all.set(name, each)
  }
  return all
}

const nameOf = ({ from, to }: WaveRange): string => `${from}-${to ?? 'end'}`
