// Lost answers made safe (7.1): with a key a command is carried out once, however often it is sent.
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { VirtualTimers } from '../../src/clock/virtual.js'
import { ERRORS, type ErrorCode } from '../../src/contract/errors.js'
import { SWEPT_BY_PANIC } from '../../src/engine/commands/panic.js'
import { LIMITS } from '../../src/contract/limits.js'
import type { Reply } from '../../src/engine/commands/commands.js'
import { BUTTON, refusing, RUN, successFor } from '../api/fake-player.js'
import { API, errorOf, listen, serve, type Served } from '../api/served.js'
import { answersIn, talk } from '../devices/raw-socket.js'

let served: Served
let timers: VirtualTimers
beforeEach(() => {
  timers = new VirtualTimers(0)
  served = serve(null, timers)
})
afterEach(async () => {
  await served.app.close()
})

const post = (
  path: string, key: string | null, payload?: object, remoteAddress = '127.0.0.1',
) =>
  served.app.inject({
    method: 'POST', url: `${API}${path}`, remoteAddress,
    headers: {
      host: served.daemon.authority,
      ...(key === null ? {} : { 'idempotency-key': key }),
    },
    ...(payload === undefined ? {} : { payload }),
  })
type Answer = Awaited<ReturnType<typeof post>>
const on = (verb: string): string => `/buttons/${BUTTON}/${verb}`
const isReplay = (answer: Answer): boolean => answer.headers['idempotent-replay'] === 'true'

const SYNC = { executionId: RUN, sequence: 3, positionMs: 5, isPlaying: true }
const COMMANDS: readonly [string, object | undefined][] = [
  [on('play'), undefined], [on('play'), { loop: true }], [on('restart'), { loopCrossfadeMs: 5 }],
  [on('pause'), { executionId: RUN }], [on('resume'), { executionId: RUN, fadeInMs: 5 }],
  [on('stop'), undefined], [on('dmx/sync'), SYNC], ['/stop', { fadeOutMs: 5 }],
]

/** Every start makes a run of its own, so that one answer is told from another. */
const counting = (): void => {
  let runs = 0
  served.player.answer = (command) => {
    const reply = successFor(command)
    if (!reply.ok || !('dmxAllowed' in reply.body)) return Promise.resolve(reply)
    runs += 1
    const executionId = RUN.replace(/.{4}$/, String(runs).padStart(4, '0'))
    return Promise.resolve({ ...reply, body: { ...reply.body, executionId } })
  }
}

describe('the same request with the same key', () => {
  it.each(COMMANDS)('%s %j is carried out once and answered each time', async (path, body) => {
    counting()
    const first = await post(path, 'k', body)
    expect(isReplay(first)).toBe(false)
    for (let n = 0; n < 3; n += 1) {
      const again = await post(path, 'k', body)
      expect([again.statusCode, again.body]).toEqual([first.statusCode, first.body])
      expect(isReplay(again)).toBe(true)
      expect(again.headers['access-control-expose-headers']).toBe('Idempotent-Replay')
    }
    expect(served.player.commands).toHaveLength(1)
    const other = await post(path, 'another', body)
    expect(isReplay(other)).toBe(false)
    expect(served.player.commands).toHaveLength(2)
  })

  it('is the same however its JSON was written', async () => {
    await post(on('pause'), 'k', { executionId: RUN, fadeOutMs: 5 })
    const path = `/buttons/${BUTTON.toUpperCase()}/pause`
    const again = await post(path, 'k', { later: 1, fadeOutMs: 5, executionId: RUN.toUpperCase() })
    expect([again.statusCode, isReplay(again)]).toEqual([200, true])
  })

  it('waits for the first one where that is still carried out', async () => {
    let finish: (reply: Reply) => void = () => undefined
    served.player.answer = () => new Promise((resolve) => (finish = resolve))
    const all = [post(on('play'), 'k'), post(on('play'), 'k'), post(on('play'), 'k')]
    await vi.waitFor(() => expect(served.player.commands).toHaveLength(1))
    finish(successFor(served.player.commands[0]!))
    const answers = await Promise.all(all)
    expect(new Set(answers.map((answer) => `${answer.statusCode} ${answer.body}`)).size).toBe(1)
    expect(answers.map(isReplay).toSorted()).toEqual([false, true, true])
    expect(served.player.commands).toHaveLength(1)
  })

  it('gets the real answer where the first one was told that the player is late', async () => {
    let finish: (reply: Reply) => void = () => undefined
    served.player.answer = () => new Promise((resolve) => (finish = resolve))
    const first = post(on('play'), 'k')
    await vi.waitFor(() => expect(served.player.commands).toHaveLength(1))
    timers.pass(LIMITS.commandDeadlineMs + 2_000)
    expect(errorOf(await first)).toBe('command_failed')
    const second = post(on('play'), 'k')
    await new Promise((resolve) => setImmediate(resolve))
    finish(successFor(served.player.commands[0]!))
    expect([(await second).statusCode, isReplay(await second)]).toEqual([202, true])
    expect(served.player.commands).toHaveLength(1)
  })

  it('is carried out again ten minutes after its first answer, and not before', async () => {
    counting()
    const first = await post(on('play'), 'k')
    timers.pass(LIMITS.idempotencyMs - 1)
    expect((await post(on('play'), 'k')).body).toBe(first.body)
    timers.pass(2)
    const later = await post(on('play'), 'k')
    expect(isReplay(later)).toBe(false)
    expect(later.body).not.toBe(first.body)
    expect(LIMITS.idempotencyMs).toBe(600_000)
  })
})

