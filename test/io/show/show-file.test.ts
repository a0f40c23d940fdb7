// Show files: what is taken, what is refused, and that every fault is named by its place
// (decisions 6).
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { frame } from '../../../src/clock/frame.js'
import { buildTimeline } from '../../../src/engine/lighting/timeline-build.js'
import { faultText } from '../../../src/io/files/fault.js'
import { imagePaths, loadShow, type ShowAnswer } from '../../../src/io/show/show-file.js'
import type { TimelineAnswer } from '../../../src/io/timeline/timeline-file.js'

const COLOURS = 'red, orange, yellow, green, teal, blue, violet, grey'
const A = '11111111-2222-3333-4444-aaaaaaaaaaaa'
const B = '11111111-2222-3333-4444-bbbbbbbbbbbb'
const C = '11111111-2222-3333-4444-cccccccccccc'

let folder = ''
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'cartwall-show-'))
})
afterAll(() => {
  rmSync(folder, { recursive: true })
})

const loadText = async (text: string | Buffer): Promise<ShowAnswer> => {
  const file = join(folder, 'show.json')
  writeFileSync(file, text)
  return loadShow(file, null)
}
const load = async (show: unknown): Promise<ShowAnswer> => loadText(JSON.stringify(show))

const faultsOf = (answer: ShowAnswer): readonly string[] =>
  answer.ok ? [] : answer.faults.map(faultText)

const showOf = (...buttons: unknown[]): unknown => ({
  version: 1,
  title: 'T',
  playlists: [{ id: A, title: 'P', buttons }],
})
const audio = (more: object): unknown => ({
  id: B,
  title: 'b',
  kind: 'audio',
  media: 'm.wav',
  ...more,
})

