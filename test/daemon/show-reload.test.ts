// A show that is saved while it plays: read in turn, and no disk keeps commands waiting over it.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { VirtualTimers } from '../../src/clock/virtual.js'
import { ShowReload } from '../../src/daemon/show-reload.js'
import type { Fault } from '../../src/io/files/fault.js'
import { readShowShape } from '../../src/io/show/show-read.js'

interface Show {
  readonly ok: true
  readonly title: string
}
type Answer = Show | { readonly ok: false; readonly faults: readonly Fault[] }

interface Reading {
  readonly done: (answer: Answer) => void
  readonly fail: (why: Error) => void
}

const evening = () => {
  const timers = new VirtualTimers(0)
  const told: string[] = []
  const reads: Reading[] = []
  const disk = { answers: true }
  const reload = new ShowReload<Show>({
    timers, file: '/shows/friday.json',
    answers: () => Promise.resolve(disk.answers),
    load: () => new Promise<Answer>((done, fail) => reads.push({ done, fail })),
    busy: () => told.push('busy'),
    kept: ({ message, why }) => told.push(`kept: ${message} | ${why}`),
    gone: () => told.push('gone'),
    replaced: ({ title }) => told.push(`plays ${title}`),
  })
  const settled = async (): Promise<void> => {
    for (let n = 0; n < 20; n += 1) await Promise.resolve()
  }
  return { timers, told, reads, disk, reload, settled }
}

const show = (title: string): Show => ({ ok: true, title })
const LATE = 'kept: its disk does not answer; it is read once it does | ' +
  'the disk of /shows/friday.json does not answer'

const absent = async (): Promise<Answer> => {
  const read = await readShowShape('/none/friday.json')
  return read.ok ? show('none') : read
}

