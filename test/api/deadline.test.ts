// A player that has fallen silent: clients get an answer, in bounded time, and the timer ends too.
import { expect, it } from 'vitest'
import { Deadline } from '../../src/api/deadline.js'
import { VirtualTimers } from '../../src/clock/virtual.js'
import { LIMITS } from '../../src/contract/limits.js'
import type { Reply } from '../../src/engine/commands/commands.js'

const settled = () => new Promise((resolve) => setImmediate(resolve))

const DONE: Reply = {
  ok: true,
  status: 200,
  body: { result: 'stopped', fadingOut: 0, stopped: 1 },
}

it('answers 500 command_failed after the engine itself would have, and not before', async () => {
  const timers = new VirtualTimers(0)
  const deadline = new Deadline(timers)
  let answered: Reply | null = null
  void deadline.over(new Promise<Reply>(() => undefined)).then((reply) => (answered = reply))
  timers.pass(LIMITS.commandDeadlineMs + 500)
  await settled()
  expect(answered).toBeNull()
  timers.pass(1_500)
  await settled()
  expect(answered).toMatchObject({ ok: false, refusal: { code: 'command_failed' } })
  await settled()
  timers.pass(1_000)
  expect(timers.size).toBe(0)
})

it('answers each time that the player falls silent, however often it spoke between', async () => {
  const timers = new VirtualTimers(0)
  const deadline = new Deadline(timers)
  for (let n = 0; n < 3; n += 1) {
    let answered: Reply | null = null
    void deadline.over(new Promise<Reply>(() => undefined)).then((reply) => (answered = reply))
    timers.pass(3_000)
    expect(await deadline.over(Promise.resolve(DONE))).toBe(DONE)
    timers.pass(4_000)
    await settled()
    expect([n, answered]).toEqual([n, expect.objectContaining({ ok: false })])
    timers.pass(10_000)
    expect(timers.size).toBe(0)
  }
})

it('hands on what the player says, faults too, and leaves no timer behind', async () => {
  const timers = new VirtualTimers(0)
  const deadline = new Deadline(timers)
  expect(await deadline.over(Promise.resolve(DONE))).toBe(DONE)
  await expect(deadline.over(Promise.reject(new Error('planted')))).rejects.toThrow('planted')
  await settled()
  timers.pass(1_000)
  expect(timers.size).toBe(0)
})
