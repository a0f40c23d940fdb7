// A bed that was stopped: by somebody, or by a service that ends in order and begins again.
import { describe, expect, it } from 'vitest'
import type { BedCalls } from '../../src/client/background-calls.js'
import { BedList } from '../../src/client/background-list.js'
import type { Running } from '../../src/client/background-phase.js'
import { lookAtRun } from '../../src/client/background-run.js'
import type { Execution, ServiceState } from '../../src/client/wire.js'

const STOPPED: Execution = {
  executionId: 'run', buttonId: 'bed', state: 'stopped', positionMs: 5, durationMs: 9,
  endReason: 'explicit_stop', starvedMs: 0, startMs: 0, endMs: null,
}

/** The phase after a look at a run that was stopped, in a service in this state. */
const seenBy = async (state: ServiceState) => {
  const calls = {
    execution: () => Promise.resolve(STOPPED),
    status: () => Promise.resolve({ state, active: [], paused: [] }),
  } as unknown as BedCalls
  const list = new BedList({ beds: ['bed'] }, () => Promise.resolve(), calls, () => undefined)
  const phase: Running = {
    kind: 'running', run: { buttonId: 'bed', executionId: 'run' }, execution: null,
    isPutAside: false, back: null,
  }
  list.phase = phase
  await lookAtRun(list, phase)
  return list.phase
}

describe('a bed that was stopped', () => {
  it.each(['ready', 'busy'] as const)('in a service that is %s was stopped by somebody',
    async (state) => {
      expect(await seenBy(state)).toMatchObject({ kind: 'halted', reason: 'explicit_stop' })
    })

  it('in a service that is shutting down was stopped by nobody: it is kept', async () => {
    expect(await seenBy('shutting_down')).toMatchObject({ kind: 'running', execution: null })
  })
})
