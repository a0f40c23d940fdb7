// Requests that come before those ahead of them are answered: in order, few at once, none for
// nobody.
import { EventEmitter } from 'node:events'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { describe, expect, it } from 'vitest'
import { inTurn } from '../../src/api/wire/pipeline.js'
import { LIMITS } from '../../src/contract/limits.js'

/** One connection on which so many requests come at once; which of them were looked at. */
const connection = (count: number, methods: readonly string[] = []) => {
  const socket = {
    destroyed: false, isRead: true,
    pause: () => (socket.isRead = false), resume: () => (socket.isRead = true),
  }
  const seen: number[] = []
  const answers = Array.from({ length: count }, () =>
    Object.assign(new EventEmitter(), { closed: false }))
  const asAnswer = (n: number) => answers[n] as unknown as ServerResponse | undefined ?? null
  for (let n = 0; n < count; n += 1) {
    const request = { socket, method: methods[n] ?? 'POST' } as unknown as IncomingMessage
    const before = asAnswer(n - 1)
    if (before === null) seen.push(n)
    else inTurn(request, asAnswer(n)!, before, () => seen.push(n))
  }
  /** An answer left, or its connection broke under it. */
  const close = (n: number): void => {
    answers[n]!.closed = true
    answers[n]!.emit('close')
  }
  return { socket, seen, close }
}
const upTo = (count: number): readonly number[] => Array.from({ length: count }, (_each, n) => n)

/** The first one, and those that are looked at behind it. */
const MOST = 1 + LIMITS.requestsUnanswered
const MANY = 3 * MOST

describe('requests that come all at once', () => {
  it.each([1, 2, MOST, MOST + 1, MANY])('%d of them: a few are looked at, others wait', (count) => {
    const { seen, socket } = connection(count)
    expect(seen).toEqual(upTo(Math.min(count, MOST)))
    expect(socket.isRead).toBe(count <= MOST)
  })

  it('are all looked at in their order as answers leave, and then more is read', () => {
    const { seen, socket, close } = connection(MANY)
    for (let n = 0; n < MANY; n += 1) {
      close(n)
      // The first one is behind none: its end makes no room.
      expect(seen).toEqual(upTo(Math.min(MANY, MOST + n)))
    }
    expect(socket.isRead).toBe(true)
  })

  it('are looked at no more once their client is gone', () => {
    const { seen, socket, close } = connection(MANY)
    close(0)
    close(1)
    socket.destroyed = true
    for (let n = 2; n < MOST + 1; n += 1) close(n)
    expect(seen).toEqual(upTo(MOST + 1))
  })

  it('are looked at once all before are out, where they only read', () => {
    const { seen, socket, close } = connection(5, ['GET', 'GET', 'HEAD', 'POST', 'POST'])
    const steps = [[...seen]]
    for (let n = 0; n < 3; n += 1) {
      close(n)
      steps.push([...seen])
    }
    expect(steps).toEqual([[0], [0, 1], [0, 1, 2, 3, 4], [0, 1, 2, 3, 4]])
    expect(socket.isRead).toBe(true)
  })

  it('open nothing for a client that is gone while they wait for their turn', () => {
    const { seen, socket, close } = connection(3, ['GET', 'GET', 'GET'])
    socket.destroyed = true
    close(0)
    expect(seen).toEqual([0])
  })
})
