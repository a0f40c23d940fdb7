// What the daemon and its log process say to each other: plain data.

/** The descriptors that the log process writes to: stdout and stderr. */
export type LogTarget = 1 | 2

/** How lines stand on stderr: as JSON for programs, or for people at a terminal. */
export const LOG_FORMATS = ['json', 'pretty'] as const
export type LogFormat = (typeof LOG_FORMATS)[number]

export interface ToLogProcess {
  readonly target: LogTarget
  readonly text: string
}

/**
 * What became of the batch that was out for this target; `failure`: null where it is written. The
 * first message tells that the process runs.
 */
export type FromLogProcess =
  | { readonly isUp: true }
  | { readonly target: LogTarget; readonly failure: string | null }
