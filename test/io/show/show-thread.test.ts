// A large show is read on a thread of its own: what comes back, and what if that dies.
import { EventEmitter } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished, vi } from 'vitest'

let unrefs = 0
/** In place of a thread: how it ends is the test's to say. */
let end: (thread: EventEmitter, file: unknown) => void = () => undefined
vi.mock('node:worker_threads', async (original) => ({
  ...(await original<object>()),
  Worker: function open(_program: URL, { workerData }: { workerData: unknown }) {
    const thread = Object.assign(new EventEmitter(), { unref: () => { unrefs += 1 } })
    setImmediate(() => end(thread, workerData))
    return thread
  },
}))
// Other files of this process may have loaded what is made up here.
vi.resetModules()
const { loadShow } = await import('../../../src/io/show/show-file.js')
const { readShowHere } = await import('../../../src/io/show/show-read.js')

const largeShow = (): string => {
  const folder = mkdtempSync(join(tmpdir(), 'cartwall-large-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const file = join(folder, 'show.json')
  writeFileSync(file, JSON.stringify({ title: 'Night' }).padEnd(200_000))
  return file
}

it('what the thread told is the show', async () => {
  const file = largeShow()
  const told = await readShowHere(file)
  const asked: unknown[] = []
  end = (thread, path) => {
    asked.push(path)
    thread.emit('message', told)
    thread.emit('exit')
  }
  expect(await loadShow(file, null)).toMatchObject({ ok: true, show: { title: 'Night' } })
  // What it does after that keeps nobody from ending.
  expect([asked, unrefs]).toEqual([[file], 1])
})

it.each<[string, (thread: EventEmitter) => void, string]>([
  ['has an error', (thread) => thread.emit('error', new Error('out of memory')), 'out of memory'],
  ['says nothing', (thread) => thread.emit('exit'), 'its thread ended'],
])('a show whose thread %s is refused, and why', async (_, ends, why) => {
  end = ends
  const message = `cannot be read: ${why}`
  expect(await loadShow(largeShow(), null))
    .toEqual({ ok: false, faults: [{ place: 'file', message }] })
})