describe('a show that is taken', () => {
  it('has defaults for everything but id, title, kind and what the kind needs', async () => {
    const answer = await load(showOf(audio({})))
    if (!answer.ok) throw new Error(faultsOf(answer).join())
    expect(answer.show.playlists[0]).toEqual({
      id: A,
      title: 'P',
      mode: 'manual',
      wrap: false,
      mixOnTransition: false,
      crossfadeMs: 0,
      crossfadeCurve: 'linear',
      buttons: [
        {
          id: B,
          title: 'b',
          kind: 'audio',
          playlistId: A,
          media: join(folder, 'm.wav'),
          startMs: 0,
          endMs: null,
          fadeInMs: 0,
          fadeOutMs: 0,
          fadeOutAtEnd: false,
          isLoopEnabled: false,
          pauseWhenReplaced: false,
          allowOverlap: false,
          gainDb: 0,
          dmx: null,
          own: null,
        },
      ],
    })
  })

  it('keeps every setting that is written, and ids in lower case', async () => {
    const settings = {
      startMs: 5,
      endMs: 5.5,
      fadeInMs: 60_000,
      fadeOutMs: 1,
      fadeOutAtEnd: true,
      isLoopEnabled: true,
      pauseWhenReplaced: true,
      allowOverlap: true,
      gainDb: -6.5,
    }
    const answer = await load({
      title: 'T',
      playlists: [
        {
          id: A.toUpperCase(),
          title: 'P',
          mode: 'shuffle',
          wrap: true,
          mixOnTransition: true,
          crossfadeMs: 2000,
          crossfadeCurve: 'equal-power',
          buttons: [audio({ ...settings, id: B.toUpperCase(), media: '/abs/../m.wav' })],
        },
      ],
    })
    if (!answer.ok) throw new Error(faultsOf(answer).join())
    const playlist = answer.show.playlists[0]
    expect(playlist).toMatchObject({ id: A, mode: 'shuffle', wrap: true, crossfadeMs: 2000 })
    expect(playlist).toMatchObject({ crossfadeCurve: 'equal-power', mixOnTransition: true })
    expect(playlist?.buttons[0]).toMatchObject({ ...settings, id: B, media: '/m.wav' })
  })

  it('takes all kinds, a byte order mark and x- keys at every level', async () => {
    const show = {
      title: 'T',
      'x-tool': { any: [1] },
      playlists: [
        {
          id: A,
          title: 'P',
          'x-colour': 'red',
          buttons: [
            { id: B, title: '', kind: 'image', media: 'i.png', 'x-y': null },
            { id: C, title: 'd', kind: 'dmx', dmx: { timeline: 'l.json', 'x-z': 1 } },
            { id: C.replace('c', 'd'), title: 'n', kind: 'navigation', target: A.toUpperCase() },
          ],
        },
      ],
    }
    const answer = await loadText(`\uFEFF${JSON.stringify(show)}`)
    expect(faultsOf(answer)).toEqual([])
    if (!answer.ok) return
    expect(answer.show.playlists[0]?.buttons[1]?.dmx).toEqual({
      timelineId: join(folder, 'l.json'),
      loop: false,
      durationFrames: null,
      error: 'not compiled',
    })
    expect(answer.show.playlists[0]?.buttons.map(({ own }) => own))
      .toEqual([{ 'x-y': null }, null, null])
    const places = answer.lights.map((light) => light.place)
    expect(places).toEqual(['playlists[0].buttons[1].dmx.timeline'])
  })

  it('keeps what only pages read apart from what the engine reads', async () => {
    const looks = {
      color: 'teal', hotkey: 'KeyQ', pressAgain: 'restart', fit: 'cover', dissolveMs: 10_000,
    }
    const answer = await load({
      title: 'T',
      playlists: [
        { id: A, title: 'P', columns: 2, buttons: [
          { id: B, title: 'v', kind: 'video', media: 'v.mp4', ...looks },
          { id: C, title: 'n', kind: 'navigation', target: A.toUpperCase(), hotkey: 'Digit1' },
        ] },
      ],
    })
    if (!answer.ok) throw new Error(faultsOf(answer).join())
    expect(answer.looks.buttons.get(B)).toEqual({ ...looks, target: null })
    expect(answer.looks.buttons.get(C)).toEqual({
      color: null, hotkey: 'Digit1', pressAgain: 'pause', fit: 'contain', dissolveMs: 0, target: A,
    })
    expect(answer.looks.columns.get(A)).toBe(2)
    expect(Object.keys(answer.show.playlists[0]?.buttons[0] ?? {})).not.toContain('color')
  })

  it('takes a protocol for what it is here: the name of a file that is not there', async () => {
    const answer = await load(showOf(audio({ media: 'http://127.0.0.1/a.mp3' })))
    if (!answer.ok) throw new Error(faultsOf(answer).join())
    expect(answer.show.playlists[0]?.buttons[0]?.media).toBe(join(folder, 'http:/127.0.0.1/a.mp3'))
  })

  it('asks for each timeline once and gives each button its answer', async () => {
    const asked: string[][] = []
    const file = join(folder, 'lit.json')
    const dmx = (timeline: string) => ({ timeline, loop: true })
    writeFileSync(
      file,
      JSON.stringify(
        showOf(
          audio({ dmx: dmx('good.json') }),
          audio({ id: C, dmx: dmx('./good.json') }),
          audio({ id: A.replace('a', 'e'), dmx: dmx('bad.json') }),
        ),
      ),
    )
    const answer = await loadShow(file, (paths) => {
      asked.push([...paths])
      const answers = new Map<string, TimelineAnswer>()
      const timeline = buildTimeline(frame(48), [])
      answers.set(join(folder, 'good.json'), { ok: true, timeline })
      answers.set(join(folder, 'bad.json'), { ok: false, message: 'no sense' })
      return Promise.resolve(answers)
    })
    expect(asked).toEqual([[join(folder, 'good.json'), join(folder, 'bad.json')]])
    if (!answer.ok) throw new Error('refused')
    const refs = answer.show.playlists[0]?.buttons.map((button) => button.dmx)
    expect(refs?.map((ref) => ref?.durationFrames)).toEqual([48, 48, null])
    expect(refs?.[2]?.error).toBe('bad.json: no sense')
  })

  it('tells which files are images and nothing else', async () => {
    const kinds = [['image', 'a'], ['image', 'b'], ['audio', 'b'], ['video', 'c'], ['image', 'c']]
    const answer = await load(showOf(...kinds.map(([kind, media], n) =>
      ({ id: B.replace('b', `${n}`), title: '', kind, media }))))
    if (!answer.ok) throw new Error(faultsOf(answer).join())
    expect([...imagePaths(answer.media)]).toEqual([join(folder, 'a')])
  })

  it('of 10 000 buttons loads', async () => {
    const id = (n: number): string => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`
    const buttons = Array.from({ length: 10_000 }, (_, n) => audio({ id: id(n), fadeOutMs: 100 }))
    const text = JSON.stringify(showOf(...buttons), null, 2)
    const answer = await loadText(text)
    expect(answer.ok && answer.show.playlists[0]?.buttons.length).toBe(10_000)
  })
})

describe('a show that is refused', () => {
  it('for two buttons of a playlist on one key, and columns that are none', async () => {
    const key = { kind: 'audio', media: 'm', title: '', hotkey: 'KeyA' }
    const answer = await load({ title: 'T', playlists: [
      { id: A, title: 'P', columns: 1, buttons: [{ id: B, ...key }, { id: C, ...key }] },
    ] })
    expect(faultsOf(answer)).toEqual([
      'playlists[0].columns: must be null or a whole number from 2 to 12 (playlist "P")',
      'playlists[0].buttons[1].hotkey: must be unique in its playlist: '
      + 'KeyA stands at playlists[0].buttons[0].hotkey already',
    ])
  })

  it('has every fault named by its place, in the order of the file', async () => {
    const faults = faultsOf(
      await load({
        version: 2,
        playlists: [
          { id: A, title: 'P', mode: 'random', crossfadeMs: 60_001, colour: 1, buttons: 5 },
          {
            id: A.toUpperCase(),
            title: 3,
            buttons: [
              audio({ fadeInMs: '5', gainDb: 13, fadeOutMs: 0.5, startMs: 9, endMs: 9 }),
              audio({ media: 4, allowOverlap: null, dmx: { timeline: '', loop: 1, speed: 2 } }),
              { id: 'x', title: 'n', kind: 'navigation', target: C, media: 'm' },
              { id: C, title: 'n', kind: 'cue', startMs: -1 },
              7,
            ],
          },
        ],
      }),
    )
    expect(faults.map((text) => text.split(': ')[0])).toEqual([
      'version',
      'title',
      'playlists[0].mode',
      'playlists[0].crossfadeMs',
      'playlists[0].buttons',
      'playlists[0].colour',
      'playlists[1].title',
      'playlists[1].id',
      'playlists[1].buttons[0].fadeInMs',
      'playlists[1].buttons[0].fadeOutMs',
      'playlists[1].buttons[0].gainDb',
      'playlists[1].buttons[0].endMs',
      'playlists[1].buttons[1].media',
      'playlists[1].buttons[1].allowOverlap',
      'playlists[1].buttons[1].dmx.timeline',
      'playlists[1].buttons[1].dmx.loop',
      'playlists[1].buttons[1].dmx.speed',
      'playlists[1].buttons[1].id',
      'playlists[1].buttons[2].id',
      'playlists[1].buttons[2].media',
      'playlists[1].buttons[2].target',
      'playlists[1].buttons[3].kind',
      'playlists[1].buttons[3].startMs',
      'playlists[1].buttons[4]',
    ])
    expect(faults).toContain(
      'playlists[1].buttons[0].endMs: must be greater than startMs (9) (button "b")')
    expect(faults).toContain(
      'playlists[1].buttons[1].id: must be unique: ' +
        `${B} stands at playlists[1].buttons[0].id already (button "b")`,
    )
  })

  it.each([
    ['an audio button without media', audio({ media: undefined }), 'media: is missing'],
    ['an image with media null', { id: B, title: 'i', kind: 'image', media: null }, 'media: is m'],
    ['a dmx button without dmx', { id: B, title: 'd', kind: 'dmx' }, 'dmx: is missing'],
    ['navigation to nowhere', { id: B, title: 'n', kind: 'navigation' }, 'target: is missing'],
    ['an id that is a button of the list', audio({ id: A }), 'id: must be unique'],
    ['a missing title', { id: B, kind: 'audio', media: 'm' }, 'title: is missing; it must be'],
    ['a colour that there is not', audio({ color: 'pink' }), 'color: must be one of red, orange'],
    ['an id from a chat', audio({ id: `${B}\u200B` }),
      'id: must be a GUID (8-4-4-4-12 hexadecimal digits); in it is a sign that cannot be seen'],
    ['a word from a table', audio({ color: 'red\u00A0' }), `color: must be one of ${COLOURS}; in`],
    ['a hotkey that is a letter', audio({ hotkey: 'q' }), 'hotkey: must be the code of a key'],
    ['a hotkey that panics', audio({ hotkey: 'Escape' }), 'hotkey: must be the code of a key'],
    ['a press that does nothing', audio({ pressAgain: 'loop' }), 'pressAgain: must be one of pau'],
    ['a picture without one', audio({ fit: 'cover' }), 'fit: has no meaning in a button of kind a'],
    ['a dissolve of sound', audio({ dissolveMs: 5 }), 'dissolveMs: has no meaning in a button of'],
    ['a NUL in a path', audio({ media: 'a\0b' }), 'media: must be the path of a file'],
    ['a gain below the least', audio({ gainDb: -60.1 }), 'gainDb: must be a number of decibels'],
    ['a long title', audio({ title: 'x'.repeat(1001) }), 'title: must be a text of at most 1000'],
    ['a range of less than a frame', audio({ startMs: 1, endMs: 1.001 }), 'endMs: must be greater'],
  ])('for %s', async (_what, button, expected) => {
    const faults = faultsOf(await load(showOf(button)))
    expect(faults).toHaveLength(1)
    expect(faults[0]).toContain(`playlists[0].buttons[0].${expected}`)
  })

  it.each([
    ['no JSON', '{"title": "T",\n "playlists": [],}', 'line 2, column 17: nothing follows'],
    ['a key twice', '{"title":"a","title":"b"}', 'title: stands twice'],
    ['a hidden key', '{"title":"a","__proto__":{}}', '__proto__: is no key that a file may have'],
    ['a list', '[]', 'file: must be an object'],
    ['null', 'null', 'file: must be an object'],
    ['nothing', '', 'line 1, column 1: the file is empty'],
    ['UTF-16', Buffer.from('\uFEFF{"title": "T"}', 'utf16le'), 'file: is not UTF-8 text: save it'],
    ['no UTF-8', Buffer.from([0x22, 0xff, 0x22]), 'file: is not UTF-8 text: save it as UTF-8'],
  ])('when it is %s', async (_what, text, expected) => {
    const faults = faultsOf(await loadText(text))
    expect(faults).toHaveLength(1)
    expect(faults[0]).toContain(expected)
  })

  it('when it is absent, a folder or far too long a list', async () => {
    const cure = 'name another one, or let `cartwall new FOLDER` make one of your media'
    expect(faultsOf(await loadShow(join(folder, 'none.json'), null)))
      .toEqual([`file: does not exist: ${cure}`])
    writeFileSync(join(folder, 'Quiz.json'), '{}')
    expect(faultsOf(await loadShow(join(folder, 'quiz.json'), null)))
      .toEqual(['file: does not exist, but for Quiz.json'])
    expect(faultsOf(await loadShow(folder, null)))
      .toEqual([`file: is a folder, not a file: ${cure}`])
    writeFileSync(join(folder, 'song.wav'), Buffer.from('RIFF\x00\xff\xff\x00', 'latin1'))
    expect(faultsOf(await loadShow(join(folder, 'song.wav'), null)))
      .toEqual([`file: is no text: ${cure}`])
    const many = { title: 'T', playlists: [{ buttons: Array.from({ length: 100_001 }, () => 0) }] }
    expect(faultsOf(await load(many))).toEqual([
      'playlists: must have at most 100000 buttons altogether',
    ])
  })
})
