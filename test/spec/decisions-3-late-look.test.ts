// A list that is silent while a disk is slow, and what comes meanwhile (decisions 3).
import { expect, it } from 'vitest'
import { frame } from '../../src/clock/frame.js'
import { virtualFile } from '../../src/testing/media.js'
import { ms, rig, type Rig } from '../rig.js'

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

/** Its first item ended a second ago; the look at the next one takes eight seconds more. */
const looking = (): Rig => {
  const next = { mediaMs: 1_000, file: { checkedAfter: frame(ms(9_000)) } }
  const r = rig([{ mode: 'sequence', buttons: [{ mediaMs: 1_000 }, next] }])
  r.start(0)
  r.advance(ms(2_000))
  return r
}
const lose = (r: Rig): void => {
  r.player.post({ kind: 'output_lost', message: 'it is gone' })
}

it.each<[string, (r: Rig) => void]>([
  ['there is a panic', (r) => r.code({ kind: 'panic', fadeOutMs: null })],
  ['the output is lost', lose],
  ['the output is lost and comes back', (r) => {
    lose(r)
    r.player.post({ kind: 'output_back' })
  }],
])('starts nothing any more where meanwhile %s', (_name, happens) => {
  const r = looking()
  happens(r)
  r.advance(ms(20_000))
  expect(r.story()).toEqual(['0 starting', '0 playing', '0 natural_end'])
})

it.each([
  ['over everything does not end it', true, ['0', '2', '1']],
  ['that replaces ends it', false, ['0', '2']],
])('a start %s', (_name, allowOverlap, begun) => {
  const next = { mediaMs: 1_000, file: { checkedAfter: frame(ms(9_000)) } }
  const r = rig([
    { mode: 'sequence', buttons: [{ mediaMs: 1_000 }, next] },
    { buttons: [{ mediaMs: 500, allowOverlap }] },
  ])
  r.start(0)
  r.advance(ms(2_000))
  r.start(2)
  r.advance(ms(20_000))
  const playing = r.story().filter((line) => line.endsWith('playing'))
  expect(playing.map((line) => line.split(' ')[0])).toEqual(begun)
})

it('is stopped by the id of the run that ended, and by none; not by an older run of it', () => {
  const after = (stop: (r: Rig, older: string, newer: string) => unknown): readonly string[] => {
    const next = { mediaMs: 1_000, file: { checkedAfter: frame(ms(9_000)) } }
    const r = rig([{ mode: 'sequence', buttons: [{ mediaMs: 1_000 }, next] }])
    const older = r.start(0)
    r.advance(ms(100))
    const newer = r.start(0, {}, 'restart')
    r.advance(ms(2_000))
    expect(stop(r, older, newer)).toMatchObject({ result: 'already_stopped' })
    r.advance(ms(20_000))
    return r.story().filter((line) => line.startsWith('1 '))
  }
  const goesOn = ['1 starting', '1 playing', '1 natural_end']
  expect(after((r, older) => r.stop(0, older))).toEqual(goesOn)
  expect(after((r, _older, newer) => r.stop(0, newer))).toEqual([])
  expect(after((r) => r.stop(0))).toEqual([])
})

it('looks anew where the item that ended is started again, even over what plays', () => {
  const r = looking()
  r.start(0, { allowOverlap: true })
  r.advance(ms(20_000))
  const [, , next] = r.events.filter((event) => event.kind === 'run' && event.state === 'playing')
  expect(next).toMatchObject({ buttonId: r.idOf(1), at: ms(11_000) })
})

it('what was opened before a pause is looked for anew at the resume: it may be gone', () => {
  const r = rig([{ mode: 'sequence', buttons: [{}, {}, {}] }])
  const id = r.start(0)
  r.advance(ms(7_000))
  r.pause(0, id, 0)
  r.media.files.delete(r.buttons[1]!.media!)
  r.advance(ms(3_600_000))
  r.resume(0, id, 0)
  r.advance(ms(4_000))
  expect(r.story().filter((line) => line.endsWith('playing'))).toEqual([
    '0 playing', '0 playing', '2 playing',
  ])
})

it('a stop ends what a button plays and what is looked for behind an earlier run of it', () => {
  const slow = { checkedAfter: frame(ms(10_000)) }
  const over = { mediaMs: 3_000, allowOverlap: true }
  const list = { mode: 'sequence' as const, wrap: true }
  const r = rig([{ ...list, buttons: [{ mediaMs: 2_000 }, { file: slow }, over] }])
  r.start(0)
  r.start(2)
  r.advance(ms(4_000))
  expect(r.story().at(-1)).toBe('0 playing')
  r.stop(0)
  r.advance(ms(30_000))
  expect(r.story().at(-1)).toBe('0 explicit_stop')
})
