// A large timeline whose thread failed: the file is not to blame, and is tried again.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { realTimers } from '../../../src/clock/real.js'
import { compileTimelineFile, timelineCompiler } from '../../../src/io/timeline/timeline-file.js'

let folder = ''
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'cartwall-timeline-'))
})
afterEach(() => {
  rmSync(folder, { recursive: true })
})

it('a thread that fails is no fault of the file; what was compiled is kept', async () => {
  const path = join(folder, 'wide.json')
  const track = { target: { universe: 5, channel: 1 }, keyframes: [[0, 1]] }
  const timeline = { format: 'dmx-timeline', version: 1, durationMs: 1_000, tracks: [track] }
  writeFileSync(path, JSON.stringify(timeline).padEnd(300_000))
  let begun = 0
  const { compile } = timelineCompiler(realTimers(), (file) => {
    begun += 1
    if (begun > 1) return compileTimelineFile(file)
    return Promise.resolve({ ok: false, faults: [{ place: 'file', message: 'its thread ended' }] })
  })
  expect((await compile([path])).get(path))
    .toEqual({ ok: false, message: 'file: its thread ended' })
  expect((await compile([path])).get(path)).toMatchObject({ ok: true })
  await compile([path])
  expect(begun).toBe(2)
})
