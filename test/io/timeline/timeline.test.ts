// Timelines in cartwall's own files: what a lamp shows at a frame.
import { mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { frame, msToFrames } from '../../../src/clock/frame.js'
import { buildTimeline } from '../../../src/engine/lighting/timeline-build.js'
import { SLOTS, cursorsOf, evaluate } from '../../../src/engine/lighting/timeline.js'
import { compileText, compileTimelineFile } from '../../../src/io/timeline/timeline-file.js'
import { ms, rig } from '../../rig.js'
import { at, compiled, faultsOf } from './timeline-rig.js'
import fc from 'fast-check'

const FILE = {
  format: 'dmx-timeline', version: 1, name: 'Winner fanfare', durationMs: 8000,
  fixtures: [{
    id: 'spot1', universe: 0, address: 1,
    channels: [{ name: 'dimmer' }, { name: 'pan', resolution: 16 }],
  }],
  tracks: [
    {
      target: { fixture: 'spot1', channel: 'dimmer' },
      keyframes: [[0, 0], [1000, 255, 'linear'], [8000, 0]],
    },
    {
      target: { fixture: 'spot1', channel: 'pan' },
      keyframes: [[1000, 0, 'linear'], [2000, 65535]],
    },
    {
      target: { universe: 1, channel: 512 },
      keyframes: [[0, 0, 'linear'], [500, 255, 'smooth'], [1000, 0]],
    },
  ],
}

describe('the JSON of a timeline', () => {
  const timeline = compiled(JSON.stringify(FILE))

  it('steps hold until the next keyframe, linear ones travel', () => {
    expect(at(timeline, 0)[0]?.[0]).toBe(0)
    expect(at(timeline, 999)[0]?.[0]).toBe(0)
    expect(at(timeline, 1000)[0]?.[0]).toBe(255)
    expect(at(timeline, 4500)[0]?.[0]).toBe(128)
    expect(at(timeline, 8000)[0]?.[0]).toBe(0)
  })

  it.each([
    ['16 bits on the last two slots', 511, [{ name: 'dimmer', resolution: 16 }]],
    ['8 bits on the last', 512, [{ name: 'dimmer' }]],
  ])('a fixture may reach up to slot 512: %s', (_what, address, channels) => {
    const lamp = { id: 'lamp', universe: 0, address, channels }
    const tracks = [{ target: { fixture: 'lamp', channel: 'dimmer' }, keyframes: [[0, 200]] }]
    const last = compiled(JSON.stringify({ ...FILE, fixtures: [lamp], tracks }))
    expect(at(last, 0)[0]?.[511]).toBe(200)
  })

  it('interpolates 16 bits whole, then splits them coarse and fine', () => {
    const pan = (ms: number): number[] => [...(at(timeline, ms)[0]?.slice(1, 3) ?? [])]
    expect(pan(0)).toEqual([0, 0])
    expect(pan(1500)).toEqual([0x80, 0x00])
    expect(pan(1250)).toEqual([0x40, 0x00])
    expect(pan(1001)).toEqual([0x00, 66])
    expect(pan(7999)).toEqual([255, 255])
  })

  it('smooth is p·p·(3-2p)', () => {
    const last = (ms: number): number | undefined => at(timeline, ms)[1]?.[511]
    expect(last(250)).toBe(128)
    expect(last(625)).toBe(Math.round(255 * (1 - 0.25 * 0.25 * (3 - 0.5))))
    expect(last(750)).toBe(128)
    expect(last(1000)).toBe(0)
    expect(last(8000)).toBe(0)
  })

  it('holds the first value before its keyframe, and the last one of two at the same time', () => {
    const jump = compiled(JSON.stringify({
      ...FILE,
      tracks: [{
        target: { universe: 7, channel: 1 },
        keyframes: [[100, 9, 'linear'], [200, 19], [200, 200], [300, 1]],
      }],
    }))
    expect([0, 100, 150, 199, 200, 299, 300].map((ms) => at(jump, ms)[0]?.[0]))
      .toEqual([9, 9, 14, 19, 200, 200, 1])
  })

  it('the last value holds whatever its curve, beside tracks of universes in any order', () => {
    const tracks = [100, 9, 10].map((universe) => ({
      target: { universe, channel: 1 }, keyframes: [[0, 0, 'linear'], [1_000, universe, 'linear']],
    }))
    const rising = compiled(JSON.stringify({ ...FILE, tracks }))
    expect([...rising.universes]).toEqual([9, 10, 100])
    for (const ms of [1_000, 1_500, 8_000]) {
      expect(at(rising, ms).map(([first]) => first)).toEqual([9, 10, 100])
    }
  })

  it('unknown keys and keyframes past the end do no harm, and are noted by their place', () => {
    const [fixture] = FILE.fixtures
    const result = compileText(JSON.stringify({
      ...FILE,
      $schema: './timeline.schema.json',
      'x-ours': 1,
      loop: true,
      fixtures: [{ ...fixture, adress: 3, channels: [{ name: 'dimmer', bits: 16 }] }],
      tracks: [
        {
          target: { universe: 1, channel: 2, resolutoin: 16 }, curve: 'linear',
          keyframes: [[8_000, 1], [8_001, 2], [9_000, 3]],
        },
        { target: { universe: 1, channel: 3, resolution: 8 }, keyframes: [[8_001, 1]] },
      ],
    }))
    expect(result.ok && result.notes.map(({ place }) => place)).toEqual([
      'loop', 'fixtures[0].adress', 'fixtures[0].channels[0].bits', 'tracks[0].curve',
      'tracks[0].target.resolutoin', 'tracks[0].keyframes[1]', 'tracks[1].keyframes[0]',
    ])
    const whole = compileText(JSON.stringify(FILE))
    expect(whole.ok && whole.notes).toEqual([])
  })

  it('what a target says otherwise than its fixture is noted: the fixture is gone by', () => {
    const target = { fixture: 'spot1', channel: 'dimmer' }
    const notes = (more: object): unknown => {
      const tracks = [{ target: { ...target, ...more }, keyframes: [[0, 1]] }]
      const result = compileText(JSON.stringify({ ...FILE, tracks }))
      return result.ok && result.notes
    }
    expect(notes({ universe: 0, resolution: 8 })).toEqual([])
    expect(notes({ universe: 4, resolution: 16 })).toEqual([
      { place: 'tracks[0].target.universe', message: 'is passed over: its fixture says 0' },
      { place: 'tracks[0].target.resolution', message: 'is passed over: its fixture says 8' },
    ])
  })

  it('a cursor gives the same values in any order of asking', () => {
    const keyframe = fc.tuple(
      fc.integer({ min: 0, max: 400 }), fc.integer({ min: 0, max: 255 }),
      fc.constantFrom('step' as const, 'linear' as const, 'smooth' as const),
    )
    fc.assert(fc.property(
      fc.array(fc.array(keyframe, { minLength: 1, maxLength: 40 }), { minLength: 1, maxLength: 4 }),
      fc.array(fc.integer({ min: -5, max: 450 }), { maxLength: 60 }),
      (tracks, asked) => {
        const made = buildTimeline(frame(500), tracks.map((keyframes, slot) => {
          const sorted = [...keyframes].sort((a, b) => a[0] - b[0])
          return {
            universe: 3, slot, wide: false, at: sorted.map((k) => k[0]),
            value: sorted.map((k) => k[1]), curve: sorted.map((k) => k[2]),
          }
        }))
        const cursors = cursorsOf(made)
        for (const position of asked) {
          const warm = [new Uint8Array(SLOTS)]
          const cold = [new Uint8Array(SLOTS)]
          evaluate(made, cursors, position, warm)
          evaluate(made, cursorsOf(made), position, cold)
          expect(warm).toEqual(cold)
          tracks.forEach((keyframes, slot) => {
            const exact = [...keyframes].sort((a, b) => a[0] - b[0])
              .filter((k) => k[0] === position).at(-1)
            if (exact !== undefined) expect(warm[0]?.[slot]).toBe(exact[1])
          })
        }
      },
    ), { numRuns: 300 })
  })
})

describe('what is refused, by its place', () => {
  const track = (keyframes: unknown, target: unknown = { universe: 0, channel: 9 }) =>
    ({ ...FILE, tracks: [{ target, keyframes }] })
  /** The first fixture of the file with some changes, or another one. */
  const fixture = (changes: unknown) => ({
    ...FILE, tracks: [],
    fixtures: [typeof changes === 'object' ? { ...FILE.fixtures[0], ...changes } : changes],
  })

  it.each<[string, unknown, string]>([
    ['no object', [], 'file'],
    ['another format', { ...FILE, format: 'x' }, 'format'],
    ['another version', { ...FILE, version: 2 }, 'version'],
    ['no duration', { ...FILE, durationMs: 0 }, 'durationMs'],
    ['a negative duration', { ...FILE, durationMs: -1 }, 'durationMs'],
    ['less than a frame', { ...FILE, durationMs: 0.01 }, 'durationMs'],
    ['text as a duration', { ...FILE, durationMs: '8000' }, 'durationMs'],
    ['unsorted times', track([[10, 0], [5, 0]]), 'tracks[0].keyframes[1][0]'],
    ['a negative time', track([[-1, 0]]), 'tracks[0].keyframes[0][0]'],
    ['a value above 255', track([[0, 256]]), 'tracks[0].keyframes[0][1]'],
    ['a value below 0', track([[0, -1]]), 'tracks[0].keyframes[0][1]'],
    ['a fraction', track([[0, 0.5]]), 'tracks[0].keyframes[0][1]'],
    ['an unknown curve', track([[0, 0, 'bounce']]), 'tracks[0].keyframes[0][2]'],
    ['a bare number', track([5]), 'tracks[0].keyframes[0]'],
    ['no keyframes', track([]), 'tracks[0].keyframes'],
    ['no target', track([[0, 0]], null), 'tracks[0].target'],
    [
      'an unknown fixture', track([[0, 0]], { fixture: 'x', channel: 'y' }),
      'tracks[0].target.fixture',
    ],
    [
      'an unknown channel', track([[0, 0]], { fixture: 'spot1', channel: 'y' }),
      'tracks[0].target.channel',
    ],
    ['channel 0', track([[0, 0]], { universe: 0, channel: 0 }), 'tracks[0].target.channel'],
    ['channel 513', track([[0, 0]], { universe: 0, channel: 513 }), 'tracks[0].target.channel'],
    [
      'universe 32768', track([[0, 0]], { universe: 32768, channel: 1 }),
      'tracks[0].target.universe',
    ],
    [
      '16 bits at slot 512', track([[0, 0]], { universe: 0, channel: 512, resolution: 16 }),
      'tracks[0].target.channel',
    ],
    ['a fixture beyond 512', {
      ...FILE, tracks: [],
      fixtures: [{ id: 'a', universe: 0, address: 512, channels: [{ name: 'p', resolution: 16 }] }],
    }, 'fixtures[0].channels[0]'],
    [
      'a fixture twice', { ...FILE, fixtures: [...FILE.fixtures, ...FILE.fixtures] },
      'fixtures[1].id',
    ],
    ['two tracks on one slot', {
      ...FILE,
      tracks: [...FILE.tracks, { target: { universe: 0, channel: 3 }, keyframes: [[0, 1]] }],
    }, 'tracks[3].target'],
    ['a name that is no text', { ...FILE, name: 7 }, 'name'],
    ['fixtures that are no list', { ...FILE, fixtures: {} }, 'fixtures'],
    ['tracks that are no list', { ...FILE, tracks: {} }, 'tracks'],
    ['no tracks', { ...FILE, tracks: undefined }, 'tracks'],
    ['a track that is none', { ...FILE, tracks: [7] }, 'tracks[0]'],
    ['keyframes that are no list', track(7), 'tracks[0].keyframes'],
    ['a track without keyframes', track(undefined), 'tracks[0].keyframes'],
    ['a keyframe of a time alone', track([[5]]), 'tracks[0].keyframes[0]'],
    ['a keyframe of four', track([[5, 0, 'step', 0]]), 'tracks[0].keyframes[0]'],
    ['text as a time', track([['5', 0]]), 'tracks[0].keyframes[0][0]'],
    ['a time beyond all frames', track([[1e300, 0]]), 'tracks[0].keyframes[0][0]'],
    ['12 bits', track([[0, 0]], { universe: 0, channel: 1, resolution: 12 }),
      'tracks[0].target.resolution'],
    ['a value above 16 bits', track([[0, 65_536]], { universe: 0, channel: 1, resolution: 16 }),
      'tracks[0].keyframes[0][1]'],
    ['16 bits on the slot of another track', {
      ...FILE, tracks: [
        { target: { universe: 9, channel: 8 }, keyframes: [[0, 1]] },
        { target: { universe: 9, channel: 7, resolution: 16 }, keyframes: [[0, 1]] },
      ],
    }, 'tracks[1].target'],
    ['a fixture that is none', fixture(7), 'fixtures[0]'],
    ['a fixture without a name', fixture({ id: '' }), 'fixtures[0].id'],
    ['a fixture named by a number', fixture({ id: 7 }), 'fixtures[0].id'],
    ['a fixture at no address', fixture({ id: 'a', address: 0 }), 'fixtures[0].address'],
    ['a fixture in no universe', fixture({ id: 'a', universe: -1 }), 'fixtures[0].universe'],
    ['a fixture of one universe too many', fixture({ id: 'a', universe: 32_768 }),
      'fixtures[0].universe'],
    ['a channel without a name', fixture({ id: 'a', channels: [{ name: '' }] }),
      'fixtures[0].channels[0]'],
    ['a channel named by a number', fixture({ id: 'a', channels: [{ name: 7 }] }),
      'fixtures[0].channels[0]'],
    ['a channel that is none', fixture({ id: 'a', channels: [null] }), 'fixtures[0].channels[0]'],
    ['a channel of 12 bits', fixture({ id: 'a', channels: [{ name: 'p', resolution: 12 }] }),
      'fixtures[0].channels[0].resolution'],
    ['a channel twice in a fixture', fixture({ id: 'a', channels: [{ name: 'p' }, { name: 'p' }] }),
      'fixtures[0].channels[1].name'],
    ['a key twice', '{"format":"dmx-timeline","format":"dmx-timeline"}', 'format'],
  ])('%s', (_, file, place) => {
    expect(faultsOf(file)).toContain(place)
  })

  it('broken text is told where it breaks, and nothing else of it', () => {
    expect(faultsOf('{"format":')).toEqual(['line 1, column 11'])
  })

  it('names every fault, not the first one only', () => {
    expect(faultsOf({ ...track([[5, 300], [1, 0, 'x']]), durationMs: -1 })).toEqual([
      'durationMs', 'tracks[0].keyframes[0][1]', 'tracks[0].keyframes[1][0]',
      'tracks[0].keyframes[1][2]',
    ])
  })

  it('says which slot two tracks drive, and which track has it', () => {
    const on = (universe: number, channel: number) =>
      ({ target: { universe, channel }, keyframes: [[0, 1]] })
    const file = compileText(JSON.stringify({ ...FILE, tracks: [on(0, 1), on(9, 7), on(9, 7)] }))
    const message = 'slot 7 of universe 9 is driven by tracks[1] already'
    expect(file.ok ? [] : file.faults).toEqual([{ place: 'tracks[2].target', message }])
    // Slots apart, however near their numbers are.
    expect(faultsOf({ ...FILE, tracks: [on(0, 2), on(512, 1), on(1, 1), on(0, 512)] })).toEqual([])
    // Where a universe is no universe nobody knows what two tracks share.
    expect(faultsOf({ ...FILE, tracks: [on(-1, 1), on(-1, 1)] }))
      .toEqual(['tracks[0].target.universe', 'tracks[1].target.universe'])
  })

  it('names what is wrong with keyframes whose target is wrong too', () => {
    const wrong = track([[5, 0], [1, 70_000, 'x']], { universe: 0, channel: 513 })
    expect(faultsOf(wrong)).toEqual([
      'tracks[0].target.channel', 'tracks[0].keyframes[1][0]', 'tracks[0].keyframes[1][1]',
      'tracks[0].keyframes[1][2]',
    ])
  })

  it.each<[string, object, string]>([
    ['one that stands twice', { channels: [{ name: 'other' }] }, 'fixtures[1].id'],
    ['one without channels', { id: 'b', channels: 'all' }, 'fixtures[1].channels'],
    ['one at slot 600', { id: 'b', address: 600 }, 'fixtures[1].address'],
  ])('a fixture with a fault: %s is named, its tracks are not', (_, changes, place) => {
    const [spot] = FILE.fixtures
    const target = { fixture: 'id' in changes ? 'b' : 'spot1', channel: 'x' }
    const fixtures = [spot, { ...spot, ...changes }]
    expect(faultsOf({ ...track([[0, 0]], target), fixtures })).toEqual([place])
  })

  it('a length that no frame can count; the longest that is read is played', () => {
    const long = (durationMs: number) =>
      compileText(JSON.stringify({ ...track([[0, 255]]), durationMs }))
    let [most, beyond] = [1, Number.MAX_SAFE_INTEGER]
    while (beyond - most > 1) {
      const middle = Math.floor((most + beyond) / 2)
      if (long(middle).ok) most = middle
      else beyond = middle
    }
    const dmx = { timelineId: 't', loop: false, durationFrames: msToFrames(most), error: null }
    const r = rig([{ buttons: [{ dmx }] }])
    r.advance(ms(100_000))
    r.start(0)
    r.advance(ms(1_000))
    expect(r.player.status().lights.timelines[0]?.positionMs).toBe(1_000)
  })

  it('more than a million keyframes', () => {
    const many = Array.from({ length: 1_000_001 }, (_, i) => [i, 0])
    expect(faultsOf(track(many))).toEqual(['tracks'])
    expect(faultsOf(track(many.slice(1)))).toEqual([])
  })

  it('a file of more than 32 MiB', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'cartwall-timeline-'))
    const path = join(folder, 'long.json')
    const ofBytes = async (bytes: number): Promise<unknown> => {
      truncateSync(path, bytes)
      return compileTimelineFile(path)
    }
    writeFileSync(path, JSON.stringify(FILE).padEnd(33_554_433))
    try {
      const message = 'is too large: 33554433 bytes, at most 33554432 are read'
      expect(await ofBytes(33_554_433)).toEqual({ ok: false, faults: [{ place: 'file', message }] })
      expect(await ofBytes(33_554_432)).toMatchObject({ ok: true })
    } finally {
      rmSync(folder, { recursive: true })
    }
  })
})
