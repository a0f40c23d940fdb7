// A show file that is written wrongly, or taken away, while its bed loops: nothing changes, the log
// says where it is wrong, requests do not wait for it, and a good one is taken afterwards.
import { execFileSync } from 'node:child_process'
import {
  mkdirSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync,
} from 'node:fs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { button } from '../daemon-rig.js'
import { FaultRig } from './fault-rig.js'

const rig = new FaultRig()
const { daemon } = rig
let good = ''
beforeAll(async () => {
  await rig.begin([], [])
  good = readFileSync(daemon.show, 'utf8')
})
afterAll(() => daemon.clean())

/** Puts a file in the place of the show at once, as editors do. */
const put = (text: string | Buffer): void => {
  writeFileSync(`${daemon.show}.new`, text)
  renameSync(`${daemon.show}.new`, daemon.show)
}

const clear = (): void => rmSync(daemon.show, { recursive: true, force: true })

/** A show with one more button is taken, and the bed plays through it. */
const takesGood = async (): Promise<void> => {
  clear()
  put(good.replace('"b2"', `"b2 ${String(performance.now())}"`))
  const title = async (): Promise<string> => (await daemon.buttons()).buttons[1]?.title ?? ''
  const before = await title()
  await daemon.until(async () => (await title()) !== before, 10_000)
  await rig.stillLoops()
}

const DEEP = `${'['.repeat(200_000)}${']'.repeat(200_000)}`
/** Told by its place, or by why it cannot be read. */
const WRONG: readonly (readonly [what: string, text: () => string | Buffer, told: RegExp])[] = [
  ['an empty file', () => '', /JSON|empty/i],
  ['half a file', () => good.slice(0, good.length / 2), /JSON|line/i],
  ['UTF-16', () => Buffer.from(`\ufeff${good}`, 'utf16le'), /UTF-8|JSON/i],
  ['zeros, as a full disk leaves them', () => Buffer.alloc(4_096), /JSON/i],
  ['a list', () => '[]', /object|expected/i],
  ['200 000 brackets', () => DEEP, /deep|JSON|nest|object/i],
  ['a wrong value', () => good.replace('"allowOverlap":true', '"allowOverlap":5'),
    /playlists\[0\]\.buttons\[0\]\.allowOverlap/],
  ['an id twice', () => good.replace(button(2), button(1)), /playlists\[0\]\.buttons\[1\]\.id/],
]

describe('a show that is wrong', () => {
  it.each(WRONG)('%s changes nothing, and the log says why', async (_what, text, told) => {
    const from = daemon.log.length
    await rig.beside(async () => {
      put(text())
      await daemon.until(() => Promise.resolve(told.test(daemon.log.slice(from))), 8_000)
    })
    expect((await daemon.buttons()).buttons).toHaveLength(2)
    await rig.plays(2, 2_000)
    await rig.stillLoops()
  })
})

describe('a show that is no file', () => {
  it.each([
    ['gone', clear],
    ['a folder', () => {
      clear()
      mkdirSync(daemon.show)
    }],
    ['a pipe', () => {
      clear()
      execFileSync('mkfifo', [daemon.show])
    }],
    ['a link to itself', () => {
      clear()
      symlinkSync(daemon.show, daemon.show)
    }],
  ])('%s: what there was plays on, and a good one is taken afterwards', async (_what, act) => {
    await rig.beside(async () => {
      act()
      process.kill(daemon.pid, 'SIGHUP')
      await rig.plays(2, 3_000)
    })
    expect((await daemon.buttons()).buttons).toHaveLength(2)
    await rig.beside(takesGood)
  })
})

describe('a show that is large', () => {
  const large = (): string => {
    const show = JSON.parse(good) as { playlists: { buttons: object[] }[] }
    const { buttons } = show.playlists[0]!
    const more = Array.from({ length: 10_000 }, (_, n) => ({ ...buttons[1], id: button(n + 100) }))
    return JSON.stringify({ ...show, playlists: [
      { ...show.playlists[0]!, buttons: [...buttons, ...more] },
    ] })
  }
  it.each([
    ['10 000 buttons more', large, 10_002],
    ['20 MB of its own data', () =>
      `{"x-data": ${JSON.stringify(Array.from({ length: 1_000_000 }, (_, n) => `no ${n}`))},`
      + good.slice(1), 2],
    ['a million escapes', () => `{"x-data": "${'\\u0041'.repeat(1_000_000)}",${good.slice(1)}`, 2],
  ] as const)('%s: it is taken, and no request waited', async (_what, text, count) => {
    await takesGood()
    await rig.beside(async () => {
      put(text().replace('"title":"test"', '"title":"large"'))
      await daemon.until(async () => (await daemon.status()).show === 'large', 20_000)
    })
    expect((await daemon.buttons()).buttons).toHaveLength(count)
    await rig.stillLoops()
    await takesGood()
  })
})

describe('beside all of that', () => {
  it('the bed was heard without a break', () => rig.judge())
})
