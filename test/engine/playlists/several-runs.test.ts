// Several runs of one list at once: what one of them does to what follows another (decisions 3).
import { expect, it } from 'vitest'
import { ms, rig, slow } from '../../rig.js'

const over = { allowOverlap: true }
const sequence = { mode: 'sequence' as const }

it('an item whose run ends while there is time follows, and is opened in time', () => {
  // The next of 0 is 2, until the run of 1 has ended; it takes 300 ms until it sounds.
  const late = { mediaMs: 6_000, file: slow(300) }
  const r = rig([{ ...sequence, buttons: [{ mediaMs: 9_000 }, late, {}] }])
  r.start(1, { ...over, externalSequencing: true })
  r.start(0, over)
  r.advance(ms(9_500))
  expect(r.events.at(-1)).toMatchObject({ buttonId: r.idOf(1), at: ms(9_000), state: 'playing' })
})

it('an item whose run ends on the very frame on which it is wanted follows', () => {
  const r = rig([{ ...sequence, buttons: [{ mediaMs: 1_000 }, { mediaMs: 1_000 }] }])
  r.start(1, { ...over, externalSequencing: true })
  r.start(0, over)
  r.advance(ms(1_500))
  expect(r.events.at(-1)).toMatchObject({ buttonId: r.idOf(1), at: ms(1_000), state: 'playing' })
})
