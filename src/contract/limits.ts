// Every limit of the API and of the engine, with its unit in its name (8).

export const LIMITS = {
  bodyBytes: 1024,
  fadeMsMax: 60_000,
  crossfadeMsMax: 60_000,
  portMin: 1024,
  portMax: 65_535,
  /** How long a picture comes and goes on the stage. */
  dissolveMsMax: 10_000,
  /** Of the grid of a wall. */
  columnsMin: 2,
  columnsMax: 12,
  gainDbMin: -60,
  gainDbMax: 12,
  /** A decoded stereo f32 head that a loop's overlap may take (3.4.8). */
  loopHeadBytes: 32 * 1024 * 1024,
  terminalRetentionMs: 10 * 60_000,
  commandsWaiting: 16,
  /** At once, beside those of `/live`; wire/connections tells which gives way to another. */
  connections: 512,
  /** On one connection, beside the first; others wait in their order, and nothing more is read. */
  requestsUnanswered: 16,
  /** A command that was not done by then is answered with `command_failed`, by the engine. */
  commandDeadlineMs: 5_000,
  /** The server's own deadline: an engine that says nothing has failed. */
  commandAnswerMs: 6_000,
  /** The last one, for a thread that is gone and never answers. */
  commandLinkMs: 7_000,
  dmxDriftMs: 100,
  sequenceMax: Number.MAX_SAFE_INTEGER,
  titleCharacters: 1_000,
  /** Events that can be told again to a reader that comes back (6). */
  eventsKept: 4_096,
  eventReaders: 256,
  /** A reader that has stopped reading is cut when so many more have happened. */
  eventsBehind: 1_024,
  /** Well below the time after which a silent connection is closed. */
  eventHeartbeatMs: 15_000,
  eventMessageCharacters: 1_000,
  idempotencyKeys: 10_000,
  idempotencyKeyCharacters: 128,
  idempotencyMs: 10 * 60_000,
} as const

export const DEFAULTS = { host: '127.0.0.1', port: 47_831, apiPrefix: '/api/v1' } as const
