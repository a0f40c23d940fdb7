// Whose keys give way when no more are remembered: those of who holds the most at the moment.
import { expect, test } from 'vitest'
import { Idempotency } from '../../src/api/idempotency.js'
import { VirtualTimers } from '../../src/clock/virtual.js'
import { refuse } from '../../src/contract/errors.js'
import { LIMITS } from '../../src/contract/limits.js'
import type { Reply } from '../../src/engine/commands/commands.js'

const DONE: Reply = { ok: true, status: 200, body: { result: 'stopped', fadingOut: 0, stopped: 0 } }
const BUSY: Reply = { ok: false, refusal: refuse('app_busy', 'the show is being replaced') }

test('what was tried in vain and is not remembered counts for nobody', async () => {
  const keys = new Idempotency(new VirtualTimers(0))
  const ask = async (key: string, address: string, answer: Reply): Promise<boolean> => {
    const command = { kind: 'panic', fadeOutMs: null } as const
    const told = keys.once({ key, address, command }, () => Promise.resolve(answer))
    if (!('reply' in told)) return false
    await told.reply
    return true
  }
  for (let n = 0; n < LIMITS.idempotencyKeys + 10; n += 1) await ask(`a${n}`, 'first', BUSY)
  for (let n = 0; n < LIMITS.idempotencyKeys; n += 1) await ask(`b${n}`, 'second', DONE)
  expect(await ask('one', 'first', DONE)).toBe(true)
  expect(await ask('two', 'second', DONE)).toBe(false)
})
