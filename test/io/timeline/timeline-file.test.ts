// Timeline files on their disk: what cannot be read, what changed, disks that do not answer.
import {
  existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, truncateSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { VirtualTimers } from '../../../src/clock/virtual.js'
import { compileTimelineFile, timelineCompiler } from '../../../src/io/timeline/timeline-file.js'

const LIMIT = 32 * 1024 * 1024

let folder = ''
let timers = new VirtualTimers(0)
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'cartwall-timeline-'))
  timers = new VirtualTimers(0)
})
afterEach(() => {
  rmSync(folder, { recursive: true })
})

/** A file whose timeline lasts so long. */
const put = (name: string, durationMs: number): string => {
  const path = join(folder, name)
  const track = { target: { universe: 5, channel: 1 }, keyframes: [[0, 1]] }
  writeFileSync(path, JSON.stringify({
    format: 'dmx-timeline', version: 1, durationMs, tracks: [track],
  }))
  return path
}

/** What is to be done without the disk is done; the disk had no chance to answer. */
const noDisk = async (): Promise<void> => {
  for (let n = 0; n < 200; n += 1) await Promise.resolve()
}

/** Time passes in steps of 100 ms while the disk does not answer; when the work was done. */
const doneAfter = async (work: Promise<unknown>, atMostMs: number): Promise<number | null> => {
  let ends = 0
  const done = (): void => {
    ends += 1
  }
  work.then(done, done)
  for (let ms = 0; ms <= atMostMs; ms += 100) {
    await noDisk()
    if (ends > 0) return ms
    timers.pass(100)
  }
  return null
}

const toldOf = (file: Awaited<ReturnType<typeof compileTimelineFile>>) =>
  file.ok ? [] : file.faults

describe('a file that cannot be read says why', () => {
  it('a folder, a device, one that is not there, bytes that are no text', async () => {
    const latin = join(folder, 'latin.json')
    writeFileSync(latin, Buffer.from('{"name":"Beleuchtung f\xfcr alle"}', 'latin1'))
    const told = []
    for (const path of [folder, '/dev/null', join(folder, 'none.json'), latin]) {
      told.push(...toldOf(await compileTimelineFile(path)))
    }
    expect(told).toEqual([
      { place: 'file', message: 'is a folder, not a file' },
      { place: 'file', message: 'is not a regular file' },
      { place: 'file', message: 'does not exist' },
      { place: 'file', message: 'is not UTF-8 text: save it as UTF-8' },
    ])
  })

  it('a byte order mark, which some editors write, is passed over', async () => {
    const path = put('marked.json', 1_000)
    writeFileSync(path, `\uFEFF${readFileSync(path, 'utf8')}`)
    expect(await compileTimelineFile(path))
      .toMatchObject({ ok: true, timeline: { durationFrames: 48_000 } })
  })

  it('one that is missing by a hair: the name that it has', async () => {
    put('Dawn.JSON', 1_000)
    const told = async (name: string) => toldOf(await compileTimelineFile(join(folder, name)))
    const message = 'does not exist, but for Dawn.JSON'
    expect(await told('dawn.json')).toEqual([{ place: 'file', message }])
    expect(await told('dusk.json')).toEqual([{ place: 'file', message: 'does not exist' }])
  })

  it('five of its faults, and how many more there are', async () => {
    const { compile } = timelineCompiler(timers)
    const path = join(folder, 'wrong.ola')
    const told = async (faults: number): Promise<unknown> => {
      writeFileSync(path, `OLA Show\n${'1 256\n10\n'.repeat(faults)}`)
      return (await compile([path])).get(path)
    }
    const wrong = (line: number) => `line ${line}: value 1 must be a whole number from 0 to 255`
    const five = [2, 4, 6, 8, 10].map(wrong).join('; ')
    expect(await told(5)).toEqual({ ok: false, message: five })
    expect(await told(7)).toEqual({ ok: false, message: `${five}; and 2 more` })
  })
})

it('a file that changed is read anew, one that did not is kept', async () => {
  const { compile } = timelineCompiler(timers)
  const path = put('a.json', 1_000)
  const first = (await compile([path])).get(path)
  expect((await compile([path])).get(path)).toBe(first)
  put('a.json', 20_000)
  expect((await compile([path])).get(path))
    .toMatchObject({ ok: true, timeline: { durationFrames: 960_000 } })
})

it('only a large file, and one that is not too large, is compiled beside the rest', async () => {
  const apart: string[] = []
  const { compile } = timelineCompiler(timers, (path) => {
    apart.push(path)
    return compileTimelineFile(path)
  })
  const sized = (bytes: number): string => {
    const path = put(`${bytes}.json`, 1_000)
    truncateSync(path, bytes)
    return path
  }
  const [small, large, most, beyond] = [262_143, 262_144, LIMIT, LIMIT + 1].map(sized) as [
    string, string, string, string,
  ]
  await compile([join(folder, 'none.json'), small, large, most, beyond])
  expect(apart).toEqual([large, most])
})

it('one that was refused and is gone is not taken for one that is mended', async () => {
  const { compile, isAnyMended } = timelineCompiler(timers)
  const path = join(folder, 'bad.json')
  writeFileSync(path, '{')
  await compile([path])
  rmSync(path)
  expect(await isAnyMended()).toBe(false)
})

describe.runIf(existsSync('/proc/self/fd'))('files that were looked at', () => {
  it('are closed', async () => {
    const { compile } = timelineCompiler(timers)
    const paths = Array.from({ length: 20 }, (_, n) => put(`${n}.json`, 1_000))
    const open = (): number => readdirSync('/proc/self/fd').length
    const before = open()
    await compile(paths)
    expect(open() - before).toBeLessThan(20)
  })
})

describe('a disk that does not answer', () => {
  const silent = { ok: false, message: 'its disk does not answer' }

  it('is waited for 2.1 s: what was known goes on, what was not is told', async () => {
    const { compile, isAnyMended } = timelineCompiler(timers)
    const known = put('known.json', 1_000)
    await compile([known])
    put('known.json', 20_000)
    mkdirSync(join(folder, 'usb'))
    const other = put('usb/other.json', 1_000)
    const answer = compile([known, other])
    expect(await doneAfter(answer, 10_000)).toBe(4_200)
    expect((await answer).get(known))
      .toMatchObject({ ok: true, timeline: { durationFrames: 48_000 } })
    expect((await answer).get(other)).toEqual(silent)
    const mended = isAnyMended()
    await doneAfter(mended, 10_000)
    expect(await mended).toBe(false)
  })

  it('is not asked for its other files, and no third folder is where two are silent', async () => {
    const { compile } = timelineCompiler(timers)
    const paths = ['a/1.json', 'a/2.json', 'b/1.json', 'b/2.json', 'c/1.json'].map((name) => {
      mkdirSync(join(folder, name, '..'), { recursive: true })
      return put(name, 1_000)
    })
    const answer = compile(paths)
    expect(await doneAfter(answer, 20_000)).toBe(4_200)
    expect([...(await answer).values()]).toEqual(paths.map(() => silent))
  })

  it('a machine that stood still for as long finds its answer', async () => {
    const { compile } = timelineCompiler(timers)
    const path = put('a.json', 1_000)
    const answer = compile([path])
    await noDisk()
    timers.pass(2_000)
    expect((await answer).get(path)).toMatchObject({ ok: true })
  })
})
