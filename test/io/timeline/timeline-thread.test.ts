// A large timeline is compiled on a thread of its own: what comes back, and what if that dies.
import { EventEmitter } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { VirtualTimers } from '../../../src/clock/virtual.js'

/** In place of a thread: how it ends is the test's to say. */
let end: (thread: EventEmitter, path: unknown) => void = () => undefined
vi.mock('node:worker_threads', async (original) => ({
  ...(await original<object>()),
  Worker: function open(_program: URL, { workerData }: { workerData: unknown }) {
    const thread = Object.assign(new EventEmitter(), { unref: () => undefined })
    setImmediate(() => end(thread, workerData))
    return thread
  },
}))
// Other files of this process may have loaded what is made up here.
vi.resetModules()
const { compileTimelineFile, timelineCompiler } =
  await import('../../../src/io/timeline/timeline-file.js')

let folder = ''
let path = ''
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'cartwall-timeline-'))
  path = join(folder, 'wide.json')
  const track = { target: { universe: 5, channel: 1 }, keyframes: [[0, 1]] }
  const timeline = { format: 'dmx-timeline', version: 1, durationMs: 1_000, tracks: [track] }
  writeFileSync(path, JSON.stringify(timeline).padEnd(300_000))
})
afterAll(() => {
  rmSync(folder, { recursive: true })
})

const compiled = async (ends: typeof end): Promise<unknown> => {
  end = ends
  return (await timelineCompiler(new VirtualTimers(0)).compile([path])).get(path)
}

it('what the thread told is the timeline', async () => {
  const asked: unknown[] = []
  const told = await compileTimelineFile(path)
  expect(await compiled((thread, file) => {
    asked.push(file)
    thread.emit('message', told)
    thread.emit('exit')
  })).toMatchObject({ ok: true, timeline: { durationFrames: 48_000 } })
  expect(asked).toEqual([path])
})

it.each<[string, (thread: EventEmitter) => void, string]>([
  ['has an error', (thread) => thread.emit('error', new Error('out of memory')), 'out of memory'],
  ['says nothing', (thread) => thread.emit('exit'), 'its thread ended'],
])('one that %s is told of, and the show is read without it', async (_, ends, why) => {
  expect(await compiled(ends)).toEqual({ ok: false, message: `file: cannot be compiled: ${why}` })
})
