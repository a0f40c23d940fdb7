// Programs that run apart are named by text: each name must still be a file.
import { ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test, vi } from 'vitest'
import {
  compiledProgram, forgetNearModules, startedProcess, wantsProcessor,
} from '../../src/io/programs.js'

const ROOT = resolve(import.meta.dirname, '../..')

test('every program that the sources name is there, and is built to where it is looked for', () => {
  const names = readdirSync(resolve(ROOT, 'src'), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts'))
    .flatMap((file) => [...readFileSync(resolve(ROOT, 'src', file), 'utf8')
      .matchAll(/\b(?:compiledProgram|forkProgram)\('([^']+)'[),]/g)])
    .map((match) => match[1]!)
  expect(names.length).toBeGreaterThanOrEqual(6)
  for (const name of names) {
    expect(existsSync(resolve(ROOT, 'src', `${name}.ts`)), name).toBe(true)
    expect(fileURLToPath(compiledProgram(name))).toBe(resolve(ROOT, 'dist', `${name}.js`))
  }
})

test.each([
  ['', true],
  ['--max-old-space-size=512 --enable-source-maps', true],
  ['--import=file:///srv/trace.mjs', true],
  ['--require /srv/trace.cjs -r "/srv/two words.cjs" --import data:text/javascript,', true],
  ['--require ./trace.cjs', false],
  ['--max-old-space-size=512 --import=../trace.mjs', false],
  ['-r "./two words.cjs"', false],
  ['--import tracer/register', false],
  ['--import /srv/trace.mjs --experimental-loader=./trace.mjs', false],
])('of NODE_OPTIONS %j threads and processes get all: %s', (options, all) => {
  const environment: NodeJS.ProcessEnv = { NODE_OPTIONS: options }
  forgetNearModules(environment)
  expect(environment['NODE_OPTIONS']).toBe(all ? options : undefined)
})

test.runIf(existsSync('/proc/self/task'))(
  'a process that works wants a processor, one that waits or is gone wants none', async () => {
    expect(wantsProcessor(process)).toBe(true)
    const idle = spawn('cat', { stdio: ['pipe', 'pipe', 'ignore'] })
    idle.stdin.write('.')
    await once(idle.stdout, 'data')
    await vi.waitFor(() => { expect(wantsProcessor(idle)).toBe(false) }, 5_000)
    idle.kill('SIGKILL')
    await once(idle, 'close')
    expect(wantsProcessor(idle)).toBe(false)
  })

test.each([
  ['throws', () => { throw new Error('spawn ENOMEM') }],
  ['gives one without pipes', () => new ChildProcess()],
])('where a start %s, a kill signals nobody', (_, start) => {
  const sent = vi.spyOn(ChildProcess.prototype, 'kill').mockReturnValue(true)
  const child = startedProcess(start)
  child.on('error', () => undefined)
  const told = [child.kill('SIGKILL'), ...sent.mock.calls]
  sent.mockRestore()
  expect(told).toEqual([false])
})
