// Recordings on disks that come late or fail: what is there is whole, and goes on beside it.
import {
  mkdirSync, mkdtempSync, readdirSync, readFileSync, readlinkSync, rmSync, statSync,
} from 'node:fs'
import { open, type FileHandle } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { VirtualTimers } from '../../../src/clock/virtual.js'
import { WAV_HEADER_BYTES, wavHeader } from '../../../src/io/output/wav-header.js'
import { WavOutput } from '../../../src/io/output/wav-output.js'
import { coded, CountingRenderer, Journal } from '../../devices/output-sound.js'

/** A disk that has no room for more: what lies beyond the end of a file cannot be written. */
let isFull = false
/** It has some for the header of a new file. */
let takesHeaders = false
const failWhenFull = async (): Promise<void> => {
  const probe = await open(join(folder, 'probe'), 'w')
  await probe.close()
  rmSync(join(folder, 'probe'))
  const handles = Object.getPrototypeOf(probe) as Pick<FileHandle, 'write'>
  const write = handles.write as (...args: unknown[]) => Promise<unknown>
  vi.spyOn(handles, 'write').mockImplementation((async function (
    this: FileHandle, bytes: Buffer, offset: number, length: number, position: number,
  ) {
    const end = position + length
    const isHeader = takesHeaders && end <= WAV_HEADER_BYTES
    if (isFull && !isHeader && end > (await this.stat()).size) {
      throw new Error('ENOSPC: no space left on device, write')
    }
    return write.call(this, bytes, offset, length, position)
  }) as never)
}

let folder = ''

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'cartwall-wav-'))
  isFull = false
  takesHeaders = false
})
afterEach(() => {
  vi.restoreAllMocks()
  rmSync(folder, { recursive: true, force: true })
})

const turn = (): Promise<void> => new Promise((done) => setImmediate(done))

/** The disk has done what it was asked for. */
const told = async (journal: Journal, count: number): Promise<void> => {
  while (journal.events.length < count) await turn()
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

it('one that sounds before its file is there has those frames as they were', async () => {
  const [timers, renderer, journal] = [new VirtualTimers(0), new CountingRenderer(), new Journal()]
  renderer.on = true
  const path = join(folder, 'take.wav')
  const output = new WavOutput(renderer, path, timers)
  output.start(journal)
  timers.pass(100)
  await told(journal, 1)
  await output.stop()
  const wav = readFileSync(path)
  const frames = [0, 200, 1_000]
  expect(frames.map((n) => wav.readFloatLE(WAV_HEADER_BYTES + 8 * n)))
    .toEqual(frames.map((n) => coded(n + 1)))
})

it('one that ends while it waits for its disk makes no file later', async () => {
  const [timers, journal] = [new VirtualTimers(0), new Journal()]
  const output = new WavOutput(new CountingRenderer(), join(folder, 'later', 'take.wav'), timers)
  output.start(journal)
  await told(journal, 1)
  await output.stop()
  expect(timers.size).toBe(0)
})

/** What this process has open. */
const openFiles = (): readonly string[] => readdirSync('/proc/self/fd').map((fd) => {
  try {
    return readlinkSync(`/proc/self/fd/${fd}`)
  } catch {
    // The one of this very look.
    return ''
  }
})

/** Frames of a recording, each by its number; its header tells of all of them. */
const framesOf = (name: string): readonly number[] => {
  const wav = readFileSync(join(folder, name))
  const count = (wav.length - WAV_HEADER_BYTES) / 8
  expect(wav.subarray(0, WAV_HEADER_BYTES)).toEqual(wavHeader(count))
  return Array.from({ length: count }, (_, n) => wav.readFloatLE(WAV_HEADER_BYTES + 8 * n))
}

it('one whose disk fails is whole as far as it goes, and goes on in another', async () => {
  await failWhenFull()
  const [timers, renderer, journal] = [new VirtualTimers(0), new CountingRenderer(), new Journal()]
  renderer.on = true
  const path = join(folder, 'take.wav')
  const output = new WavOutput(renderer, path, timers)
  output.start(journal)
  await told(journal, 1)
  timers.pass(600)
  const pieces = 3 * 8_192 * 8
  while (statSync(path).size < WAV_HEADER_BYTES + pieces) await turn()
  isFull = true
  timers.pass(600)
  await told(journal, 2)
  await vi.waitFor(() => expect(openFiles()).not.toContain(path))
  const why = `lost cannot record to ${path}: ENOSPC: no space left on device, write`
  expect(journal.told()).toEqual(['back', why])
  expect(output.stats()).toMatchObject({ state: 'lost', sinkName: `wav:${path}` })
  // It is tried again every second, and said once that it fails.
  for (let second = 0; second < 3; second += 1) {
    timers.pass(1_000)
    // What it began cannot be kept, and it waits for the next try.
    while (readdirSync(folder).length > 1 || timers.size < 2) await turn()
  }
  expect(journal.events).toHaveLength(2)
  isFull = false
  timers.pass(1_000)
  await told(journal, 3)
  const begun = renderer.rendered
  const second = join(folder, 'take.2.wav')
  expect(journal.notices).toEqual([`the recording goes on in ${second}`])
  expect(output.stats()).toMatchObject({ state: 'open', sinkName: `wav:${second}` })
  timers.pass(300)
  await output.stop()
  expect(readdirSync(folder).sort()).toEqual(['take.2.wav', 'take.wav'])
  const [before, after] = [framesOf('take.wav'), framesOf('take.2.wav')]
  expect(before.length).toBeGreaterThan(20_000)
  expect(before).toEqual(before.map((_, n) => coded(n + 1)))
  expect(after).toEqual(Array.from({ length: 14_400 }, (_, n) => coded(begun + n + 1)))
})

it('where the disk has room for a header only, no file is left for each try', async () => {
  await failWhenFull()
  isFull = true
  takesHeaders = true
  const [timers, renderer, journal] = [new VirtualTimers(0), new CountingRenderer(), new Journal()]
  renderer.on = true
  const output = new WavOutput(renderer, join(folder, 'take.wav'), timers)
  output.start(journal)
  for (let tries = 1; tries <= 3; tries += 1) {
    await told(journal, 2 * tries - 1)
    expect(readdirSync(folder)).toEqual(['take.wav'])
    timers.pass(200)
    await told(journal, 2 * tries)
    await vi.waitFor(() => expect(readdirSync(folder)).toEqual([]))
    timers.pass(1_000)
  }
  await output.stop()
})
