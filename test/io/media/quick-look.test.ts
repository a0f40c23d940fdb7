// A question to the kernel in place of a look, and what is done where it does not answer.
import { statSync, type Stats } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { VirtualTimers } from '../../../src/clock/virtual.js'
import { fileStamp } from '../../../src/io/files/file-stamp.js'
import type { Look } from '../../../src/io/media/look/file-look.js'
import { QuickLook, type KernelFacts } from '../../../src/io/media/look/quick-look.js'

const facts = statSync(process.execPath)
const LOOK = {
  kind: 'file', stamp: fileStamp(facts), disk: 1,
  own: { changedMs: facts.ctimeMs, isDirect: true }, isMp4: false, seeking: 'exact',
  type: 'audio/wav',
} satisfies Look
const LATELY = { look: LOOK, atMs: 0 }
const LONG_AGO = { look: LOOK, atMs: -60_000 }

/** A kernel whose answers through a thread come when they are let go. */
const slowKernel = (answers: ((facts: Stats) => void)[]): KernelFacts => ({
  now: () => { throw new Error('the disk may have to be asked') },
  soon: () => new Promise((resolve) => { answers.push(resolve) }),
})

describe('a disk that hangs after all', () => {
  it('is given 50 ms, and two questions at a time', async () => {
    const timers = new VirtualTimers(0)
    const answers: ((facts: Stats) => void)[] = []
    const quick = new QuickLook(timers, slowKernel(answers))
    const first = quick.isSame('a.wav', LONG_AGO)
    const second = quick.isSame('b.wav', LONG_AGO)
    expect(quick.isSame('c.wav', LONG_AGO)).toBeNull()
    timers.pass(50)
    expect(await Promise.all([first, second])).toEqual([false, false])
    // Both threads still wait in the kernel.
    expect(quick.isSame('c.wav', LONG_AGO)).toBeNull()
    answers[0]?.(facts)
    await first
    await Promise.resolve()
    expect(quick.isSame('c.wav', LONG_AGO)).not.toBeNull()
  })
})

describe.each([['lately', LATELY], ['long ago', LONG_AGO]])('a file seen %s', (_when, seen) => {
  const quick = new QuickLook(new VirtualTimers(0))
  const isSame = (path: string, other: Partial<typeof LOOK> = {}) =>
    quick.isSame(path, { ...seen, look: { ...LOOK, ...other } })

  it('is the same as long as nothing of it changed', async () => {
    expect(await isSame(process.execPath)).toBe(true)
    expect(await isSame(process.execPath, { stamp: 'other' })).toBe(false)
    expect(await isSame(process.execPath, { own: { ...LOOK.own, changedMs: 1 } })).toBe(false)
    expect(await isSame(`${process.execPath}.not-there`)).toBe(false)
    expect(await isSame(`${process.execPath}/no-folder`)).toBe(false)
  })
})

describe('a file', () => {
  it('that was seen within a minute is in the kernel\'s memory, which answers at once', () => {
    const timers = new VirtualTimers(0)
    const asked: string[] = []
    const quick = new QuickLook(timers, {
      now: (path) => {
        asked.push(path)
        return facts
      },
      soon: () => Promise.resolve(facts),
    })
    timers.pass(59_999)
    expect(quick.isSame('/shows/bed.wav', LATELY)).toBe(true)
    expect(asked).toEqual(['/shows/bed.wav'])
    timers.pass(1)
    expect(quick.isSame('/shows/bed.wav', LATELY)).toBeInstanceOf(Promise)
    expect(asked).toHaveLength(1)
  })

  it('to which a link or a share is on the way is asked after through a thread', () => {
    const quick = new QuickLook(new VirtualTimers(0), slowKernel([]))
    const linked = { look: { ...LOOK, own: { ...LOOK.own, isDirect: false } }, atMs: 0 }
    expect(quick.isSame('/shows/bed.wav', linked)).toBeInstanceOf(Promise)
  })

  it('that was not seen, or on a share, has to be looked at', () => {
    const quick = new QuickLook(new VirtualTimers(0))
    const gone: Look = { kind: 'missing', message: 'gone' }
    const unseen = [null, gone, { ...LOOK, own: null }]
      .map((look) => look && { look, atMs: 0 })
    for (const seen of unseen) expect(quick.isSame(process.execPath, seen)).toBeNull()
  })
})
