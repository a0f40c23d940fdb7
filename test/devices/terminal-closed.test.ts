// The terminal in which the daemon was started is closed: its window, or its ssh.
import { spawn, spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it, vi } from 'vitest'
import { CLI, freePort } from './daemon-rig.js'

const folder = mkdtempSync(join(tmpdir(), 'cartwall-terminal-'))
afterAll(() => {
  rmSync(folder, { recursive: true })
})

it.skipIf(spawnSync('script', ['--version']).status !== 0)(
  'the daemon goes on, and a later SIGTERM ends it with 0', async () => {
    const port = await freePort()
    const [pid, code] = [join(folder, 'pid'), join(folder, 'code')]
    const daemon = `"${process.execPath}" "${CLI}" serve --sink null --port ${port}`
    // The shell outlives its terminal, to tell how the daemon ended.
    const line = `trap "" HUP; ${daemon} & echo $! > "${pid}"; wait $!; echo $? > "${code}"`
    const terminal = spawn('script', ['-qfec', line, '/dev/null'], { stdio: 'ignore' })
    const api = `http://127.0.0.1:${port}/api/v1`
    const status = async (): Promise<unknown> => (await fetch(`${api}/status`)).json()
    const within = { timeout: 20_000, interval: 50 }
    await vi.waitFor(async () => expect(await status()).toMatchObject({ state: 'ready' }), within)
    terminal.kill('SIGKILL')
    await vi.waitFor(async () => {
      // It has something to say, which nobody can read.
      expect((await fetch(`${api}/stop`, { method: 'POST' })).status).toBe(200)
      expect(await status()).toMatchObject({ state: 'ready', log: { state: 'failing' } })
    }, within)
    process.kill(Number(readFileSync(pid, 'utf8')), 'SIGTERM')
    await vi.waitFor(() => expect(existsSync(code)).toBe(true), within)
    await vi.waitFor(() => expect(readFileSync(code, 'utf8')).toBe('0\n'), within)
  })
