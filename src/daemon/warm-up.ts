// Answers requests of its own before the first press comes.
//
// V8 compiles what has run for a while. Until then a press out of the blue takes twice as long from
// its request to the engine as it does after some thousand. So the main thread goes through them
// once it serves, by the same code, over a player that does nothing and a connection that nobody
// else has; the sound thread has a warm-up of its own.
import { Duplex } from 'node:stream'
import type { FastifyInstance } from 'fastify'
import pino from 'pino'
import { buildServer } from '../api/server.js'
import type { Timers } from '../clock/timers.js'
import type { Execution, StatusAnswer } from '../contract/schemas.js'
import type { Command, Reply } from '../engine/commands/commands.js'
import type { Player } from '../engine/player.js'

/** Who asks for something meanwhile waits for so long, and for one request more, at most. */
const TURN_MS = 2
const APART_MS = 8
/** Of the four requests below. */
const ROUNDS = 1_000

const AUTHORITY = '127.0.0.1:1'
const BUTTON = '00000000-0000-4000-8000-000000000001'
const RUN = '00000000-0000-4000-8000-000000000002'

const requestOf = (method: string, path: string, body = ''): Buffer => {
  const type = body === '' ? '' : 'Content-Type: application/json\r\n'
  const length = method === 'GET' ? '' : `Content-Length: ${body.length}\r\n`
  return Buffer.from(
    `${method} /api/v1${path} HTTP/1.1\r\nHost: ${AUTHORITY}\r\n${type}${length}\r\n${body}`)
}

const NAMED = JSON.stringify({ executionId: RUN })
const REQUESTS = [
  requestOf('POST', `/buttons/${BUTTON}/play`),
  requestOf('POST', `/buttons/${BUTTON}/pause`, NAMED),
  requestOf('POST', `/buttons/${BUTTON}/resume`, NAMED),
  requestOf('GET', `/executions/${RUN}`),
]

/**
 * In turns of the thread, to its end or until it is not wanted any more. Resolves with how many
 * answers there were of each status.
 */
export const warmUp = async (
  timers: Timers, isWanted: () => boolean,
): Promise<ReadonlyMap<number, number>> => {
  const answers = new Map<number, number>()
  const app = trialServer(timers)
  const connection = new TrialConnection()
  const over = new Promise<void>((resolve, reject) => {
    let left = ROUNDS * REQUESTS.length
    let turnEnds = 0
    const ask = (): void => {
      left -= 1
      connection.push(REQUESTS[left % REQUESTS.length])
    }
    const goOn = (): void => {
      if (left === 0 || !isWanted()) resolve()
      else if (timers.nowMs() < turnEnds) ask()
      else {
        timers.background.after(APART_MS, () => {
          turnEnds = timers.nowMs() + TURN_MS
          ask()
        })
      }
    }
    app.addHook('onResponse', (_request, { statusCode }, done) => {
      answers.set(statusCode, (answers.get(statusCode) ?? 0) + 1)
      done()
      goOn()
    })
    connection.once('error', reject)
    app.ready().then(() => {
      app.server.emit('connection', connection)
      goOn()
    }, reject)
  })
  try {
    await over
  } finally {
    connection.destroy()
    await app.close()
  }
  return answers
}

/** Takes requests, and throws their answers away. */
class TrialConnection extends Duplex {
  override _read(): void {
    // Requests come when they are sent.
  }

  override _write(_chunk: unknown, _encoding: BufferEncoding, done: () => void): void {
    done()
  }
}

const trialServer = (timers: Timers): FastifyInstance => buildServer({
  timers, player: new TrialPlayer(), authority: AUTHORITY,
  logger: pino({ base: null }, { write: () => undefined }),
  entitled: () => true, checksAnswers: false, shuttingDown: () => false, origins: 'any',
  live: null, pages: null,
})

const EXECUTION: Execution = {
  executionId: RUN, buttonId: BUTTON, state: 'playing', positionMs: 0, durationMs: 1_000,
  endReason: null, startMs: 0, endMs: null, starvedMs: 0,
}

class TrialPlayer implements Player {
  execution(): Execution {
    return EXECUTION
  }

  execute({ kind }: Command): Promise<Reply> {
    return Promise.resolve(kind === 'play'
      ? {
          ok: true, status: 202,
          body: {
            result: 'accepted', id: BUTTON, executionId: RUN, dmxAllowed: false,
            dmxExecutionId: null,
          },
        }
      : { ok: true, status: 200, body: EXECUTION })
  }

  buttons(): never {
    throw new Error('nobody asks for them')
  }

  status(): StatusAnswer {
    throw new Error('nobody asks for it')
  }

  subscribe(): () => void {
    return () => undefined
  }
}