describe('another request with the same key', () => {
  it('is 409 idempotency_conflict and does nothing', async () => {
    await post(on('play'), 'k', { loop: true })
    const others: [string, object | undefined][] = [
      [on('play'), undefined], [on('play'), { loop: false }], [on('restart'), { loop: true }],
      [on('stop'), undefined], [`/buttons/${RUN}/play`, { loop: true }], ['/stop', undefined],
    ]
    for (const [path, body] of others) {
      const answer = await post(path, 'k', body)
      expect([answer.statusCode, errorOf(answer)]).toEqual([409, 'idempotency_conflict'])
      expect(isReplay(answer)).toBe(false)
    }
    expect(served.player.commands).toHaveLength(1)
  })

  it('is one while the first is still carried out, too', async () => {
    let finish: (reply: Reply) => void = () => undefined
    served.player.answer = () => new Promise((resolve) => (finish = resolve))
    const first = post(on('play'), 'k')
    await vi.waitFor(() => expect(served.player.commands).toHaveLength(1))
    expect(errorOf(await post(on('stop'), 'k'))).toBe('idempotency_conflict')
    finish(successFor(served.player.commands[0]!))
    expect((await first).statusCode).toBe(202)
  })
})

describe('refusals', () => {
  const KEPT: readonly ErrorCode[] = [
    'button_not_found', 'execution_not_found', 'stale_execution', 'execution_not_resumable',
    'media_file_missing', 'dmx_not_active', 'dmx_stale_sequence',
  ]
  const PASSING: readonly ErrorCode[] = [
    'app_busy', 'command_in_progress', 'dmx_initializing', 'command_failed',
    'playback_unavailable', 'shutting_down',
  ]
  it.each(KEPT)('%s is repeated', async (code) => {
    served.player.answer = refusing(code)
    await post(on('play'), 'k')
    served.player.answer = (command) => Promise.resolve(successFor(command))
    const again = await post(on('play'), 'k')
    expect([again.statusCode, errorOf(again), isReplay(again)]).toEqual([ERRORS[code], code, true])
    expect(served.player.commands).toHaveLength(1)
  })

  it.each(PASSING)('%s is tried again', async (code) => {
    served.player.answer = refusing(code)
    expect(errorOf(await post(on('play'), 'k'))).toBe(code)
    served.player.answer = (command) => Promise.resolve(successFor(command))
    const again = await post(on('play'), 'k')
    expect([again.statusCode, isReplay(again)]).toEqual([202, false])
  })

  it('what a panic swept away is never carried out, and says so', async () => {
    served.player.answer = () => Promise.resolve({ ok: false, refusal: SWEPT_BY_PANIC })
    const first = await post(on('play'), 'k')
    served.player.answer = (command) => Promise.resolve(successFor(command))
    const again = await post(on('play'), 'k')
    for (const answer of [first, again]) {
      expect([answer.statusCode, errorOf(answer)]).toEqual([500, 'command_failed'])
      expect(answer.headers['swept-by-panic']).toBe('true')
      expect(answer.headers['access-control-expose-headers']).toContain('Swept-By-Panic')
    }
    expect([isReplay(first), isReplay(again)]).toEqual([false, true])
    expect((await post(on('play'), 'of its own')).statusCode).toBe(202)
  })

  it('a player that throws is asked again', async () => {
    served.player.answer = () => Promise.reject(new Error('planted'))
    expect(errorOf(await post(on('play'), 'k'))).toBe('command_failed')
    served.player.answer = () => {
      throw new Error('planted')
    }
    expect(errorOf(await post(on('play'), 'k'))).toBe('command_failed')
    served.player.answer = (command) => Promise.resolve(successFor(command))
    expect((await post(on('play'), 'k')).statusCode).toBe(202)
  })

  it('what never became a command leaves its key free', async () => {
    expect(errorOf(await post(on('pause'), 'k', {}))).toBe('execution_id_required')
    expect((await post(on('pause'), 'k', { executionId: RUN })).statusCode).toBe(200)
  })
})

