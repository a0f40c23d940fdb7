// A button that an edit moves to another playlist while it plays: the playlist is read when it is
// needed (decisions 3, "Captured at a start"), so from then on it goes by the new one.
import { expect, it } from 'vitest'
import { Catalogue } from '../../../src/engine/catalogue.js'
import { constant, ms, rig, type ListSpec, type Rig } from '../../rig.js'

/** The first button of the first list goes to the beginning of the second. */
const move = (r: Rig): void => {
  const [from, to] = r.engine.catalogue.playlists
  const [button, ...rest] = from!.buttons
  const moved = { ...button!, playlistId: to!.id }
  const playlists = [{ ...from!, buttons: rest }, { ...to!, buttons: [moved, ...to!.buttons] }]
  r.player.post({ kind: 'catalogue', catalogue: new Catalogue({ title: 'moved', playlists }) })
}

const moved = (from: Partial<ListSpec>, to: Partial<ListSpec>, mediaMs = 20_000): Rig => {
  const flat = { mediaMs, file: constant() }
  const r = rig([{ ...from, buttons: [flat, flat] }, { ...to, buttons: [flat, flat] }])
  r.start(0)
  r.advance(ms(1_000))
  move(r)
  return r
}

it('its fades are those of its new playlist', () => {
  const mix = { mixOnTransition: true, crossfadeMs: 700 }
  for (const [from, to, want] of [[mix, {}, 'stopped'], [{}, mix, 'fading_out']] as const) {
    const r = moved(from, to)
    expect(r.stop(0)).toMatchObject({ result: want })
    r.advance(ms(700))
    expect(r.live(0)).toBeNull()
  }
})

it('its new playlist goes on after it, or none does', () => {
  const sequence = { mode: 'sequence' as const }
  for (const [from, to, want] of [
    [sequence, {}, []], [{}, sequence, ['2 playing']], [sequence, sequence, ['2 playing']],
  ] as const) {
    const r = moved(from, to)
    r.advance(ms(19_500))
    expect(r.story().slice(2).filter((line) => line.endsWith('playing'))).toEqual(want)
  }
})

it('is read as what it is now in the catalogue, under its run', () => {
  const r = moved({ title: 'old' }, { title: 'new' })
  const entry = r.player.buttons().buttons.find(({ id }) => id === r.idOf(0))
  expect(entry).toMatchObject({ playlistTitle: 'new', isPlaying: true })
  expect(entry?.executionId).toBe(r.live(0))
})
