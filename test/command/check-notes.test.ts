// What `cartwall check` says of settings that do nothing, and of media as far as they are known.
import { describe, expect, it } from 'vitest'
import { frame } from '../../src/clock/frame.js'
import { settingNotes, stageNotes, type Probes } from '../../src/command/check-notes.js'
import type { NamedFile } from '../../src/io/show/named-files.js'
import type { LoadedShow } from '../../src/io/show/show-file.js'

const noteLines = (
  playlists: readonly object[], hotkeys: Readonly<Record<string, string>>, probes: Probes,
  title = 'x',
): readonly string[] => {
  const looks = new Map(Object.entries(hotkeys).map(([id, hotkey]) => [id, { hotkey }]))
  const loaded: unknown = { show: { title, playlists }, looks: { buttons: looks } }
  return settingNotes(loaded as LoadedShow, probes)
}
const notes = (playlist: object, button: object = {}, probes: Probes = new Map()) => {
  const plain = {
    title: 'b', kind: 'audio', media: 'a.wav', endMs: null, fadeOutMs: 0, fadeOutAtEnd: false,
    ...button,
  }
  const list = {
    title: 'l', mode: 'manual', wrap: false, mixOnTransition: false, crossfadeMs: 0, ...playlist,
  }
  const other = { ...list, mode: 'manual', wrap: false, crossfadeMs: 0, buttons: [] }
  return noteLines([other, { ...list, buttons: [plain] }], {}, probes)
}
const WRAP = 'playlists[1].wrap: does nothing where mode is manual (playlist "l")'
const CROSSFADE =
  'playlists[1].crossfadeMs: does nothing without mixOnTransition (playlist "l")'
const FADE =
  'playlists[1].buttons[0].fadeOutAtEnd: does nothing without fadeOutMs (button "b")'

it.each<[object, object, readonly string[]]>([
  [{}, {}, []], [{ wrap: true }, {}, [WRAP]], [{ wrap: true, mode: 'sequence' }, {}, []],
  [{ crossfadeMs: 1 }, {}, [CROSSFADE]], [{ crossfadeMs: 1, mixOnTransition: true }, {}, []],
  [{ mixOnTransition: true }, {}, []], [{}, { fadeOutAtEnd: true }, [FADE]],
  [{}, { fadeOutAtEnd: true, fadeOutMs: 1 }, []], [{}, { fadeOutMs: 1 }, []],
  [{ wrap: true, crossfadeMs: 1 }, { fadeOutAtEnd: true }, [WRAP, CROSSFADE, FADE]],
])('of a playlist %j with a button %j: %j', (playlist, button, told) => {
  expect(notes(playlist, button)).toEqual(told)
})

const idle = {
  startMs: 0, fadeInMs: 0, isLoopEnabled: false, pauseWhenReplaced: false, allowOverlap: false,
  gainDb: 0,
}
const NO_ENDS = 'playlists[1].mode: does nothing in a list without sound and video: images and '
  + 'lights are followed by nothing (playlist "l")'

it.each<[string, object, readonly string[]]>([
  ['sequence', { kind: 'image' }, [NO_ENDS]], ['shuffle', { kind: 'dmx', media: null }, [NO_ENDS]],
  ['manual', { kind: 'image' }, []], ['sequence', { kind: 'video' }, []],
])('a slide show is none by the mode %s of %j: %j', (mode, button, told) => {
  expect(notes({ mode }, { ...idle, ...button })).toEqual(told)
})

const nothing = (key: string, kind: string, why: string): string =>
  `playlists[1].buttons[0].${key}: does nothing in a button of kind ${kind}${why} (button "b")`
const DISSOLVES = ': its picture comes and goes by dissolveMs'
const BY_KEYFRAMES = ': light comes and goes by the keyframes of its timeline'
const ROUND = ': its timeline comes round by dmx.loop'
it.each<[object, readonly string[]]>([
  [{ kind: 'image' }, []], [{ kind: 'dmx' }, []], [{ kind: 'navigation' }, []],
  [{ kind: 'audio', fadeInMs: 1, isLoopEnabled: true, gainDb: -3, startMs: 1 }, []],
  [{ kind: 'image', fadeOutMs: 3000 }, [nothing('fadeOutMs', 'image', DISSOLVES)]],
  [{ kind: 'dmx', fadeOutMs: 3000, isLoopEnabled: true }, [
    nothing('fadeOutMs', 'dmx', BY_KEYFRAMES), nothing('isLoopEnabled', 'dmx', ROUND),
  ]],
  [{ kind: 'navigation', gainDb: 1 }, [nothing('gainDb', 'navigation', '')]],
])('what only sound obeys is told of a button %j: %j', (button, told) => {
  expect(notes({}, { ...idle, ...button })).toEqual(told)
})

