// The daemon's two threads with messages that take time: a fixed range breaks no rule, and planted
// bugs are found, among them the show that overtook what waited behind the one before.
import { describe, expect, test } from 'vitest'
import { tallyThreads } from '../../sim/threads/threads.js'
import { plantedBugs } from './planted-bugs.js'

const dies = plantedBugs('threads')

/** `npm run sim -- mutants` finds the others on the list too, in up to 300 seeds. */
const SOON = [
  'an answer that comes with others is left out',
  'an answer is heard before what the command did',
  'a show overtakes what waits behind the one before',
  'readers go by a frame whose news are still on their way',
  'a fact is recorded where the engine stands later',
]

describe('the daemon’s two threads', () => {
  test('break no rule in a range of seeds, and are the same again', () => {
    const { wrong } = tallyThreads(1, 100)
    expect(wrong).toEqual([])
    expect(tallyThreads(1, 10).hash).toBe(tallyThreads(1, 10).hash)
  }, 120_000)

  test.each(SOON)('show a planted bug in their first seeds: %s', (name) => dies(name, 20), 120_000)
})
