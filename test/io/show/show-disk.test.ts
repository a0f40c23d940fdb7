// A show file on a disk that hangs: nobody waits for it, and it is read once it is back.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { realTimers } from '../../../src/clock/real.js'
import { VirtualTimers } from '../../../src/clock/virtual.js'
import { ShowDisk } from '../../../src/io/show/show-disk.js'

/** As far as nothing has to be waited for. */
const settled = () => new Promise((done) => setImmediate(done))

const hanging = () => {
  const timers = new VirtualTimers(0)
  const answers: (() => void)[] = []
  let returns = 0
  const disk = new ShowDisk('/share/show.json', timers, () => (returns += 1), () =>
    new Promise((answer) => { answers.push(answer) }))
  return { timers, answers, disk, returns: () => returns }
}

it('a disk that answers is read from, and is back from nowhere', async () => {
  const { answers, disk, returns } = hanging()
  for (let n = 0; n < 3; n += 1) {
    const asked = disk.answers()
    answers[n]?.()
    expect(await asked).toBe(true)
  }
  expect(returns()).toBe(0)
})

it('one that hangs is waited for for two seconds, once, and tells when it is back', async () => {
  const { timers, answers, disk, returns } = hanging()
  const first = disk.answers()
  timers.pass(2_000)
  await settled()
  timers.pass(100)
  expect(await first).toBe(false)
  // However often it is to be read: each question would keep a thread.
  expect([await disk.answers(), await disk.answers(), answers.length]).toEqual([false, false, 1])
  timers.pass(600_000)
  expect(returns()).toBe(0)
  answers[0]?.()
  await settled()
  expect(returns()).toBe(1)
  const again = disk.answers()
  answers[1]?.()
  expect(await again).toBe(true)
})

it('a machine that stood still asks no less than one that did not', async () => {
  const { timers, answers, disk, returns } = hanging()
  const asked = disk.answers()
  timers.stall(30_000)
  answers[0]?.()
  expect(await asked).toBe(true)
  await settled()
  expect(returns()).toBe(0)
})

it('a show that is not there is an answer', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'cartwall-disk-'))
  const told: string[] = []
  const disk = new ShowDisk(join(folder, 'none.json'), realTimers(), () => told.push('back'))
  expect(await disk.answers()).toBe(true)
  rmSync(folder, { recursive: true })
  expect(await disk.answers()).toBe(true)
  expect(told).toEqual([])
})
