// Every limit of the API and of the engine, with its unit in its name (8).

export const LIMITS = {
  bodyBytes: 1024,
  fadeMsMax: 60_000,
  crossfadeMsMax: 60_000,
  portMin: 1024,
  portMax: 65_535,
  gainDbMin: -60,
  gainDbMax: 12,
  /** A decoded stereo f32 head that a loop's overlap may take (3.4.8). */
  loopHeadBytes: 32 * 1024 * 1024,
  terminalRetentionMs: 10 * 60_000,
  commandsWaiting: 16,
  commandDeadlineMs: 5_000,
  dmxDriftMs: 100,
  sequenceMax: Number.MAX_SAFE_INTEGER,
  titleCharacters: 1_000,
} as const

export const DEFAULTS = { host: '127.0.0.1', port: 47_831, apiPrefix: '/api/v1' } as const
