// cartwall dmx: what it prints, for people and for programs, and its exit codes.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { runDmx } from '../../src/command/dmx.js'
import { ArgumentError } from '../../src/command/outcome.js'
import { listening } from './command-output.js'

let folder = ''
let file = ''
const said = listening()

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'cartwall-dmx-'))
  file = join(folder, 'fanfare.json')
  writeFileSync(file, JSON.stringify({
    format: 'dmx-timeline', version: 1, durationMs: 20_000,
    tracks: [
      { target: { universe: 2, channel: 3 }, keyframes: [[10_000, 0, 'linear'], [20_000, 200]] },
      { target: { universe: 2, channel: 20, resolution: 16 }, keyframes: [[0, 258]] },
    ],
  }))
})

afterAll(() => {
  rmSync(folder, { recursive: true })
})

it.each(['12.5s', '12500ms', '12.5', '0:12.5'])('slots at %s, for programs', async (time) => {
  expect(await runDmx([file, '--at', time, '--json'])).toBe(0)
  expect(JSON.parse(said.out)).toEqual({
    atMs: 12_500, durationMs: 20_000,
    universes: [{ universe: 2, slots: { 3: 50, 20: 1, 21: 2 } }],
  })
})

it('slots for people: the defined ones by number, dots between them', async () => {
  expect(await runDmx([file, '--at', '20s'])).toBe(0)
  expect(said.out).toContain('universe 2\n')
  expect(said.out).toMatch(/slot {3}1: {3}. {3}. 200 {3}\./)
  expect(said.out).toMatch(/slot {2}17: {3}. {3}. {3}. {3}1 {3}2 {3}\./)
  expect(said.out).not.toContain('slot  33')
})

it('a time past the end is an error', async () => {
  expect(await runDmx([file, '--at', '20.001s'])).toBe(1)
  const err = `cartwall: ${file} ends at 20 s, before 20.001 s\n`
  expect(said).toEqual({ out: '', err })
  said.err = ''
  expect(await runDmx([file, '--at', '2:02.5'])).toBe(1)
  expect(said.err).toBe(`cartwall: ${file} ends at 20 s, before 122.5 s\n`)
})

it('a bad file is refused with every fault', async () => {
  const bad = join(folder, 'bad.json')
  const track = { keyframes: [] }
  const head = { format: 'dmx-timeline', version: 1, durationMs: 0 }
  writeFileSync(bad, JSON.stringify({ ...head, tracks: [track] }))
  expect(await runDmx([bad, '--at', '0s'])).toBe(1)
  const lines = said.err.trimEnd().split('\n')
  expect(lines.map((line) => line.split(': ').slice(0, 3).join(': '))).toEqual(
    ['durationMs', 'tracks[0].target', 'tracks[0].keyframes'].map((place) =>
      `cartwall: ${bad}: ${place}`))
  expect(await runDmx([join(folder, 'none.json')])).toBe(1)
  expect(said.err).toContain('does not exist')
  expect(await runDmx([folder])).toBe(1)
})

it.each([
  ['soon', ['--at', 'soon']], ['-1s', ['--at', '-1s']], ['-0.5', ['--at=-0.5']],
])('a time that is none, or before the begin, is told as that: %s', async (time, at) => {
  const such = '12.5 or 12.5s, 12500ms or 1:02.5, from 0 on'
  await expect(runDmx([...at, file]))
    .rejects.toThrow(`--at must be a time such as ${such} (not "${time}")`)
})

it.each([
  [[]], [['a', 'b']], [['a', '--at', 'soon']], [['a', '--at', '-1s']], [['a', '--what']],
  [['a', '--at', '1:30ms']],
])('bad arguments %j', async (args) => {
  await expect(runDmx(args)).rejects.toThrow(ArgumentError)
  expect(said).toEqual({ out: '', err: '' })
})
