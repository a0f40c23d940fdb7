// A show file and its folder as they change: each change is told once, when it is done.
import { EventEmitter } from 'node:events'
import type * as fs from 'node:fs'
import {
  mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, statSync, writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { VirtualTimers } from '../../../src/clock/virtual.js'
import { showMark, watchShow, type Watching } from '../../../src/io/show/show-watch.js'

// Other files of this process may have loaded what is made up here.
vi.hoisted(() => vi.resetModules())

/** In place of what the system tells of a folder: told by hand. */
class Watcher extends EventEmitter {
  isClosed = false

  close(): void {
    this.isClosed = true
  }

  saved(name: string | null = 'show.json'): void {
    this.emit('change', 'change', name)
  }
}
const watchers: Watcher[] = []
const disk = {
  /** By path: until this has resolved there is no answer, which is that of the time of asking. */
  held: new Map<string, Promise<void>>(),
  /** How often a file or a folder was looked at. */
  looks: 0,
  canWatch: true,
}
vi.mock('node:fs', async (original) => ({
  ...(await original<typeof fs>()),
  watch: () => {
    if (!disk.canWatch) throw new Error('ENOSPC: no space left in the table of watches')
    watchers.push(new Watcher())
    return watchers.at(-1)
  },
}))
/** A disk that answers within the turn, unless it is held. */
vi.mock('node:fs/promises', () => ({
  stat: async (path: string) => {
    disk.looks += 1
    await Promise.resolve()
    const found = statSync(path, { bigint: true })
    await disk.held.get(path)
    return found
  },
}))

let folder = ''
let show = ''
let timers: VirtualTimers
let changes = 0
let gone = 0
const news = { changed: () => { changes += 1 }, gone: () => { gone += 1 } }
let watching: Watching

/** A look at the file is over. */
const looked = (): Promise<void> => new Promise((turn) => setImmediate(turn))

const pass = async (ms: number): Promise<void> => {
  timers.pass(ms)
  await looked()
}

const saved = (): void => watchers.at(-1)?.saved()
/** What is asked of a path is answered once this is called. */
const hold = (path: string): (() => void) => {
  let release = (): void => undefined
  disk.held.set(path, new Promise((resolve) => (release = resolve)))
  return () => {
    disk.held.clear()
    release()
  }
}

beforeEach(async () => {
  watchers.length = 0
  Object.assign(disk, { held: new Map(), looks: 0, canWatch: true })
  folder = mkdtempSync(join(tmpdir(), 'cartwall-show-'))
  show = join(folder, 'show.json')
  writeFileSync(show, '{}')
  timers = new VirtualTimers(0)
  changes = 0
  gone = 0
  watching = watchShow(show, await showMark(show), timers, news)
  await looked()
})
afterEach(() => {
  watching.close()
  rmSync(folder, { recursive: true, force: true })
})

/** An editor writes a piece every 100 ms, so many times. */
const written = async (pieces: number): Promise<void> => {
  for (let n = 1; n <= pieces; n += 1) {
    writeFileSync(show, 'x'.repeat(n))
    saved()
    if (n < pieces) await pass(100)
  }
}

it('at the first save and at each one after it', async () => {
  for (const save of [1, 2, 3]) {
    await written(4)
    expect(changes).toBe(save - 1)
    await pass(149)
    expect(changes).toBe(save - 1)
    await pass(1)
    expect(changes).toBe(save)
    // To the look that comes every two seconds, and a moment on.
    await pass(1_560)
  }
})

it('though the look that comes every two seconds falls between two of its pieces', async () => {
  await pass(1_851)
  await written(4)
  expect(changes).toBe(0)
  await pass(150)
  expect(changes).toBe(1)
})

it('a file that is gone is no change; once it is back it is one, also as it was', async () => {
  const text = readFileSync(show)
  for (const turn of [1, 2]) {
    rmSync(show)
    saved()
    await pass(5_000)
    expect(changes).toBe(turn - 1)
    writeFileSync(show, text)
    saved()
    await pass(150)
    expect(changes).toBe(turn)
  }
})

it('one that is gone for three seconds is told, at each look, or its folder is', async () => {
  const away = `${folder}-away`
  for (const [turn, path] of [show, folder].entries()) {
    gone = 0
    renameSync(path, away)
    saved()
    await pass(2_900)
    expect(gone).toBe(0)
    // It is missed by the first one.
    for (let looks = 0; looks < 10; looks += 1) await pass(2_000)
    expect([gone, changes]).toEqual([9, turn])
    // It is as it was, and to be read all the same: what was told is to be taken back.
    renameSync(away, path)
    await pass(2_000)
    expect([gone, changes]).toEqual([9, turn + 1])
  }
})

it('one that comes back within three seconds was never gone', async () => {
  for (const turn of [1, 2, 3]) {
    renameSync(show, `${show}.old`)
    saved()
    await pass(2_000)
    renameSync(`${show}.old`, show)
    saved()
    await pass(150)
    expect([gone, changes]).toEqual([0, turn])
  }
})

it('one that never ends is looked at after a second all the same', async () => {
  await written(10)
  expect(changes).toBe(0)
  await pass(100)
  expect(changes).toBe(1)
})

it('saved while it was looked at it is looked at once more, and then there is rest', async () => {
  writeFileSync(show, 'first')
  saved()
  const release = hold(show)
  await pass(150)
  writeFileSync(show, 'second')
  saved()
  await pass(150)
  expect(changes).toBe(0)
  release()
  await looked()
  expect(changes).toBe(1)
  await pass(150)
  expect(changes).toBe(2)
  // From here on only the regular looks, at the folder and at the file.
  const { looks } = disk
  for (let n = 0; n < 100; n += 1) await pass(100)
  expect([changes, disk.looks - looks]).toEqual([2, 10])
})

it('what other files of the folder do is nothing; an event without a name may be its', async () => {
  writeFileSync(show, 'more')
  watchers.at(-1)?.saved('notes.txt')
  await pass(200)
  expect(changes).toBe(0)
  watchers.at(-1)?.saved(null)
  await pass(150)
  expect(changes).toBe(1)
})

it('another folder in the place of its own is watched from then on, and it alone', async () => {
  const [before] = watchers
  renameSync(folder, `${folder}-old`)
  await pass(2_000)
  expect([before?.isClosed, changes]).toEqual([true, 0])
  mkdirSync(folder)
  writeFileSync(show, '{}')
  await pass(2_000)
  expect([watchers.length, changes]).toEqual([2, 1])
  // That of the folder that is gone breaks at last.
  before?.emit('error', new Error('EPERM'))
  writeFileSync(show, 'more')
  saved()
  await pass(150)
  await pass(2_000)
  expect([watchers.length, changes]).toEqual([2, 2])
  rmSync(`${folder}-old`, { recursive: true })
})

it('a watch that breaks is made anew by the next regular look', async () => {
  const [broken] = watchers
  broken?.emit('error', new Error('EIO'))
  expect(broken?.isClosed).toBe(true)
  await pass(2_000)
  expect(watchers.map(({ isClosed }) => isClosed)).toEqual([true, false])
  writeFileSync(show, 'more')
  saved()
  await pass(150)
  expect(changes).toBe(1)
})

it('where no watch can be had each change is told within two seconds all the same', async () => {
  disk.canWatch = false
  watchers.at(-1)?.emit('error', new Error('ENOSPC'))
  for (const save of [1, 2, 3]) {
    writeFileSync(show, 'x'.repeat(save))
    await pass(2_000)
    expect(changes).toBe(save)
  }
  disk.canWatch = true
  await pass(2_000)
  expect(watchers).toHaveLength(2)
})

it('nothing is told, and nothing watched, once it is closed, also amid a look', async () => {
  for (const path of [folder, show]) {
    watchers.at(-1)?.emit('error', new Error('EIO'))
    const release = hold(path)
    writeFileSync(show, `more for ${path}`)
    await pass(2_000)
    saved()
    watching.close()
    release()
    await looked()
    saved()
    expect([changes, timers.size]).toEqual([0, 0])
    expect(watchers.every(({ isClosed }) => isClosed)).toBe(true)
    watching = watchShow(show, await showMark(show), timers, news)
    await looked()
  }
})
