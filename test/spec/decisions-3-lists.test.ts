// Decisions 3, Sequence and Shuffle: what follows by itself, what is passed over, when a list ends.
import { describe, expect, it } from 'vitest'
import { frame } from '../../src/clock/frame.js'
import { NO_OPTIONS, type Command } from '../../src/engine/commands/commands.js'
import { constant, ms, played, rig, slow, type ButtonSpec, type Rig } from '../rig.js'

const short = { mediaMs: 1000 }
const sequence = { mode: 'sequence' as const }
const mix = { mixOnTransition: true, crossfadeMs: 400 }
const missing: ButtonSpec = { ...short, file: { missing: true } }
const broken: ButtonSpec = { ...short, file: { breaksAt: frame(0) } }

describe('sequence', () => {
  it('goes through the list in order and ends; with wrap it begins again', () => {
    for (const [wrap, want] of [[false, '012'], [true, '01201201']] as const) {
      const r = rig([{ ...sequence, wrap, buttons: [short, short, short] }])
      r.start(0)
      r.advance(ms(7500))
      expect(played(r).join('')).toBe(want)
    }
  })

  it('a manual playlist does not go on', () => {
    const r = rig([{ wrap: true, buttons: [short, short] }])
    r.start(0)
    r.advance(ms(5000))
    expect(played(r).join('')).toBe('0')
  })

  it('passes over other kinds, missing files, broken ones and buttons that have a run', () => {
    const r = rig([{ ...sequence, buttons: [
      short, { kind: 'image' }, { kind: 'navigation', media: null }, missing, broken,
      { ...short, allowOverlap: true }, short,
    ] }])
    const held = r.start(5)
    r.pause(5, held, 0)
    r.start(0)
    r.advance(ms(1500))
    expect(played(r).join('')).toBe('506')
    expect(r.state(held)).toBe('paused')
  })

  it('one fruitless round ends the list, with a word to the operator', () => {
    for (const mode of ['sequence', 'shuffle'] as const) {
      const r = rig([{ mode, wrap: true, buttons: [{}, missing, broken, missing] }])
      r.start(0)
      r.file(0, { missing: true })
      r.advance(ms(60_000))
      expect(played(r).join('')).toBe('0')
      const notices = r.events.filter((event) => event.kind === 'notice')
      expect(notices.map((event) => event.message))
        .toEqual(['the list ends: 4 could not be played'])
    }
  })

  it('where Mix finds nothing else to blend into, the item follows itself without a gap', () => {
    const r = rig([{ ...sequence, ...mix, wrap: true, buttons: [
      { ...short, file: slow(200) }, { ...short, allowOverlap: true },
    ] }])
    const held = r.start(1)
    r.pause(1, held, 0)
    r.start(0)
    r.advance(ms(3_500))
    const begins = r.events.flatMap((event) =>
      event.kind === 'run' && event.state === 'playing' ? [event.at / 48] : [])
    expect(begins).toEqual([0, 200, 1_200, 2_200, 3_200])
  })

  it('a list whose items break goes on, where each was heard for a second', () => {
    for (const [breaksMs, want] of [[900, '01'], [1_100, '0101010101']] as const) {
      const breaks = { mediaMs: 60_000, file: { breaksAt: frame(ms(breaksMs)) } }
      const r = rig([{ ...sequence, wrap: true, buttons: [breaks, breaks] }])
      r.start(0)
      r.advance(ms(10_500))
      expect(played(r).join('')).toBe(want)
    }
  })

  it('moves on where a decoder fails in mid-play, not where a manual start never sounds', () => {
    const breaks = { ...short, file: { breaksAt: frame(ms(300)) } }
    const r = rig([{ ...sequence, buttons: [breaks, short] }])
    r.start(0)
    r.advance(ms(500))
    expect(played(r).join('')).toBe('01')
    const never = rig([{ ...sequence, buttons: [broken, short] }])
    never.start(0)
    never.advance(ms(5000))
    expect(played(never).join('')).toBe('')
  })

  it('stays silent where its next item was paused while it started, and then proves broken', () => {
    const late = { ...short, file: { ...slow(3000), breaksAt: frame(0) } }
    const r = rig([{ ...sequence, buttons: [short, late, short] }])
    r.start(0)
    r.advance(ms(1500))
    const next = r.live(1)!
    expect(r.pause(1, next)).toMatchObject({ state: 'starting' })
    r.advance(ms(5000))
    expect(r.run(next)).toMatchObject({ state: 'failed', endReason: 'playback_error' })
    expect(played(r).join('')).toBe('0')
  })

  it('automatic starts carry no overrides', () => {
    const r = rig([{ ...sequence, buttons: [short, short, short] }])
    r.start(0, { pauseWhenReplaced: true, loopCrossfadeMs: 100 })
    r.advance(ms(1500))
    r.start(2)
    expect(r.story()).toContain('1 replaced')
  })

  it('automatic starts take their predecessor\'s place only: they replace nothing else', () => {
    const other = { mediaMs: 60_000, allowOverlap: true }
    const r = rig([{ ...sequence, ...mix, buttons: [short, short, short] }, { buttons: [other] }])
    r.start(0)
    const id = r.start(3)
    r.advance(ms(2500))
    expect(played(r).join('')).toBe('0312')
    expect(r.state(id)).toBe('playing')
  })

  it('not even what was accepted before their predecessor', () => {
    const other = { mediaMs: 60_000 }
    const r = rig([{ buttons: [other] }, { ...sequence, buttons: [short, short] }])
    const id = r.start(0)
    r.start(1, { allowOverlap: true })
    r.advance(ms(1500))
    expect(played(r).join('')).toBe('012')
    expect(r.state(id)).toBe('playing')
  })

  it('an explicit loop holds its list even where its decoder fails', () => {
    const breaks = { ...short, file: { breaksAt: frame(ms(300)) } }
    const r = rig([{ ...sequence, buttons: [breaks, short] }])
    r.start(0, { loop: true })
    r.advance(ms(5000))
    expect(played(r).join('')).toBe('0')
  })

  it('a padlock locked after the successor blended in comes too late: no silent loop', () => {
    const r = rig([{ ...sequence, ...mix, buttons: [short, { mediaMs: 60_000 }] }])
    const id = r.start(0, { loopCrossfadeMs: 0 })
    r.advance(ms(700))
    r.change(0, { isLoopEnabled: true })
    r.advance(ms(300))
    expect(r.run(id)).toMatchObject({ state: 'completed', endReason: 'natural_end' })
    expect(played(r).join('')).toBe('01')
  })

  it('a stop, a panic and a replacement suppress what would follow', () => {
    for (const end of ['stop', 'panic', 'replace']) {
      const r = rig([
        { ...sequence, ...mix, wrap: true, buttons: [short, short] }, { buttons: [short] },
      ])
      const id = r.start(0)
      r.advance(ms(500))
      if (end === 'stop') r.stop(0, id, 900)
      if (end === 'panic') r.code({ kind: 'panic', fadeOutMs: 900 })
      if (end === 'replace') r.start(2)
      r.advance(ms(5000))
      expect(r.live(1)).toBeNull()
      expect(r.media.open$.size).toBe(0)
    }
  })

  it('a stop of the button that just ended stops the search for its successor', () => {
    const late = { ...short, file: { checkedAfter: frame(ms(9000)) } }
    const r = rig([{ ...sequence, buttons: [short, late] }])
    r.start(0)
    r.advance(ms(2000))
    expect(r.stop(0)).toMatchObject({ result: 'already_stopped' })
    r.advance(ms(20_000))
    expect(played(r).join('')).toBe('0')
  })

  it('a slow successor starts late, from its first frame', () => {
    const r = rig([{ ...sequence, buttons: [short, { mediaMs: 9000, file: slow(8000) }] }])
    r.start(0)
    r.advance(ms(2500))
    expect(r.state(r.live(1)!)).toBe('starting')
    r.advance(ms(5600))
    expect(r.run(r.live(1)!)).toMatchObject({ state: 'playing', positionMs: 100 })
  })

  it('its saved Fade in applies at a gapless change', () => {
    const rising = { ...short, fadeInMs: 100, file: constant() }
    const r = rig([{ ...sequence, buttons: [short, rising] }])
    r.start(0)
    r.advance(ms(1000))
    const { left } = r.render(ms(200))
    expect(left[ms(50)]).toBeCloseTo(0.5, 6)
    expect(left[ms(100)]).toBe(1)
  })
})

