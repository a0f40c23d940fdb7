// What `cartwall check` says of settings that do nothing, and of media as far as they are known.
import { describe, expect, it } from 'vitest'
import { frame } from '../../src/clock/frame.js'
import { settingNotes, stageNotes, type Probes } from '../../src/command/check-notes.js'
import type { Show } from '../../src/engine/catalogue.js'
import type { NamedFile } from '../../src/io/show/named-files.js'

const notes = (playlist: object, button: object = {}, probes: Probes = new Map()) => {
  const plain = { media: 'a.wav', endMs: null, fadeOutMs: 0, fadeOutAtEnd: false, ...button }
  const list = { mode: 'manual', wrap: false, mixOnTransition: false, crossfadeMs: 0, ...playlist }
  const other = { ...list, mode: 'manual', wrap: false, crossfadeMs: 0, buttons: [] }
  const show = { playlists: [other, { ...list, buttons: [plain] }] }
  return settingNotes(show as unknown as Show, probes)
}
const WRAP = 'playlists[1].wrap: does nothing where mode is manual'
const CROSSFADE = 'playlists[1].crossfadeMs: does nothing without mixOnTransition'
const FADE = 'playlists[1].buttons[0].fadeOutAtEnd: does nothing without fadeOutMs'

it.each<[object, object, readonly string[]]>([
  [{}, {}, []], [{ wrap: true }, {}, [WRAP]], [{ wrap: true, mode: 'sequence' }, {}, []],
  [{ crossfadeMs: 1 }, {}, [CROSSFADE]], [{ crossfadeMs: 1, mixOnTransition: true }, {}, []],
  [{ mixOnTransition: true }, {}, []], [{}, { fadeOutAtEnd: true }, [FADE]],
  [{}, { fadeOutAtEnd: true, fadeOutMs: 1 }, []], [{}, { fadeOutMs: 1 }, []],
  [{ wrap: true, crossfadeMs: 1 }, { fadeOutAtEnd: true }, [WRAP, CROSSFADE, FADE]],
])('of a playlist %j with a button %j: %j', (playlist, button, told) => {
  expect(notes(playlist, button)).toEqual(told)
})

describe('an End beyond the media', () => {
  const facts = (more: object): Probes =>
    new Map([['a.wav', { ok: true, facts: { duration: frame(48_000), ...more } as never }]])
  const told = (endMs: number | null, probes: Probes, media: string | null = 'a.wav') =>
    notes({}, { endMs, media }, probes)
  const NOTE = ['playlists[1].buttons[0].endMs: the media end before it (1000)']

  it('is told where their length is known, and not guessed', () => {
    const known = facts({ isEstimate: false })
    expect([told(1_000, known), told(1_000.1, known), told(null, known)]).toEqual([[], NOTE, []])
    expect(told(2_000, facts({ isEstimate: true }))).toEqual([])
    expect(told(2_000, facts({ isEstimate: false, duration: frame(0) }))).toEqual([])
    expect(told(2_000, new Map([['a.wav', { ok: false, message: 'gone' }]]))).toEqual([])
    expect([told(2_000, new Map()), told(2_000, known, null)]).toEqual([[], []])
  })
})

it('what a stage cannot show is told of videos alone, as far as they could be read', () => {
  const video = (codec: string, keyframesMs: number | null = null) => ({
    ok: true, facts: {
      container: 'mov,mp4',
      video: {
        codec, pixelFormat: 'yuv420p', width: 2, height: 2, framesPerSecond: 25, keyframesMs,
      },
    },
  })
  const probes = new Map(Object.entries({
    good: video('h264'), slow: video('h264', 2_001), old: video('mpeg4', 2_001),
    sound: { ok: true, facts: { container: 'mov', video: null } }, gone: { ok: false, message: '' },
  })) as unknown as Probes
  const named = (path: string, kind = 'video') =>
    ({ place: path, path, button: { kind, startMs: 0, title: 'Opening' } })
  const media = [...probes.keys(), 'unknown'].map((path) => named(path))
  const told = stageNotes([...media, named('old', 'audio')] as readonly NamedFile[], probes)
  expect(told.filter((_line, n) => n % 2 === 0)).toEqual([
    'slow: on a stage: slow: has keyframes up to 2.0 s apart: seeks and loops are slow '
    + '(button "Opening")',
    'old: on a stage: old: a browser does not show mpeg4 (button "Opening")',
  ])
  expect(told.filter((_line, n) => n % 2 === 1).map((line) => line.slice(0, 16)))
    .toEqual(['  ffmpeg -i slow', '  ffmpeg -i old '])
})
