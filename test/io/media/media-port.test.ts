// Whether a medium is there, as the engine hears it: a disk that hangs is away, and says so.
import { chmodSync, mkdtempSync, rmSync, statSync, unlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { VirtualTimers } from '../../../src/clock/virtual.js'
import type { Fact } from '../../../src/engine/ports.js'
import type { Look } from '../../../src/io/media/look/file-look.js'
import { FfmpegMedia, headBounds, MEDIA_DEFAULTS } from '../../../src/io/media/media-port.js'

// Other files of this process may have loaded what is made up here.
vi.hoisted(() => vi.resetModules())

/** In place of the process that looks: what each file answers; null: nothing ever. */
const looks = new Map<string, Look | null>()
const asked: (readonly [path: string, patienceMs: number])[] = []
vi.mock('../../../src/io/media/decoder/decoder-link.js', () => ({
  DecoderLink: class {
    look(path: string, patienceMs: number): Promise<Look> {
      asked.push([path, patienceMs])
      const look = looks.get(path) ?? null
      return look === null ? new Promise(() => undefined) : Promise.resolve(look)
    }

    close(): Promise<void> {
      return Promise.resolve()
    }
  },
}))

const HERE: Look = {
  kind: 'file', stamp: 'a', disk: 1, own: null, isMp4: false, seeking: 'exact',
  type: 'audio/wav',
}

let timers: VirtualTimers
let media: FfmpegMedia
let facts: Fact[]
beforeEach(() => {
  timers = new VirtualTimers(0)
  facts = []
  looks.clear()
  asked.length = 0
  looks.set('here.wav', HERE)
  media = new FfmpegMedia({
    ...MEDIA_DEFAULTS, env: {}, timers, post: (fact) => facts.push(fact), recheckMs: null,
  })
})
afterEach(() => media.closeAll())

/** All that was told so far, once what was promised has settled. */
const told = async (): Promise<readonly Fact[]> => {
  for (let turn = 0; turn < 5; turn += 1) await Promise.resolve()
  return facts.splice(0)
}

describe('a look at a medium', () => {
  it.each([
    ['a file is there', HERE, true, {}],
    ['what is missing is not', { kind: 'missing', message: 'the file is missing' }, false, {}],
    ['a disk that does not answer is away, and why is told',
      { kind: 'unavailable', message: 'its disk does not answer' }, false,
      { trouble: 'its disk does not answer' }],
  ] as const)('%s', async (_what, look, found, why) => {
    looks.set('one.wav', look)
    media.check(7, 'one.wav', 'command')
    expect(await told()).toEqual([{ kind: 'checked', ticket: 7, found, ...why }])
  })

  it.each([['command', 500], ['list', 2_000]] as const)(
    'gives its disk, for a %s, %i ms', async (asker, patienceMs) => {
      media.check(1, 'here.wav', asker)
      await told()
      expect(asked).toEqual([['here.wav', patienceMs]])
    })

  // E.g. where ffmpeg itself hangs, and the process that waits for it: no disk is at fault.
  it('that nobody can tell anything of is away after four seconds', async () => {
    media.check(2, 'hangs.wav', 'command')
    timers.pass(3_999)
    expect(await told()).toEqual([])
    timers.pass(1)
    const trouble = 'the decoding process does not answer: see whether `ffmpeg -h` ends'
    expect(await told()).toEqual([{ kind: 'checked', ticket: 2, found: false, trouble }])
  })
})

describe('a file on a disk of this machine that was seen already', () => {
  let folder: string
  let path: string
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'cartwall-look-'))
    path = join(folder, 'logo.png')
    writeFileSync(path, 'one')
    see({})
    media.setImages([path])
  })
  afterEach(() => rmSync(folder, { recursive: true }))

  /** What the process that looks would say of the file as it is. */
  const see = (other: { readonly own?: null }): void => {
    const { size, mtimeMs, ctimeMs, ino } = statSync(path)
    const own = { changedMs: ctimeMs, isDirect: true }
    looks.set(path, { ...HERE, stamp: `${size}:${mtimeMs}:${ino}`, own, ...other })
  }

  const checked = async (ticket: number): Promise<Fact | undefined> => {
    media.check(ticket, path, 'command')
    return vi.waitFor(() => {
      const fact = facts.shift()
      expect(fact).toMatchObject({ kind: 'checked', ticket })
      return fact
    }, { interval: 1 })
  }

  it('is looked at once, as long as it stays as it is', async () => {
    expect(await checked(1)).toMatchObject({ found: true })
    for (const ticket of [2, 3]) expect(await checked(ticket)).toMatchObject({ found: true })
    expect(asked).toHaveLength(1)
  })

  it.each([
    ['is written', () => writeFileSync(path, 'another')],
    ['may not be read any more', () => {
      const before = statSync(path).ctimeMs
      // A file system's time has grains of some milliseconds.
      while (statSync(path).ctimeMs === before) chmodSync(path, 0)
    }],
    ['is gone', () => unlinkSync(path)],
  ])('is looked at anew once it %s', async (_what, change) => {
    await checked(1)
    change()
    looks.set(path, { kind: 'missing', message: 'the file is missing' })
    expect(await checked(2)).toEqual({ kind: 'checked', ticket: 2, found: false })
    expect(asked).toHaveLength(2)
  })

  it('is looked at each time where its disk may hang', async () => {
    see({ own: null })
    for (const ticket of [1, 2]) expect(await checked(ticket)).toMatchObject({ found: true })
    expect(asked).toHaveLength(2)
  })
})

describe('armed heads', () => {
  const MB = 1024 * 1024
  it.each([
    ['a container of 304 MB', 304, 38, 38],
    ['a small computer', 1024, 128, 128],
    ['a laptop', 8 * 1024, 256, 1024],
  ])('in %s take an eighth of its memory at most', (_, memory, comfort, most) => {
    expect(headBounds(memory * MB)).toEqual({ budgetBytes: comfort * MB, mostBytes: most * MB })
  })

  it('take no more than ten thousand buttons need, however much there is', () => {
    expect(headBounds(64 * 1024 * MB)).toEqual({
      budgetBytes: 256 * MB, mostBytes: 1_200_000_000,
    })
  })
})
