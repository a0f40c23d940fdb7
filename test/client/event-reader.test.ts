// One stream of events: how long it may take to open, how long it may be silent, what it tells.
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { readEvents } from '../../src/client/event-reader.js'
import type { Client } from '../../src/client/types.js'
import { realWait } from '../../src/client/wait.js'

// The silence of a connection is measured in real time, whatever the app takes for its time.
beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms)
const TYPE = { 'content-type': 'text/event-stream' }

const reading = (answer: { status?: number; headers?: object } | null = {}, lastId = '') => {
  const it = {
    told: [] as unknown[], sent: [] as unknown[], over: null as boolean | null, isOpen: false,
    lastId: (): string => options.lastId, say: (_text: string): void => undefined,
    write: (_bytes: Uint8Array): void => undefined,
    end: (): void => undefined, leave: new AbortController(),
  }
  const client = {
    open: (_path: string, { headers, signal }: RequestInit) => {
      it.sent.push(headers)
      const body = new ReadableStream<Uint8Array>({
        start: (stream) => {
          it.write = (bytes) => stream.enqueue(bytes)
          it.say = (text) => it.write(new TextEncoder().encode(text))
          it.end = () => stream.close()
          signal?.addEventListener('abort', () => stream.error(signal.reason))
        },
      })
      return answer !== null
        ? Promise.resolve(new Response(body, { headers: TYPE, ...answer } as ResponseInit))
        : new Promise((_resolve, reject) => {
          signal?.addEventListener('abort', () => reject(signal.reason as Error))
        })
    },
  } as unknown as Client
  const options = { lastId, timeoutMs: 3_000, wait: realWait, signal: it.leave.signal }
  void readEvents(client, {
    opened: async () => {
      it.isOpen = true
    },
    event: async (event) => void it.told.push(event),
  }, options).then((stood) => (it.over = stood))
  return it
}

describe('a stream that stands', () => {
  test('is read for hours, as long as the service lets itself be heard', async () => {
    const it = reading()
    for (let n = 0; n < 500; n += 1) {
      await pass(15_000)
      it.say(': still here\n\n')
    }
    await pass(39_000)
    expect([it.isOpen, it.over]).toEqual([true, null])
  })

  test.each([
    ['nothing ever', (): void => undefined], ['a comment', (it) => it.say(': still here\n\n')],
    ['an event', (it) => it.say('id: 1\nevent: notice\ndata: {}\n\n')],
    ['a part of one', (it) => it.say('id: ')],
  ] as [string, (it: ReturnType<typeof reading>) => void][])(
    'is taken for dead 40 s after %s', async (_what, say) => {
      const it = reading()
      await pass(20_000)
      say(it)
      await pass(15_000)
      expect(it.over).toBeNull()
      await pass(30_000)
      expect(it.over).toBe(true)
      expect(vi.getTimerCount()).toBe(0)
    })

  test('ends with the service, or when it is left, and leaves no timer', async () => {
    for (const end of ['end', 'leave'] as const) {
      const it = reading()
      await pass(1_000)
      if (end === 'end') it.end()
      else it.leave.abort()
      await pass(1)
      expect([end, it.over, vi.getTimerCount()]).toEqual([end, true, 0])
    }
  })

  test('that has no end of an event is given up', async () => {
    const it = reading()
    await pass(1)
    for (let n = 0; n < 20; n += 1) it.say('x'.repeat(5_000))
    await pass(1)
    expect([it.over, it.told]).toEqual([true, []])
  })
})

test('one that does not open is given up after the time for it', async () => {
  const it = reading(null)
  await pass(2_900)
  expect(it.over).toBeNull()
  await pass(200)
  expect([it.over, it.isOpen, vi.getTimerCount()]).toEqual([true, false, 0])
})

test.each([
  ['a refusal', { status: 503 }],
  ['another type', { headers: { 'content-type': 'text/html' } }],
])('%s is no stream', async (_what, answer) => {
  const it = reading(answer)
  await pass(1)
  expect([it.over, it.isOpen, vi.getTimerCount()]).toEqual([false, false, 0])
})

test('is read as UTF-8, wherever the network cuts it', async () => {
  const data = { buttonId: 'b', message: 'Täusch dich 🎬 nicht' }
  const bytes = new TextEncoder().encode(`event: notice\ndata: ${JSON.stringify(data)}\n\n`)
  const it = reading()
  await pass(1)
  for (const byte of bytes) it.write(Uint8Array.of(byte))
  await pass(1)
  expect(it.told).toEqual([{ name: 'notice', data }])
})

test('goes on behind the last id, and keeps that up to date', async () => {
  const first = reading()
  await pass(1)
  expect(first.sent).toEqual([{ accept: 'text/event-stream' }])
  first.say('retry: 1000\nid: a-0\n\n')
  await pass(1)
  expect([first.lastId(), first.told]).toEqual(['a-0', []])
  first.say('id: a-1\nevent: image\ndata: {"buttonId":"b: c","isShown":true}\n\nid: a-2\nevent: ')
  await pass(1)
  expect([first.lastId(), first.told]).toEqual([
    'a-1', [{ name: 'image', data: { buttonId: 'b: c', isShown: true } }],
  ])
  const next = reading({}, 'a-1')
  await pass(1)
  expect(next.sent).toEqual([{ accept: 'text/event-stream', 'last-event-id': 'a-1' }])
})
