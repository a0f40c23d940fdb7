// The sound thread hangs: nothing can be played by such a daemon, so it ends, and says why.
import { execFileSync } from 'node:child_process'
import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { button, Daemon } from '../daemon-rig.js'
import { writeFloatWav } from '../media-files.js'

const daemons: Daemon[] = []
afterAll(async () => {
  for (const daemon of daemons) await daemon.clean()
})

/** Ten seconds without an answer, and what its end may take. */
const ENDS_MS = 30_000

/** Run in each thread before its program; the sound's, the only other one, then hangs on demand. */
const hook = (folder: string, hang: string): string => `
const { existsSync, readFileSync, writeFileSync } = require('node:fs')
if (!require('node:worker_threads').isMainThread) setInterval(() => {
  if (!existsSync('${join(folder, 'go')}')) return
  writeFileSync('${join(folder, 'hangs')}', '')
  ${hang}
}, 10).unref()
`

it.concurrent.each([
  {
    how: 'in a wait of its own',
    hang: () => 'Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0)',
    code: 1,
    signal: null,
  },
  // A read that the system does not end, as of a share that is away.
  {
    how: 'in a read that never ends',
    hang: (folder: string) => `readFileSync('${join(folder, 'pipe')}')`,
    code: null,
    signal: 'SIGKILL',
  },
])('a sound thread that hangs $how: the log says so, and the daemon ends', async (
  { hang, code, signal },
) => {
  const daemon = new Daemon()
  daemons.push(daemon)
  const file = (name: string): string => join(daemon.folder, name)
  execFileSync('mkfifo', [file('pipe')])
  writeFloatWav(file('bed.wav'), 4_800_000, () => [0, 0])
  writeFileSync(file('hook.cjs'), hook(daemon.folder, hang(daemon.folder)))
  daemon.writeShow([{ buttons: [{ media: 'bed.wav' }] }])
  await daemon.start(['--sink', `wav:${daemon.wav}`], { NODE_OPTIONS: `-r ${file('hook.cjs')}` })
  const run = await daemon.play(1)
  await daemon.state(run, ['playing'])
  const ended = new Promise((done) => daemon.child?.once('exit', (...how) => done(how)))
  writeFileSync(file('go'), '')
  await daemon.until(() => Promise.resolve(existsSync(file('hangs'))), 5_000)
  // What is commanded meanwhile is answered in time.
  expect((await daemon.post(`/buttons/${button(1)}/stop`)).status).toBe(500)
  await daemon.until(() => Promise.resolve(daemon.child?.exitCode !== null ||
    daemon.child.signalCode !== null), ENDS_MS)
  expect(await ended).toEqual([code, signal])
  expect(daemon.log).toContain('the sound thread hangs')
}, 60_000)
