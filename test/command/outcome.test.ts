// How a command speaks: one line for one thing, and of what takes long how far it is.
import { describe, expect, it } from 'vitest'
import { VirtualTimers } from '../../src/clock/virtual.js'
import { complain, inWords, say } from '../../src/command/outcome.js'
import { startProgress } from '../../src/command/progress.js'
import { listening } from './command-output.js'

const said = listening()

it.each([
  ['it is so', 'it is so'], ['a\nb', 'a b'], ['a \r\n  b\n\n\nc\n', 'a b c'], ['  a  b ', 'a  b'],
])('%j is one line on stderr', (message, line) => {
  complain(message)
  expect(said).toEqual({ out: '', err: `cartwall: ${line}\n` })
})

it('a name that holds what a terminal would obey is one line, and shown', () => {
  say('nl\nx.wav, \u001b[31mred.wav, rtl\u202egnp.wav, zwölf 🎉.wav')
  complain('\u001b[2J')
  expect(said.out).toBe('nl\\u000ax.wav, \\u001b[31mred.wav, rtl\\u202egnp.wav, zwölf 🎉.wav\n')
  expect(said.err).toBe('cartwall: \\u001b[2J\n')
})

it('what nobody foresaw is told with its place, but for one that a person can mend', () => {
  const bug = new Error('a bug')
  expect(inWords(bug)).toBe(`${String(bug.stack)}\n`)
  const gone = Object.assign(new Error('gone'), { code: 'ENOENT' })
  expect(inWords(gone)).toBe(`${String(gone.stack)}\n`)
  expect(inWords('thrown')).toBe('thrown\n')
  const nowhere = Object.assign(new Error('gone'), { code: 'ENOENT', syscall: 'uv_cwd' })
  expect(inWords(nowhere)).toMatch(/^cartwall: the folder that it was started in is gone: .*\n$/)
  const few = Object.assign(new Error('too many open files'), { code: 'EMFILE' })
  expect(inWords(few)).toMatch(/^cartwall: it may open too few files .*ulimit -n.*\n$/)
})

describe('progress', () => {
  const begun = (total: number) => {
    const timers = new VirtualTimers(0)
    return { timers, progress: startProgress('looking into files', total, timers) }
  }
  const line = (done: number): string => `cartwall: looking into files: ${done} of 9\n`

  it('is not told where it takes less than a second', () => {
    const { timers, progress } = begun(9)
    for (let n = 0; n < 9; n += 1) progress.step()
    timers.pass(900)
    progress.end()
    timers.pass(10_000)
    expect(said).toEqual({ out: '', err: '' })
  })

  it('is told each second, and at its end', () => {
    const { timers, progress } = begun(9)
    progress.step()
    timers.pass(1_000)
    progress.step()
    progress.step()
    timers.pass(1_500)
    for (let n = 0; n < 6; n += 1) progress.step()
    progress.end()
    timers.pass(10_000)
    expect(said).toEqual({ out: '', err: line(1) + line(3) + line(9) })
    expect(timers.size).toBe(0)
  })
})
