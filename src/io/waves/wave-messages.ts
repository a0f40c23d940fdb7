// What is said to the process that makes waveforms, and what it answers, as data.

/** A part of a source, in frames; `to` null: to its end. */
export interface WaveRange {
  readonly from: number
  readonly to: number | null
}

export interface WaveQuestion {
  readonly id: number
  readonly path: string
  /** Whether a waveform that is not kept is to be made. */
  readonly makes: boolean
  readonly ranges: readonly WaveRange[]
  /** Where its pictures end, if they go on after the sound; 0: they do not. */
  readonly picturesEnd: number
}

/** As it is asked, before it has a number. */
export type WaveAsked = Omit<WaveQuestion, 'id'>

export type ToWaveHost =
  | { readonly kind: 'ask'; readonly folder: string; readonly question: WaveQuestion }
  /** Whether to leave the processor alone for the moment. */
  | { readonly kind: 'hold'; readonly holds: boolean }

export type WaveAnswer =
  /** Small waveforms of the ranges, in their order, and under which key the whole one is kept. */
  | {
      readonly kind: 'wave'
      /** Null where it could not be kept. */
      readonly key: string | null
      readonly peaks: readonly Uint8Array[]
    }
  /** It is not kept; only where it was not to be made. */
  | { readonly kind: 'unmade' }
  /** Missing, no sound, damaged, too long: it has no waveform. */
  | { readonly kind: 'none' }
  /** Nobody knows for now: its disk does not answer, or a process is gone or hangs. */
  | { readonly kind: 'away' }

export interface FromWaveHost {
  readonly id: number
  readonly answer: WaveAnswer
}

/** Whoever has waveforms made. */
export interface WaveLink {
  /** Settles whatever happens. */
  ask(question: WaveAsked): Promise<WaveAnswer>
  /** Whether the processor is left alone for the moment. */
  hold(holds: boolean): void
  /** Ends the process; it is started again at the next question. */
  rest(): void
}
