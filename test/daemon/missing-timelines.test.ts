// Timelines that could not be read are asked for again until one is there, and then it rests.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { VirtualTimers } from '../../src/clock/virtual.js'
import { MissingTimelines } from '../../src/daemon/missing-timelines.js'
import { timelineCompiler } from '../../src/io/timeline/timeline-file.js'

const settled = async (): Promise<void> => {
  for (let n = 0; n < 10; n += 1) await Promise.resolve()
}

it('asks each ten seconds, tells once, and begins again when they were read', async () => {
  const timers = new VirtualTimers(0)
  let [asked, told, isMended] = [0, 0, false]
  const missing = new MissingTimelines(timers, () => {
    asked += 1
    return Promise.resolve(isMended)
  }, () => {
    told += 1
  })
  const pass = async (ms: number): Promise<readonly number[]> => {
    timers.pass(ms)
    await settled()
    return [asked, told]
  }
  missing.begin()
  expect(await pass(9_000)).toEqual([0, 0])
  expect(await pass(1_000)).toEqual([1, 0])
  isMended = true
  expect(await pass(10_000)).toEqual([2, 1])
  expect(await pass(60_000)).toEqual([2, 1])
  missing.begin()
  expect(await pass(10_000)).toEqual([3, 2])
  missing.begin()
  missing.close()
  expect(await pass(60_000)).toEqual([3, 2])
  expect(timers.size).toBe(0)
})

it('looks again ten seconds after a look that failed, e.g. on a share that died', async () => {
  const timers = new VirtualTimers(0)
  let [asked, told] = [0, 0]
  const missing = new MissingTimelines(timers, () => {
    asked += 1
    return asked === 1 ? Promise.reject(new Error('ENOTCONN')) : Promise.resolve(true)
  }, () => {
    told += 1
  })
  missing.begin()
  timers.pass(10_000)
  await settled()
  expect([asked, told]).toEqual([1, 0])
  timers.pass(10_000)
  await settled()
  expect([asked, told]).toEqual([2, 1])
  missing.close()
})

it('a look that goes on while they are read, or at the end, brings about nothing', async () => {
  for (const meanwhile of ['begin', 'close'] as const) {
    const timers = new VirtualTimers(0)
    let answer = (_isMended: boolean): void => undefined
    let told = 0
    const missing = new MissingTimelines(timers, () => new Promise((resolve) => (answer = resolve)),
      () => {
        told += 1
      })
    missing.begin()
    timers.pass(10_000)
    missing[meanwhile]()
    answer(true)
    await settled()
    expect([told, timers.size]).toEqual([0, meanwhile === 'begin' ? 1 : 0])
    missing.close()
    missing.begin()
    expect(timers.size).toBe(0)
  }
})

it('a first look is at the good ones too: a copy may bring them after the show', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'cartwall-missing-'))
  const path = join(folder, 'scene.json')
  const lasts = (durationMs: number): void => {
    const tracks = [{ target: { universe: 0, channel: 1 }, keyframes: [[0, 1]] }]
    writeFileSync(path, JSON.stringify({ format: 'dmx-timeline', version: 1, durationMs, tracks }))
  }
  const timers = new VirtualTimers(0)
  const { compile, isAnyMended } = timelineCompiler(timers)
  const told = (): Promise<boolean> => new Promise((resolve) => {
    const missing = new MissingTimelines(timers, async (goodOnesToo) => {
      const isMended = await isAnyMended(goodOnesToo)
      resolve(isMended)
      return isMended
    }, () => undefined)
    missing.begin()
    timers.pass(10_000)
    missing.close()
  })
  lasts(1_000)
  await compile([path])
  expect(await told()).toBe(false)
  lasts(20_000)
  expect(await told()).toBe(true)
  // Later on an edit waits for the show to be saved.
  expect(await isAnyMended()).toBe(false)
  await compile([path])
  expect(await told()).toBe(false)
  rmSync(folder, { recursive: true })
})

it('later looks leave good ones alone: an edit of one waits for the show to be saved', async () => {
  const timers = new VirtualTimers(0)
  const looks: string[] = []
  const missing = new MissingTimelines(timers, (goodOnesToo) => {
    looks.push(goodOnesToo ? 'all' : 'bad ones')
    return Promise.resolve(false)
  }, () => undefined)
  for (let shows = 0; shows < 2; shows += 1) {
    missing.begin()
    for (let n = 0; n < 3; n += 1) {
      timers.pass(10_000)
      await settled()
    }
  }
  expect(looks).toEqual(['all', 'bad ones', 'bad ones', 'all', 'bad ones', 'bad ones'])
  missing.close()
})

it('mended is what is there by now, or is another file than was refused', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'cartwall-missing-'))
  const [gone, bad] = [join(folder, 'gone.json'), join(folder, 'bad.json')]
  const good = JSON.stringify({
    format: 'dmx-timeline', version: 1, durationMs: 1_000,
    tracks: [{ target: { universe: 0, channel: 1 }, keyframes: [[0, 1]] }],
  })
  const { compile, isAnyMended } = timelineCompiler(new VirtualTimers(0))
  expect(await isAnyMended()).toBe(false)
  writeFileSync(bad, '{')
  await compile([gone, bad])
  expect(await isAnyMended()).toBe(false)
  writeFileSync(gone, good)
  expect(await isAnyMended()).toBe(true)
  expect((await compile([gone, bad])).get(gone)).toMatchObject({ ok: true })
  expect(await isAnyMended()).toBe(false)
  writeFileSync(bad, good)
  expect(await isAnyMended()).toBe(true)
  rmSync(folder, { recursive: true })
})
