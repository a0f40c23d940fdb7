// Each process of the daemon is killed, hung, or held up while a bed loops: nobody hears of it.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { button, delay } from '../daemon-rig.js'
import { FaultRig } from './fault-rig.js'

const rig = new FaultRig()
beforeAll(() => rig.begin([], []))
afterAll(() => rig.daemon.clean())

/** Sends a signal to a process, which may have ended since it was looked for. */
const signal = (pid: number, name: NodeJS.Signals): void => {
  try {
    process.kill(pid, name)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}

/** Sends a signal to each process of that name; another one must do its work afterwards. */
const strike = async (name: string, how: NodeJS.Signals): Promise<readonly number[]> => {
  const struck = rig.processes(name)
  expect(struck.length).toBeGreaterThan(0)
  for (const pid of struck) signal(pid, how)
  await rig.beside(() => rig.plays(2, 8_000))
  await rig.stillLoops()
  return struck
}

describe('while a bed loops', () => {
  it.each(['decoder-host', 'log-process'])('%s is killed: another one goes on', async (name) => {
    const struck = await strike(name, 'SIGKILL')
    await rig.daemon.until(() => {
      const there = rig.processes(name)
      return Promise.resolve(there.length > 0 && there.every((pid) => !struck.includes(pid)))
    }, 5_000)
  })

  it('decoder-host hangs: it is found out and replaced', async () => {
    const struck = await strike('decoder-host', 'SIGSTOP')
    await rig.daemon.until(() => {
      const there = rig.processes('decoder-host')
      return Promise.resolve(there.some((pid) => !struck.includes(pid)))
      // One that has only just begun, in the place of the one before, is waited for longer.
    }, 15_000)
    await rig.plays(2, 5_000)
  })

  it('log-process hangs: everything is answered, and it goes on where it stopped', async () => {
    const struck = await strike('log-process', 'SIGSTOP')
    for (const pid of struck) process.kill(pid, 'SIGCONT')
    await rig.daemon.post(`/buttons/${button(2)}/stop`)
    await rig.daemon.until(async () => (await rig.daemon.status()).log.state === 'ok', 5_000)
  })

  it('all of them are killed at once, three times', async () => {
    for (let n = 0; n < 3; n += 1) {
      for (const pid of rig.processes('')) signal(pid, 'SIGKILL')
      await rig.beside(() => rig.plays(2, 8_000))
      await rig.stillLoops()
    }
  })

  it('the daemon itself stands still for a moment: it goes on where it was', async () => {
    process.kill(rig.daemon.pid, 'SIGSTOP')
    await delay(700)
    process.kill(rig.daemon.pid, 'SIGCONT')
    await rig.plays(2, 5_000)
    await rig.stillLoops()
  })

  it('forty starts and stops in a second leave no descriptor and no process behind', async () => {
    await rig.plays(2, 5_000)
    // The decoding and the logging process, which were killed a moment ago.
    await rig.daemon.until(() => Promise.resolve(rig.processes('').length >= 2), 10_000)
    const before = { open: rig.descriptors(), processes: rig.processes('').length }
    for (let n = 0; n < 40; n += 1) await rig.plays(2, 5_000)
    await rig.daemon.until(() => Promise.resolve(
      rig.descriptors() <= before.open + 2 && rig.processes('').length <= before.processes), 20_000)
  })

  it('and the bed was heard without a break through all of it', () => rig.judge())
})
