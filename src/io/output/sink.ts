// Where sound goes, as it is written in a configuration and told in the status.

/** A device, a file `wav:/absolute/path`, or nowhere but in real time. */
export type Sink = 'speaker' | 'null' | `wav:${string}`

const WAV = 'wav:'

/** The file that a sink records into; null where it is no file. */
export const wavPath = (sink: string | null): string | null =>
  sink?.startsWith(WAV) === true ? sink.slice(WAV.length) : null