describe('keys', () => {
  it.each(['', 'x'.repeat(129), 'a\tb', 'schlüssel', '\u007f'])('%j is none', async (key) => {
    const answer = await post(on('play'), key)
    expect([answer.statusCode, errorOf(answer)]).toEqual([400, 'invalid_playback_request'])
    expect(served.player.commands).toEqual([])
  })

  const GOOD = ['x', 'x'.repeat(128), '!"#~ {}', '__proto__', 'constructor']
  it.each(GOOD)('%j is one', async (key) => {
    expect((await post(on('play'), key)).statusCode).toBe(202)
    expect(isReplay(await post(on('play'), key))).toBe(true)
    expect(isReplay(await post(on('play'), 'y'))).toBe(false)
  })

  it('are looked at behind the body, and before the command', async () => {
    expect(errorOf(await post(on('pause'), '', {}))).toBe('execution_id_required')
    expect(errorOf(await post(on('pause'), '', { executionId: RUN }))).toBe(
      'invalid_playback_request',
    )
    await post(on('play'), 'k')
    served.player.answer = refusing('app_busy')
    expect(errorOf(await post(on('stop'), 'k', { fadeOutMs: 'x' }))).toBe(
      'invalid_playback_request',
    )
    expect(errorOf(await post(on('stop'), 'k'))).toBe('idempotency_conflict')
    expect(errorOf(await post(on('stop'), 'another'))).toBe('app_busy')
  })

  it('a request has one at most', async () => {
    const port = await listen(served)
    const head = `POST ${API}${on('play')} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\n`
    const twice = `${head}Idempotency-Key: a\r\nidempotency-key: a\r\n\r\n`
    const [answer] = answersIn((await talk(port, [twice], 2_000, 1)).text)
    expect([answer?.status, errorOf({ body: answer?.body ?? '' })]).toEqual([
      400, 'invalid_playback_request',
    ])
    expect(served.player.commands).toEqual([])
  })

  it('without one every request is carried out', async () => {
    for (let n = 0; n < 3; n += 1) {
      const answer = await post(on('play'), null)
      expect(answer.headers).not.toHaveProperty('idempotent-replay')
    }
    expect(served.player.commands).toHaveLength(3)
  })

  it('are for commands: a read has none', async () => {
    const headers = { host: served.daemon.authority, 'idempotency-key': '' }
    const answer = await served.app.inject({ url: `${API}/status`, headers })
    expect(answer.statusCode).toBe(200)
  })

  it('may be sent by pages', async () => {
    const answer = await served.app.inject({
      method: 'OPTIONS', url: `${API}${on('play')}`, headers: { host: served.daemon.authority },
    })
    expect(answer.headers['access-control-allow-headers']).toContain('Idempotency-Key')
  })

  it('are remembered up to 10 000; then a new one is refused, the old ones hold', async () => {
    for (let n = 0; n < LIMITS.idempotencyKeys; n += 1) {
      expect((await post(on('stop'), `key ${n}`)).statusCode).toBe(200)
    }
    const full = await post(on('play'), 'one more')
    expect([full.statusCode, errorOf(full)]).toEqual([503, 'idempotency_full'])
    expect(served.player.commands).toHaveLength(LIMITS.idempotencyKeys)
    expect(isReplay(await post(on('stop'), 'key 0'))).toBe(true)
    expect((await post(on('play'), null)).statusCode).toBe(202)
    timers.pass(LIMITS.idempotencyMs + 1)
    expect((await post(on('play'), 'one more')).statusCode).toBe(202)
  })

  it('are shared out by address: who filled them locks out nobody but itself', async () => {
    for (let n = 0; n < LIMITS.idempotencyKeys; n += 1) await post(on('stop'), `key ${n}`)
    for (const key of ['a', 'b']) {
      expect((await post(on('play'), key, undefined, '192.168.0.9')).statusCode).toBe(202)
      expect(isReplay(await post(on('play'), key, undefined, '192.168.0.9'))).toBe(true)
    }
    // The two oldest gave way, the third did not, and neither does what the newcomer has.
    expect(isReplay(await post(on('stop'), 'key 2'))).toBe(true)
    expect(errorOf(await post(on('stop'), 'key 0'))).toBe('idempotency_full')
    expect(isReplay(await post(on('play'), 'a'))).toBe(true)
  })
})
