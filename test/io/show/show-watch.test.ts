// The events of an editor that writes for a while are one change, told when it is done.
import { EventEmitter } from 'node:events'
import type * as fs from 'node:fs'
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { VirtualTimers } from '../../../src/clock/virtual.js'
import { showMark, watchShow, type Watching } from '../../../src/io/show/show-watch.js'

// Other files of this process may have loaded what is made up here.
vi.hoisted(() => vi.resetModules())

/** In place of what the system tells of a folder: told by hand. */
const folderEvents = Object.assign(new EventEmitter(), { close: () => undefined })
vi.mock('node:fs', async (original) => ({
  ...(await original<typeof fs>()), watch: () => folderEvents,
}))
/** A disk that answers within the turn. */
vi.mock('node:fs/promises', () => ({
  stat: (path: string) => Promise.resolve().then(() => statSync(path, { bigint: true })),
}))

let folder = ''
let show = ''
let timers: VirtualTimers
let changes = 0
let watching: Watching

/** A look at the file is over. */
const looked = (): Promise<void> => new Promise((turn) => setImmediate(turn))

const pass = async (ms: number): Promise<void> => {
  timers.pass(ms)
  await looked()
}

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'cartwall-show-'))
  show = join(folder, 'show.json')
  writeFileSync(show, '{}')
  timers = new VirtualTimers(0)
  changes = 0
  watching = watchShow(show, await showMark(show), timers, () => { changes += 1 })
  await looked()
})
afterEach(() => {
  watching.close()
  folderEvents.removeAllListeners()
  rmSync(folder, { recursive: true, force: true })
})

/** An editor writes a piece every 100 ms, so many times. */
const written = async (pieces: number): Promise<void> => {
  for (let n = 1; n <= pieces; n += 1) {
    writeFileSync(show, 'x'.repeat(n))
    folderEvents.emit('change', 'change', 'show.json')
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
    folderEvents.emit('change', 'rename', 'show.json')
    await pass(5_000)
    expect(changes).toBe(turn - 1)
    writeFileSync(show, text)
    folderEvents.emit('change', 'rename', 'show.json')
    await pass(150)
    expect(changes).toBe(turn)
  }
})

it('one that never ends is looked at after a second all the same', async () => {
  await written(10)
  expect(changes).toBe(0)
  await pass(100)
  expect(changes).toBe(1)
})
