// Which threads are to run before others: on which machines, and by which ids.
import { expect, it, vi } from 'vitest'
import { helperThreads, hurryLights, urgentThreads } from '../../src/io/thread-priority.js'

const ENGINE = 4_712
const LIGHTS = 4_715
const machine = vi.hoisted(() => ({
  processors: 2, threads: '', limits: '', niceness: 0, asked: [] as string[],
}))

vi.mock('node:os', async (original) => ({
  ...await original<object>(),
  availableParallelism: () => machine.processors,
  setPriority: (niceness: number) => {
    machine.niceness = niceness
    if (machine.limits === '') throw new Error('EACCES')
  },
}))
vi.mock('node:child_process', async (original) => ({
  ...await original<object>(),
  execFile: (file: string, asked: readonly string[]) => {
    machine.asked.push([file, ...asked].join(' '))
  },
}))
vi.mock('node:fs', async (original) => ({
  ...await original<object>(),
  readlinkSync: () => machine.threads,
  readFileSync: () => machine.limits,
  // The first, V8's five, one that waits for signals, the engine's.
  readdirSync: () => [4_700, 4_701, 4_702, 4_703, 4_704, 4_705, 4_706, ENGINE].map(String),
}))

const limits = (soft: string, hard: string): string => [
  'Limit                     Soft Limit           Hard Limit           Units     ',
  'Max realtime priority     20                   20                   ',
  `Max realtime timeout      ${soft.padEnd(20)} ${hard.padEnd(20)} us        `,
  '',
].join('\n')

const NO_BOUND = limits('unlimited', 'unlimited')
const engine = { thread: ENGINE, priority: 3 }
const requests = { thread: process.pid, priority: 2 }
const helpers = [4_701, 4_702, 4_703, 4_704, 4_705].map((thread) => ({ thread, priority: 1 }))

it.runIf(process.platform === 'linux').each([
  ['the engine before the requests, and both before helpers', 2, ENGINE, NO_BOUND,
    [...helpers, engine, requests]],
  ['neither requests nor helpers on the only processor', 1, ENGINE, NO_BOUND, [engine]],
  ['no requests where a pause is asked for', 2, ENGINE, limits('200000', '200000'), [engine]],
  ['nor where it could be', 2, ENGINE, limits('unlimited', '200000'), [engine]],
  ['nor where nobody knows', 2, ENGINE, '', [engine]],
  ['one thread once', 2, process.pid, NO_BOUND,
    [...helpers, { ...engine, thread: process.pid }]],
  ['none where a system has no ids', 2, null, NO_BOUND, []],
])('has %s', (_, processors, thread, text, expected) => {
  Object.assign(machine, {
    processors, limits: text, threads: thread === null ? '' : `${process.pid}/task/${thread}`,
  })
  expect(urgentThreads()).toEqual(expected)
  expect(helperThreads()).toEqual(processors > 1 && text === NO_BOUND ? helpers : [])
})

it.runIf(process.platform === 'linux').each([
  ['alone, where there are more processors', 2, NO_BOUND, ['chrt -R -r -p 1 4715']],
  ['not at all on the only processor', 1, NO_BOUND, []],
  ['not where a pause is asked for', 2, limits('200000', '200000'), []],
  ['not where niceness is refused, and nobody knows', 2, '', []],
])('asks for the lights %s', (_, processors, text, asked) => {
  Object.assign(machine, {
    processors, limits: text, threads: `${process.pid}/task/${LIGHTS}`, niceness: 0, asked: [],
  })
  hurryLights()
  expect(machine.asked).toEqual(asked)
  expect(machine.niceness).toBe(-10)
})
