// A daemon that is the first process of a container: no init reaps what a process of it leaves.
import { spawn, spawnSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { CLI, Daemon, freePort } from './daemon-rig.js'
import { writeCodedWav } from './media-files.js'
import { processesWith } from './media-processes.js'

/** As a container has it: process ids of its own, of which the first one is what is started. */
const OWN_IDS = ['--pid', '--fork', '--mount-proc', '--kill-child']
const mayHaveOwnIds = spawnSync('unshare', [...OWN_IDS, 'true']).status === 0
if (!mayHaveOwnIds) process.stderr.write('the first process of a container is not tried\n')

const daemon = new Daemon()
afterAll(() => daemon.clean())

/** Processes that ended and that their parent has not asked about, by their names. */
const unreaped = (parent: number): readonly string[] =>
  readdirSync('/proc').filter((name) => /^\d+$/.test(name)).flatMap((pid) => {
    try {
      const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
      const [state, ppid] = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
      return state === 'Z' && Number(ppid) === parent ? [stat] : []
    } catch {
      return []
    }
  })

const begin = async (): Promise<number> => {
  const port = String(await freePort())
  const args = ['serve', '--show', daemon.show, '--port', port, '--sink', 'null']
  daemon.adopt(spawn('unshare', [...OWN_IDS, process.execPath, CLI, ...args], {
    env: { ...process.env, XDG_CACHE_HOME: daemon.folder },
    stdio: ['ignore', 'ignore', 'pipe'],
  }), `http://127.0.0.1:${port}/api/v1`)
  await daemon.until(() => daemon.status().then(() => true, () => false), 20_000)
  return processesWith(CLI, daemon.pid)[0] ?? 0
}

it.runIf(mayHaveOwnIds)('leaves none of the processes of its helpers unreaped', async () => {
  writeCodedWav(join(daemon.folder, 'bed.wav'), 48_000)
  daemon.writeShow([{ buttons: [{ media: 'bed.wav' }, { media: 'gone.wav' }] }])
  const first = await begin()
  expect(first).toBeGreaterThan(0)
  // What looked into the files has ended by then, and what made the waveform.
  const waves = join(daemon.folder, 'cartwall', 'waves')
  await daemon.until(() => Promise.resolve(existsSync(waves)
    && readdirSync(waves).some((name) => name.endsWith('.dat'))), 60_000)
  await daemon.until(() => Promise.resolve(
    processesWith('wave-host', first).length === 0
    && processesWith('decoder-host', first).length === 1), 20_000)
  // One of its own is unreaped for a moment as well; one that it did not start stays so.
  await expect.poll(() => unreaped(first), { timeout: 5000 }).toEqual([])
})
