// The show that the sound thread plays to itself: it goes the whole way of a press, in short turns.
import { describe, expect, it } from 'vitest'
import { FRAMES_PER_MS } from '../../src/clock/frame.js'
import { warmUp, warmUpInTurns } from '../../src/sound/warm-up.js'

describe('the warm-up', () => {
  it('starts, replaces, pauses, resumes and stops, and sends what sounds to its device', () => {
    const steps = warmUp()
    let turns = 0
    let step = steps.next()
    for (; step.done !== true; step = steps.next()) turns += 1
    expect(step.value.answers).toEqual([202, 202, 200, 200, 200])
    // Three times 150 ms sound, and each has 120 ms in stock when it ends.
    expect(step.value.frames / FRAMES_PER_MS).toBeGreaterThan(450)
    expect(step.value.frames / FRAMES_PER_MS).toBeLessThan(600)
    // A command that comes meanwhile waits for a turn of 10 ms of it, not for all 3.6 s.
    expect(turns).toBe(360)
  })

  it('leaves off where something is asked of the thread', async () => {
    let left = 5
    let others = 0
    await new Promise<void>((done) => {
      const turn = (): void => {
        others += 1
        if (others < 20) setImmediate(turn)
        else done()
      }
      warmUpInTurns(() => {
        left -= 1
        return left > 0
      })
      setImmediate(turn)
    })
    // It was asked five times, in turns of its own; nothing of it came after.
    expect(left).toBe(0)
  })
})
