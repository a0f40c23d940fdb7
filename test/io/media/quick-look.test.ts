// A question to the kernel in place of a look, and what is done where it does not answer.
import { statSync, type Stats } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { VirtualTimers } from '../../../src/clock/virtual.js'
import { fileStamp } from '../../../src/io/files/file-stamp.js'
import type { Look } from '../../../src/io/media/look/file-look.js'
import { QuickLook } from '../../../src/io/media/look/quick-look.js'

const facts = statSync(process.execPath)
const SEEN: Look = {
  kind: 'file', stamp: fileStamp(facts), disk: 1, changedMs: facts.ctimeMs, isMp4: false,
  seeking: 'exact', type: 'audio/wav',
}

describe('a disk that hangs after all', () => {
  it('is given 50 ms, and two questions at a time', async () => {
    const timers = new VirtualTimers(0)
    const answers: ((facts: Stats) => void)[] = []
    const quick = new QuickLook(timers, () => new Promise((resolve) => { answers.push(resolve) }))
    const first = quick.isSame('a.wav', SEEN)
    const second = quick.isSame('b.wav', SEEN)
    expect(quick.isSame('c.wav', SEEN)).toBeNull()
    timers.pass(50)
    expect(await Promise.all([first, second])).toEqual([false, false])
    // Both threads still wait in the kernel.
    expect(quick.isSame('c.wav', SEEN)).toBeNull()
    answers[0]?.(facts)
    await first
    await Promise.resolve()
    expect(quick.isSame('c.wav', SEEN)).not.toBeNull()
  })
})

describe('a file', () => {
  const quick = new QuickLook(new VirtualTimers(0))

  it('is the same as long as nothing of it changed', async () => {
    expect(await quick.isSame(process.execPath, SEEN)).toBe(true)
    expect(await quick.isSame(process.execPath, { ...SEEN, stamp: 'other' })).toBe(false)
    expect(await quick.isSame(process.execPath, { ...SEEN, changedMs: 1 })).toBe(false)
    expect(await quick.isSame(`${process.execPath}.not-there`, SEEN)).toBe(false)
  })

  it('that was not seen, or on a share, has to be looked at', () => {
    const unseen: readonly (Look | null)[] =
      [null, { kind: 'missing', message: 'gone' }, { ...SEEN, changedMs: null }]
    for (const seen of unseen) expect(quick.isSame(process.execPath, seen)).toBeNull()
  })
})
