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
  'a command that comes in silence waits for the next step',
  'a loss is told again and again',
  'a device that pauses is lost at once',
  'a process that died stays dead',
  'a device that came back counts from where the last one was',
  'a late engine is waited for, whatever is in stock',
]

describe('the sound path with a virtual device', () => {
  test('breaks no rule in a range of seeds, and is the same again', () => {
    const { wrong, gaps } = tallyDevices(1, 16)
    expect(wrong).toEqual([])
    expect(gaps).toBeGreaterThan(5)
    expect(tallyDevices(1, 3).hash).toBe(tallyDevices(1, 3).hash)
  }, 120_000)

  test.each([
    [112, 'a standstill of more than a second is told amid a sound'],
    [1377, 'a device is lost that stood still before it had read anything'],
    [1589, 'many commands waited together for the engine'],
    [2098, 'a command came while both threads were held up'],
    [5629, 'the sound process stood still before the device had read anything'],
    [5908, 'seven frames of sound lie between two gaps behind one standstill'],
    [3658, 'a device that takes nothing has all of a sound'],
  ])('is judged rightly, by seed %i, where %s', (seed) => {
    expect(tallyDevices(seed, 1).wrong).toEqual([])
  })

  test.each(SOON)('shows a planted bug in its first seeds: %s', (name) => dies(name, 8), 120_000)
})