describe('a show that is saved', () => {
  it('is read once more for all that was saved while it was read', async () => {
    const it = evening()
    void it.reload.request()
    await it.settled()
    for (let n = 0; n < 3; n += 1) void it.reload.request()
    it.reads[0]!.done(show('first'))
    await it.settled()
    it.reads[1]!.done(show('last'))
    await it.settled()
    expect(it.told).toEqual(['busy', 'plays first', 'busy', 'plays last'])
    expect([it.reads.length, it.timers.size]).toEqual([2, 0])
  })

  it('and is gone before a hung disk has let it be read is told as gone in the end', async () => {
    const it = evening()
    void it.reload.request()
    await it.settled()
    it.timers.pass(5_000)
    await it.settled()
    it.reload.gone()
    it.reads[0]!.done(show('old'))
    await it.settled()
    it.reads[1]!.done(await absent())
    await it.settled()
    it.timers.pass(100)
    await it.settled()
    it.reads[2]!.done(await absent())
    await it.settled()
    expect(it.told).toEqual(['busy', LATE, 'gone', 'busy', 'plays old', 'busy', 'gone'])
    // The watch says so at each look.
    it.reload.gone()
    await it.settled()
    expect([it.told.length, it.reads.length]).toEqual([7, 3])
  })

  it('for SIGHUP, after it was told as gone, and is gone again, is told once more', async () => {
    const it = evening()
    it.reload.gone()
    it.reload.gone()
    void it.reload.request()
    await it.settled()
    it.reads[0]!.done(show('found'))
    await it.settled()
    it.reload.gone()
    it.reload.gone()
    expect(it.told).toEqual(['gone', 'busy', 'plays found', 'gone'])
  })

  it('with faults changes nothing, and they are told', async () => {
    const it = evening()
    void it.reload.request()
    await it.settled()
    it.reads[0]!.done({ ok: false, faults: [{ place: 'title', message: 'is missing' }] })
    await it.settled()
    expect(it.told).toEqual(['busy', 'kept: title: is missing | ' +
      'the show /shows/friday.json is refused: title: is missing'])
  })

  it('and is not there is told as one that is gone: no other one is to be named now', async () => {
    const it = evening()
    void it.reload.request()
    await it.settled()
    for (const reading of [0, 1]) {
      expect(it.told).toEqual(['busy'])
      it.reads[reading]!.done(await absent())
      await it.settled()
      it.timers.pass(100)
      await it.settled()
    }
    expect([it.told, it.reads.length]).toEqual([['busy', 'gone'], 2])
  })

  it('by a rename, and is just not there, e.g. by vim, is read a moment later', async () => {
    const it = evening()
    void it.reload.request()
    await it.settled()
    it.reads[0]!.done(await absent())
    await it.settled()
    it.timers.pass(100)
    await it.settled()
    it.reads[1]!.done(show('saved'))
    await it.settled()
    expect([it.told, it.timers.size]).toEqual([['busy', 'plays saved'], 0])
  })

  it('and has another name now is told with it', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'cartwall-renamed-'))
    writeFileSync(join(folder, 'Friday.json'), '{}')
    const it = evening()
    void it.reload.request()
    await it.settled()
    const read = await readShowShape(join(folder, 'friday.json'))
    rmSync(folder, { recursive: true })
    if (!read.ok) it.reads[0]!.done(read)
    await it.settled()
    expect(it.told[1]).toMatch(/^kept: .*does not exist, but for Friday\.json/)
  })

  it('on a disk that does not answer is not begun to be read', async () => {
    const it = evening()
    it.disk.answers = false
    await it.reload.request()
    expect([it.told, it.reads]).toEqual([[LATE], []])
  })

  it('whose disk hangs over the reading keeps commands waiting for five seconds', async () => {
    const it = evening()
    void it.reload.request()
    await it.settled()
    it.timers.pass(4_900)
    await it.settled()
    expect(it.told).toEqual(['busy'])
    it.timers.pass(100)
    await it.settled()
    expect(it.told).toEqual(['busy', LATE])
    // The disk is back ten minutes later.
    it.timers.pass(600_000)
    it.reads[0]!.done(show('late'))
    await it.settled()
    expect(it.told).toEqual(['busy', LATE, 'busy', 'plays late'])
  })

  it('that breaks off in its reading is kept without a path of this machine', async () => {
    const it = evening()
    void it.reload.request()
    await it.settled()
    const error = Object.assign(
      new Error("EIO: i/o error, read '/shows/friday.json'"), { code: 'EIO', syscall: 'read' })
    it.reads[0]!.fail(error)
    await it.settled()
    expect(it.told[1]).toMatch(/^kept: cannot be read: EIO: i\/o error \| /)
  })

  it('while the service ends is not read, and what was read by then changes nothing', async () => {
    const it = evening()
    void it.reload.request()
    await it.settled()
    it.reload.close()
    it.reads[0]!.done(show('late'))
    await it.settled()
    await it.reload.request()
    expect([it.told, it.reads.length]).toEqual([['busy'], 1])
  })

  it.each<[string, (it: ReturnType<typeof evening>) => void]>([
    ['has faults', ({ reads }) => reads[0]!.done({ ok: false, faults: [] })],
    ['breaks off', ({ reads }) => reads[0]!.fail(new Error('EIO'))],
    ['lies on a disk that hangs', ({ timers, reads }) => {
      timers.pass(60_000)
      reads[0]!.fail(new Error('ENOTCONN'))
    }],
  ])('and %s is read anew at the next save', async (_what, end) => {
    const it = evening()
    void it.reload.request()
    await it.settled()
    end(it)
    await it.settled()
    void it.reload.request()
    await it.settled()
    it.reads[1]!.done(show('mended'))
    await it.settled()
    expect([it.told.at(-1), it.reads.length, it.timers.size]).toEqual(['plays mended', 2, 0])
  })

  it('is read once its disk answers that did not', async () => {
    const it = evening()
    it.disk.answers = false
    await it.reload.request()
    it.disk.answers = true
    void it.reload.request()
    await it.settled()
    it.reads[0]!.done(show('back'))
    await it.settled()
    expect(it.told).toEqual([LATE, 'busy', 'plays back'])
  })

  it('again while its disk hangs is read once more when it is back, and not before', async () => {
    const it = evening()
    void it.reload.request()
    await it.settled()
    it.timers.pass(60_000)
    await it.settled()
    void it.reload.request()
    await it.settled()
    expect([it.told, it.reads.length]).toEqual([['busy', LATE], 1])
    it.reads[0]!.done(show('old'))
    await it.settled()
    it.reads[1]!.done(show('new'))
    await it.settled()
    expect(it.told).toEqual(['busy', LATE, 'busy', 'plays old', 'busy', 'plays new'])
  })
})
