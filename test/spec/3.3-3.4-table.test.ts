// Sections 3.3 and 3.4 as one table: options x padlock x mode x Mix x what happens on the way.
import { describe, expect, it } from 'vitest'
import type { PlaylistMode } from '../../src/contract/vocabulary.js'
import { ms, rig, type Rig } from '../rig.js'

interface Row {
  readonly externalSequencing: boolean
  readonly loop: boolean | null
  readonly padlock: boolean
  readonly mode: PlaylistMode
  readonly mix: boolean
  readonly way: 'straight' | 'paused' | 'pause taken back' | 'replaced' | 'replaced into pause'
}

const rows: Row[] = []
for (const externalSequencing of [false, true]) {
  for (const loop of [null, false, true]) {
    for (const padlock of [false, true]) {
      for (const mode of ['manual', 'sequence', 'shuffle'] as const) {
        for (const mix of [false, true]) {
          for (const way of [
            'straight', 'paused', 'pause taken back', 'replaced', 'replaced into pause',
          ] as const) rows.push({ externalSequencing, loop, padlock, mode, mix, way })
        }
      }
    }
  }
}

const LENGTH = 1000
const CROSS = 200
/** The frame of the run's own playing at which something is done to it. */
const TOUCHED = 400

/** 3.3 and 3.4 in the words of the document, apart from how the engine puts it. */
const expected = (row: Row): 'loops' | 'goes on' | 'ends' => {
  if (row.loop === true) return 'loops'
  const savedLoop = row.loop === null && row.padlock && !row.externalSequencing
  if (savedLoop) return 'loops'
  return row.mode !== 'manual' && !row.externalSequencing ? 'goes on' : 'ends'
}

const touch = (r: Rig, row: Row, id: string): void => {
  if (row.way === 'paused') {
    r.pause(0, id, 0)
    r.advance(ms(5000))
    r.resume(0, id, 0)
  } else if (row.way === 'pause taken back') {
    r.pause(0, id, 100)
    r.advance(ms(50))
    r.resume(0, id, 0)
  } else if (row.way !== 'straight') {
    r.start(2)
    r.advance(ms(2000))
    if (row.way === 'replaced') return
    expect(r.state(id)).toBe('paused')
    r.resume(0, id, 0)
    r.advance(ms(300))
  }
}

describe.each(rows.map((row) => [Object.values(row).map(String).join(' '), row] as const))(
  'externalSequencing, loop, padlock, mode, Mix, way: %s', (_, row) => {
    it('does as 3.3 and 3.4 say', () => {
      const { externalSequencing, loop, padlock, mode, mix } = row
      const settings = { mode, mixOnTransition: mix, crossfadeMs: CROSS }
      const r = rig([
        {
          ...settings,
          buttons: [{ mediaMs: LENGTH, isLoopEnabled: padlock }, { mediaMs: 60_000 }],
        },
        { buttons: [{ mediaMs: 60_000, fadeOutMs: 10 }] },
      ])
      const pauseWhenReplaced = row.way === 'replaced into pause'
      const id = r.start(0, { externalSequencing, loop, pauseWhenReplaced })
      r.advance(ms(TOUCHED))
      touch(r, row, id)
      if (row.way === 'replaced') {
        expect(r.run(id)).toMatchObject({ state: 'stopped', endReason: 'replaced' })
        expect(r.live(1)).toBeNull()
        return
      }
      const position = r.run(id).positionMs
      const what = expected(row)
      const blends = mix && what === 'goes on'
      // One frame before anything may change, everything is as it was.
      r.advance(ms(LENGTH - position - (blends ? CROSS : 0)) - 1)
      expect([r.state(id), r.live(1)]).toEqual(['playing', null])
      r.advance(1)
      expect(r.live(1) !== null).toBe(what === 'goes on')
      if (blends) r.advance(ms(CROSS))
      if (what === 'loops') {
        const start = mix ? CROSS : 0
        expect(r.run(id)).toMatchObject({ state: 'playing', positionMs: start, endReason: null })
        r.advance(ms(10 * (LENGTH - start)))
        expect(r.run(id)).toMatchObject({ state: 'playing', positionMs: start })
      } else {
        expect(r.run(id)).toMatchObject({
          state: 'completed', endReason: 'natural_end', positionMs: LENGTH,
        })
        r.advance(ms(1000))
        expect(r.live(1) !== null).toBe(what === 'goes on')
      }
      expect(r.player.buttons().buttons[0]?.isLoopEnabled).toBe(padlock)
    })
  },
)