it('a press that is to restart is told where it stops', () => {
  const told = (kind: string, pressAgain: string): readonly string[] => {
    const looks = { buttons: new Map([['a', { hotkey: null, pressAgain }]]) }
    const button = {
      ...idle, id: 'a', title: 'b', kind, media: null, endMs: null, fadeOutMs: 0,
      fadeOutAtEnd: false,
    }
    const lists = [{ title: 'l', buttons: [] }, { title: 'm', buttons: [button] }]
    const playlists = lists.map((list) => ({ mode: 'manual', ...list }))
    const loaded: unknown = { show: { title: 'x', playlists }, looks }
    return settingNotes(loaded as LoadedShow, new Map())
  }
  const line = (kind: string, why: string): string => nothing('pressAgain', kind, why)
  expect(told('dmx', 'restart')).toEqual([line('dmx', ': a press stops lights that run')])
  const shown = ': a press stops a picture that is shown'
  expect(told('image', 'restart')).toEqual([line('image', shown)])
  expect(told('navigation', 'restart')).toEqual([line('navigation', '')])
  for (const pressAgain of ['pause', 'stop']) expect(told('dmx', pressAgain)).toEqual([])
  for (const kind of ['audio', 'video']) expect(told(kind, 'restart')).toEqual([])
})

const listOf = (ids: readonly string[]) =>
  ({ title: 'list', buttons: ids.map((id) => ({ id, title: id, kind: 'audio', media: null })) })
const keysTold = (
  ids: readonly string[], hotkeys: Readonly<Record<string, string>>,
): readonly string[] =>
  noteLines([listOf(ids)], hotkeys, new Map())

it('a hotkey that no keyboard has is told, and none that one may have', () => {
  const told = (code: string): readonly string[] => keysTold(['a'], { a: code })
  for (const code of ['KeyAE', 'Foo', 'Digit10', 'F25', 'Keyq', 'NumpadFoo']) {
    const why = `no browser names a key ${code}: it is a code such as KeyQ or Digit1`
    expect(told(code)).toEqual([`playlists[0].buttons[0].hotkey: ${why} (button "a")`])
  }
  for (const code of ['KeyQ', 'Digit0', 'F24', 'NumpadAdd', 'IntlBackslash', 'MediaPlayPause']) {
    expect(told(code)).toEqual([])
  }
})

it('a button whose place has a key that another claims is told, where it has none itself', () => {
  const why = (key: string, n: number): string =>
    `${key}, the key of its place on the first page, is the hotkey of playlists[0].buttons[${n}]`
  expect(keysTold(['a', 'b', 'c'], { a: 'Digit2', b: 'Digit1' })).toEqual([])
  expect(keysTold(['a', 'b', 'c'], { a: 'Digit1', c: 'Digit2' }))
    .toEqual([`playlists[0].buttons[1]: ${why('Digit2', 2)} (button "b")`])
  expect(keysTold(['a', 'b'], { b: 'KeyQ' })).toEqual([])
  // Beyond the keys that places have there is none to be taken away.
  const many = Array.from({ length: 41 }, (_, n) => `b${n}`)
  expect(keysTold(many, { b0: 'Slash' }))
    .toEqual([`playlists[0].buttons[39]: ${why('Slash', 0)} (button "b39")`])
  // Each playlist has keys of its own.
  expect(noteLines([listOf(['a']), listOf(['b'])], { a: 'Digit1', b: 'Digit1' }, new Map()))
    .toEqual([])
})

it.each([
  [' ', '\t'], ['\u00A0', '\u3000'], ['\u200B', '\uFEFF'], ['\u200F\u2068', '\uFE0F'],
  ['\u3164', '\u2800'], ['\u0007', '\u0085'],
])('names that are blank are told: %j, %j', (title, ofList) => {
  const list = { ...listOf(['a', 'b']), title: ofList }
  Object.assign(list.buttons[1]!, { title })
  const blank = 'is blank: pages show no name'
  expect(noteLines([list], {}, new Map(), '')).toEqual([
    `title: ${blank}`, `playlists[0].title: ${blank}`, `playlists[0].buttons[1].title: ${blank}`,
  ])
})

describe('an End beyond the media', () => {
  const facts = (more: object): Probes =>
    new Map([['a.wav', { ok: true, facts: { duration: frame(48_000), ...more } as never }]])
  const told = (endMs: number | null, probes: Probes, media: string | null = 'a.wav') =>
    notes({}, { endMs, media }, probes)
  const NOTE = ['playlists[1].buttons[0].endMs: the media end before it (1000) (button "b")']

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
        codec, pixelFormat: 'yuv420p', width: 2, height: 2, framesPerSecond: 25, beginsMs: 0,
        keyframesMs,
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
