// The sound path with a virtual device: a fixed range breaks no rule, and planted bugs are found.
import { describe, expect, test } from 'vitest'
import { tallyDevices } from '../../sim/devices/devices.js'
import { plantedBugs } from './planted-bugs.js'

const dies = plantedBugs('device')

/** The others on the list take up to a hundred seeds; `npm run sim -- mutants` finds them. */
const SOON = [
  'a message that came in two pieces is not put together',
  'what was taken back is played all the same',
  'an estimate that settles is an underrun',
  'the queue grows beyond what it should be',
  'what was received counts as played',
  'what lies beyond the queue is not told',
  "the clock's debt is forgotten at the next sound",
  'a loss is told again and again',
  'a device that pauses is lost at once',
  'a process that died stays dead',
  'a device that came back counts from where the last one was',
  'a dry device is counted by nobody',
]

describe('the sound path with a virtual device', () => {
  test('breaks no rule in a range of seeds, and is the same again', () => {
    const { wrong, gaps } = tallyDevices(1, 16)
    expect(wrong).toEqual([])
    expect(gaps).toBeGreaterThan(5)
    expect(tallyDevices(1, 3).hash).toBe(tallyDevices(1, 3).hash)
  }, 120_000)

  test('is judged rightly where a standstill of more than a second is told amid a sound', () => {
    expect(tallyDevices(106, 1).wrong).toEqual([])
  })

  test.each(SOON)('shows a planted bug in its first seeds: %s', (name) => dies(name, 8), 120_000)
})
