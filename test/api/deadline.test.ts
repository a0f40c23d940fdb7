// A player that has fallen silent: clients get an answer, in bounded time, and the timer ends too.
import { afterEach, expect, it, vi } from 'vitest'
import { Deadline } from '../../src/api/deadline.js'
import { LIMITS } from '../../src/contract/limits.js'
import type { Reply } from '../../src/engine/commands/commands.js'

afterEach(() => {
  vi.useRealTimers()
})

const DONE: Reply = {
  ok: true,
  status: 200,
  body: { result: 'stopped', fadingOut: 0, stopped: 1 },
}

it('answers 500 command_failed after the engine itself would have, and not before', async () => {
  vi.useFakeTimers()
  const deadline = new Deadline()
  let answered: Reply | null = null
  void deadline.over(new Promise<Reply>(() => undefined)).then((reply) => (answered = reply))
  await vi.advanceTimersByTimeAsync(LIMITS.commandDeadlineMs + 500)
  expect(answered).toBeNull()
  await vi.advanceTimersByTimeAsync(1_500)
  expect(answered).toMatchObject({ ok: false, refusal: { code: 'command_failed' } })
  await vi.advanceTimersByTimeAsync(1_000)
  expect(vi.getTimerCount()).toBe(0)
})

it('hands on what the player says, faults too, and leaves no timer behind', async () => {
  vi.useFakeTimers()
  const deadline = new Deadline()
  expect(await deadline.over(Promise.resolve(DONE))).toBe(DONE)
  await expect(deadline.over(Promise.reject(new Error('planted')))).rejects.toThrow('planted')
  await vi.advanceTimersByTimeAsync(1_000)
  expect(vi.getTimerCount()).toBe(0)
})
