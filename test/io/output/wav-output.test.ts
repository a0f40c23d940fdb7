// A recording whose folder comes late begins with the sound of that moment.
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { VirtualTimers } from '../../../src/clock/virtual.js'
import { WAV_HEADER_BYTES } from '../../../src/io/output/wav-header.js'
import { WavOutput } from '../../../src/io/output/wav-output.js'
import { coded, CountingRenderer, Journal } from '../../devices/output-sound.js'

let folder = ''

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'cartwall-wav-'))
})
afterEach(() => {
  rmSync(folder, { recursive: true, force: true })
})

/** The disk has done what it was asked for. */
const told = async (journal: Journal, count: number): Promise<void> => {
  while (journal.events.length < count) await new Promise((turn) => setImmediate(turn))
}

it('and has no sound of the time before it', async () => {
  const [timers, renderer, journal] = [new VirtualTimers(0), new CountingRenderer(), new Journal()]
  renderer.on = true
  const path = join(folder, 'later', 'take.wav')
  const output = new WavOutput(renderer, path, timers)
  output.start(journal)
  timers.pass(100)
  await told(journal, 1)
  mkdirSync(join(folder, 'later'))
  timers.pass(1_000)
  await told(journal, 2)
  const before = renderer.rendered
  timers.pass(500)
  await output.stop()
  const wav = readFileSync(path)
  expect((wav.length - WAV_HEADER_BYTES) / 8).toBe(renderer.rendered - before)
  expect(wav.readFloatLE(WAV_HEADER_BYTES)).toBe(coded(before + 1))
})
