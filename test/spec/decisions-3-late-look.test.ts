// A list that is silent while a disk is slow, and whose show is edited meanwhile (decisions 3).
import { expect, it } from 'vitest'
import { frame } from '../../src/clock/frame.js'
import { virtualFile } from '../../src/testing/media.js'
import { ms, rig } from '../rig.js'

it('starts what it looked for with the settings of the show of that moment', () => {
  const slow = { checkedAfter: frame(ms(10_000)) }
  const next = { mediaMs: 9_000, file: slow }
  const r = rig([{ mode: 'sequence', buttons: [{ mediaMs: 1_000 }, next] }])
  r.start(0)
  r.advance(ms(2_000))
  r.change(1, { startMs: 4_000, fadeInMs: 500 })
  // The look that was under way is not begun anew.
  r.advance(ms(9_200))
  const [item] = r.player.status().active
  expect(item).toMatchObject({ state: 'playing' })
  expect(r.player.execution(item!.executionId!)).toMatchObject({ startMs: 4_000 })
})

it('does not take the look at one file for that at the file of an edited show', () => {
  // The disk hangs, and the edit names a copy elsewhere, which is there; the old file is not.
  const hung = { checkedAfter: frame(ms(10_000)), missing: true }
  const next = { mediaMs: 30_000, file: hung }
  const r = rig([{ mode: 'sequence', buttons: [{ mediaMs: 1_000 }, next, {}] }])
  r.start(0)
  r.advance(ms(2_000))
  r.media.files.set('/elsewhere', virtualFile(ms(30_000)))
  r.change(1, { media: '/elsewhere' })
  r.advance(ms(12_000))
  expect(r.story().filter((line) => line.endsWith('playing'))).toEqual(['0 playing', '1 playing'])
})
