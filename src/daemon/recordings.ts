// What the daemon records into: the flight recorder it asks for, and files that are always new.
import type { Logger } from 'pino'
import type { Timers } from '../clock/timers.js'
import { DEFAULT_ENGINE } from '../engine/engine.js'
import { recordingFault } from '../io/files/new-file.js'
import { Recorder, RECORDER_DEFAULTS } from '../recording/recorder.js'
import { RECORDING_VERSION, type RecordingHeader } from '../recording/recording.js'
import { version } from './package.js'

export const recorderFor = (
  { record: file, timers }: { readonly record: string | null; readonly timers: Timers },
  made: Pick<RecordingHeader, 'seed' | 'dmxAllowed' | 'show'>, log: Logger,
): Recorder | null => {
  if (file === null) return null
  const { origin, retentionMs, loopHeadBytes } = DEFAULT_ENGINE
  return new Recorder({
    ...RECORDER_DEFAULTS,
    file,
    wallMs: () => timers.wallMs(),
    header: {
      kind: 'cartwall-recording', version: RECORDING_VERSION, cartwall: version(),
      startedAt: new Date(timers.wallMs()).toISOString(),
      origin, retentionMs, loopHeadBytes, ...made,
    },
    failed: (message) => {
      log.error({ file, detail: message }, 'the flight recorder stopped; the show goes on')
    },
  })
}

/** Null where each may be recorded into. */
export const recordingsFault = async (
  paths: readonly (string | null)[],
): Promise<string | null> => {
  for (const path of paths) {
    const fault = path === null ? null : await recordingFault(path)
    if (fault !== null) return `cannot record: ${fault}`
  }
  return null
}

/** What an operator reads where an earlier recording has the name; null where it was free. */
export const keptLine = (asked: string | null, made: string | null): string | null =>
  asked === null || made === null || made === asked
    ? null
    : `${asked} is there already and is kept: recording to ${made}`
