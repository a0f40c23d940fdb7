// Media that were not there are looked for again, for as long as they are not there.
import { expect, it, vi } from 'vitest'
import { VirtualTimers } from '../../src/clock/virtual.js'
import { Probing, type ProbingParts } from '../../src/daemon/probing.js'
import type { ProbeListener } from '../../src/io/media/probe.js'

/** In place of the process that looks into files: those that are there. */
const there = new Set<string>()
const asked: (readonly string[])[] = []
vi.mock('../../src/io/media/probe.js', () => ({
  Prober: class {
    probe(paths: readonly string[], _images: unknown, listener: ProbeListener): Promise<void> {
      asked.push(paths)
      for (const path of paths) {
        if (there.has(path)) listener.facts(path, { duration: 48_000 } as never)
        else listener.fault(path, 'the file is missing', null)
      }
      return Promise.resolve()
    }
  },
}))

it('every ten seconds, and said once', async () => {
  const timers = new VirtualTimers(0)
  const warned: string[] = []
  const missed = new Set<string>()
  const told: unknown[] = []
  const parts = {
    timers, player: { tell: (...facts: unknown[]) => told.push(...facts) },
    pages: {
      looked: () => undefined, learn: () => undefined,
      miss: (path: string) => missed.size < missed.add(path).size,
    },
    log: { warn: (_about: unknown, message: string) => warned.push(message) },
  } as unknown as ProbingParts
  there.add('here.wav')
  const media = ['here.wav', 'late.wav'].map((path) => ({ path, button: { kind: 'audio' } }))
  new Probing(parts).begin(media as never)
  for (let n = 0; n < 4; n += 1) {
    await Promise.resolve()
    await Promise.resolve()
    if (n === 2) there.add('late.wav')
    timers.pass(10_000)
  }
  expect(asked).toEqual([['here.wav', 'late.wav'], ['late.wav'], ['late.wav'], ['late.wav']])
  expect(warned).toEqual(['the file is missing'])
  await Promise.resolve()
  timers.pass(60_000)
  expect(asked.length).toBe(4)
})