describe('several runs of one list', () => {
  const late = { ...short, file: slow(300) }
  const over = { allowOverlap: true }

  it('what comes next is opened in time, whatever else of the list began or ended', () => {
    // The next of 0 is 1, until that is played by hand.
    const r = rig([{ ...sequence, buttons: [{ mediaMs: 3000 }, { mediaMs: 9000 }, late] }])
    r.start(0)
    r.advance(ms(1000))
    r.start(1, over)
    r.advance(ms(2500))
    expect(played(r).join('')).toBe('012')
    expect(r.events.at(-1)).toMatchObject({ buttonId: r.idOf(2), at: ms(3000), state: 'playing' })
  })

  it('a silent list takes the item it looked for, though one before it came free since', () => {
    const deaf = { ...short, file: { checkedAfter: frame(ms(1500)) } }
    const r = rig([{ ...sequence, buttons: [short, { mediaMs: 1200 }, deaf] }])
    r.start(1, { ...over, externalSequencing: true })
    r.start(0, over)
    r.advance(ms(1600))
    expect(played(r).join('')).toBe('102')
  })
})

describe('a show that changes under a list', () => {
  it('a vanished button plays on, still answers, and nothing follows it', () => {
    const r = rig([{ ...sequence, buttons: [short, short] }])
    const id = r.start(0)
    r.vanish(0)
    expect(r.code({ kind: 'play', buttonId: r.idOf(0), options: NO_OPTIONS }))
      .toBe('button_not_found')
    expect(r.pause(0, id, 0)).toMatchObject({ state: 'paused' })
    expect(r.resume(0, id, 0)).toMatchObject({ state: 'playing' })
    r.advance(ms(1000))
    expect(r.run(id)).toMatchObject({ state: 'completed', endReason: 'natural_end' })
    r.advance(ms(1000))
    expect(played(r).join('')).toBe('00')
    expect(r.code({ kind: 'stop', buttonId: r.idOf(0), executionId: null, fadeOutMs: null }))
      .toBe('button_not_found')
  })

  it('is told at once where what was to be followed vanishes, and once', () => {
    const list = { ...sequence, buttons: [short, short] }
    const told = (r: Rig): string[] =>
      r.events.flatMap((event) => event.kind === 'notice' ? [event.message] : [])
    const followed = rig([list])
    const id = followed.start(0)
    followed.vanish(0)
    followed.change(1, { title: 'another word' })
    expect(followed.events.filter(({ kind }) => kind === 'notice')).toEqual([{
      kind: 'notice', at: 0, buttonId: followed.idOf(0), executionId: id,
      message: 'its button left the show: nothing will follow it',
    }])
    const looping = rig([{ ...list, buttons: [{ ...short, isLoopEnabled: true }, short] }])
    looping.start(0)
    const single = rig([{ buttons: [short, short] }])
    single.start(0)
    const fading = rig([list])
    fading.stop(0, fading.start(0), 500)
    const own = rig([list])
    own.start(0, { externalSequencing: true })
    for (const r of [looping, single, fading, own]) {
      r.vanish(0)
      expect(told(r)).toEqual([])
    }
  })

  it('an image whose button vanished stays until it is stopped', () => {
    const r = rig([{ buttons: [{ kind: 'image' }, {}] }])
    r.start(0)
    r.vanish(0)
    const stop: Command = {
      kind: 'stop', buttonId: r.idOf(0), executionId: null, fadeOutMs: null,
    }
    expect(r.player.status().active).toMatchObject([{ id: r.idOf(0) }])
    expect(r.code(stop)).toBe('stopped')
    expect(r.player.status().active).toEqual([])
    expect(r.code(stop)).toBe('button_not_found')
  })

  it('a silent list goes on looking for what is still its next item, whatever was edited', () => {
    const r = rig([{ ...sequence, buttons: [
      short, { ...short, file: { checkedAfter: frame(ms(3000)) } }, short,
    ] }])
    r.start(0)
    r.advance(ms(2000))
    r.change(1, { fadeInMs: 250 })
    r.change(2, { title: 'another word' })
    r.advance(ms(1100))
    expect(played(r).join('')).toBe('01')
    const told = r.events.findLast(({ kind }) => kind === 'run')
    expect(told).toMatchObject({ at: ms(3000), state: 'playing' })
  })

  it('a silent list looks for another item where the one it looked for is gone', () => {
    const r = rig([{ ...sequence, buttons: [
      short, { ...short, file: { checkedAfter: frame(ms(3_600_000)) } }, short,
    ] }])
    r.start(0)
    r.advance(ms(2000))
    r.vanish(1)
    r.advance(ms(100))
    expect(played(r).join('')).toBe('02')
  })

  it('what became a picture while it plays keeps its place in the list', () => {
    const r = rig([{ ...sequence, buttons: [short, short, short] }])
    r.start(1)
    r.advance(ms(500))
    r.change(1, { kind: 'image' })
    r.advance(ms(2000))
    expect(played(r).join('')).toBe('12')
  })

  it('a prepared successor that vanished or changed is chosen anew', () => {
    const r = rig([{ ...sequence, buttons: [short, short, short] }])
    r.start(0)
    r.advance(ms(500))
    r.vanish(1)
    r.advance(ms(1000))
    expect(played(r).join('')).toBe('02')
    expect(r.media.open$.size).toBe(1)
  })
})
