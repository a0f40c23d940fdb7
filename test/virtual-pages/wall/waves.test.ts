// Waveforms on their way to a wall: they come in one by one, and none is left out. Without a
// browser, whose network nobody can hold back by hand.
import { beforeEach, expect, test, vi } from 'vitest'
import { WAVE_COLUMNS, writeWaves } from '../../../src/contract/waves.js'
import { WaveLoader } from '../../../src/pages/wall/show/wave-loader.js'
import { PageTime } from '../../pages/wall/page-time.js'

let time = new PageTime()
vi.mock('../../../src/client/time.js', () => ({
  after: (ms: number, act: () => void) => time.after(ms, act),
}))

const id = (n: number): string => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`

/** The daemon's answers that are on their way, each as it was when it was asked for. */
const asked: ((answer: Partial<Response>) => void)[] = []

/** What the daemon says while so many waveforms are made. */
const answerOf = (count: number): Partial<Response> => {
  const each = Array.from({ length: count }, (_, n) =>
    [id(n), new Uint8Array(WAVE_COLUMNS)] as const)
  const { buffer } = writeWaves(new Map(each))
  return { ok: true, arrayBuffer: () => Promise.resolve(buffer) }
}

beforeEach(() => {
  time = new PageTime()
  asked.length = 0
  vi.stubGlobal('fetch', (_path: string, { signal }: RequestInit) => new Promise((answer, fail) => {
    asked.push(answer)
    signal?.addEventListener('abort', () => fail(new Error('aborted')))
  }))
})

test('one that is made while the others are being read comes with the next reading', async () => {
  const waves = new WaveLoader()
  waves.want('"one"')
  waves.want('"two"')
  asked[0]?.(answerOf(1))
  await time.pass(10_000)
  expect(waves.peaks.value.size).toBe(1)
  asked[1]?.(answerOf(2))
  await time.pass(10_000)
  expect(waves.peaks.value.size).toBe(2)
  expect(asked).toHaveLength(2)
})

test('a reading that failed is made again, and no other', async () => {
  const waves = new WaveLoader()
  waves.want('"one"')
  asked[0]?.({ ok: false })
  await time.pass(1_999)
  expect(asked).toHaveLength(1)
  await time.pass(1)
  asked[1]?.(answerOf(1))
  await time.pass(10_000)
  waves.want('"one"')
  expect([waves.peaks.value.size, asked.length]).toEqual([1, 2])
})

test('a reading that has no answer, as after a change of network, is made again', async () => {
  const waves = new WaveLoader()
  waves.want('"one"')
  await time.pass(20_000)
  expect(asked).toHaveLength(2)
  asked[1]?.(answerOf(1))
  await time.pass(20_000)
  expect([waves.peaks.value.size, asked.length]).toEqual([1, 2])
})
