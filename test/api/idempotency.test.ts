// Whose keys give way when no more are remembered: those of who holds the most at the moment. And
// what a key is.
import { expect, test } from 'vitest'
import { Idempotency, idempotencyKeyOf } from '../../src/api/idempotency.js'
import { VirtualTimers } from '../../src/clock/virtual.js'
import { refuse } from '../../src/contract/errors.js'
import { LIMITS } from '../../src/contract/limits.js'
import type { Reply } from '../../src/engine/commands/commands.js'

const DONE: Reply = { ok: true, status: 200, body: { result: 'stopped', fadingOut: 0, stopped: 0 } }
const BUSY: Reply = { ok: false, refusal: refuse('app_busy', 'the show is being replaced') }

test('what was tried in vain and is not remembered counts for nobody', async () => {
  const keys = new Idempotency(new VirtualTimers(0))
  const ask = async (key: string, address: string, answer: Reply): Promise<boolean> => {
    const stop = { kind: 'stop', buttonId: 'b', executionId: null, fadeOutMs: null } as const
    const told = keys.once({ key, address, command: stop }, () => Promise.resolve(answer))
    if (!('reply' in told)) return false
    await told.reply
    return true
  }
  for (let n = 0; n < LIMITS.idempotencyKeys + 10; n += 1) await ask(`a${n}`, 'first', BUSY)
  for (let n = 0; n < LIMITS.idempotencyKeys; n += 1) await ask(`b${n}`, 'second', DONE)
  expect(await ask('one', 'first', DONE)).toBe(true)
  expect(await ask('two', 'second', DONE)).toBe(false)
})

test('one good key in two headers is refused for standing twice', () => {
  const keyOf = (...lines: string[]): unknown => {
    const rawHeaders = lines.flatMap((line) => ['Idempotency-Key', line])
    const headers = { 'idempotency-key': lines.join(', ') }
    return idempotencyKeyOf({ raw: { headers, rawHeaders } } as never)
  }
  expect(keyOf('a')).toBe('a')
  for (const lines of [['a', 'a'], ['a\u00e4'], ['']]) {
    expect(keyOf(...lines)).toMatchObject({ code: 'invalid_playback_request', message:
      'an Idempotency-Key has 1 to 128 printable ASCII characters, and stands once' })
  }
})
