// What pages are told of the configuration, and that none are there where it says so.
import { beforeEach, expect, test, vi } from 'vitest'
import { readArmed } from '../../src/contract/armed-bits.js'
import { VirtualTimers } from '../../src/clock/virtual.js'
import { createPages } from '../../src/daemon/pages.js'
import type { Config } from '../../src/io/config.js'
import type { ShownShow } from '../../src/io/show/show-page-body.js'
import type { MediaFacts } from '../../src/io/media/probe/probe-file.js'
import type { WaveLink } from '../../src/io/waves/wave-messages.js'
import type { WavedButton, WavesOptions } from '../../src/io/waves/waves.js'
import type { RemotePlayer } from '../../src/sound/remote-player.js'

// Other files of this process may have loaded what is made up here.
vi.hoisted(() => vi.resetModules())

/** In place of those who make waveforms: what they are told. */
const waves = {
  told: [] as string[], buttons: [] as readonly WavedButton[], isBusy: (): boolean => false,
}
vi.mock('../../src/io/waves/waves.js', () => ({
  Waves: class {
    constructor({ isBusy }: WavesOptions) {
      waves.isBusy = isBusy
    }

    setButtons(buttons: readonly WavedButton[]): void {
      waves.buttons = buttons
    }

    learn(path: string, picturesEnd: number): void {
      waves.told.push(`learn ${path}${picturesEnd === 0 ? '' : ` up to ${picturesEnd}`}`)
    }

    miss(path: string): void {
      waves.told.push(`miss ${path}`)
    }

    whole(buttonId: string): Promise<unknown> {
      return Promise.resolve({ etag: `of ${buttonId}` })
    }

    body(): unknown {
      return { bytes: Buffer.alloc(0), etag: '"waves"' }
    }

    close(): void {
      waves.told.push('closed')
    }
  },
}))
beforeEach(() => {
  waves.told = []
})

const show: ShownShow = {
  show: { title: 'Night', playlists: [] }, looks: { buttons: new Map(), columns: new Map() },
}
const armed = new Set<string>()
const figures = { armedHeads: 0 }
let live: readonly { readonly state: string; readonly starving: boolean }[] = []
const player = {
  catalogue: { playlists: [], button: (id: string) => id === 'b' ? { media: 'b.wav' } : null },
  readModel: { image: null, live: () => live, liveOf: () => null }, armed, figures,
  subscribe: () => () => undefined,
} as unknown as RemotePlayer

const pagesOf = (enabled: boolean, timers = new VirtualTimers(0)) => createPages(
  timers,
  {
    pages: { enabled, panicFadeMs: 700, guardMs: 250 }, stage: { offsetMs: -40 },
  } as unknown as Config,
  show, player, {} as WaveLink,
)

test('how long a panic fades, how long a button is guarded, how late a stage is', () => {
  const pages = pagesOf(true)
  const body = pages.source?.show()
  expect(JSON.parse(body?.bytes.toString() ?? '')).toMatchObject({
    title: 'Night', settings: { panicFadeMs: 700, guardMs: 250, stageOffsetMs: -40 },
  })
  expect(pages.tags()).toEqual({
    show: body?.etag, waves: pages.source?.waves().etag, armed: '',
  })
  pages.setShow({ ...show, show: { title: 'Another', playlists: [] } })
  expect(pages.tags().show).not.toBe(body?.etag)
  pages.close()
})

test('which buttons are armed, by what they begin with', () => {
  const button = (kind: string, media: string | null, startMs: number, endMs: number | null) =>
    ({ id: `${media} ${startMs}`, kind, media, startMs, endMs, dmx: null })
  const buttons = [
    button('audio', 'a.wav', 0, null), button('audio', 'a.wav', 10, null),
    button('video', 'b.mp4', 0, 2_000), button('image', 'c.png', 0, null),
    button('navigation', null, 0, null), button('audio', 'a.wav', 0, null),
  ]
  const looks = { buttons: new Map(buttons.map(({ id }) => [id, {}])), columns: new Map() }
  const playlists = [{ buttons: buttons.slice(0, 2) }, { buttons: buttons.slice(2) }]
  const pages = pagesOf(true)
  pages.setShow({ show: { title: 'Night', playlists }, looks } as unknown as ShownShow)
  const told = () => [...readArmed(pages.tags().armed ?? '', ['0', '1', '2', '3', '4', '5'])]
  expect(told()).toEqual([])
  for (const key of ['0::a.wav', '0:96000:b.mp4', '0::c.png']) armed.add(key)
  expect(told()).toEqual(['0', '2', '5'])
  armed.clear()
  armed.add('480::a.wav')
  expect(told()).toEqual(['1'])
  armed.clear()
  pages.close()
})

test('which ranges have a waveform: of sound and video, from Start to End', async () => {
  const button = (id: string, kind: string, media: string | null, endMs: number | null = null) =>
    ({ id, kind, media, startMs: 500, endMs, dmx: null })
  const buttons = [
    button('a', 'audio', 'a.wav'), button('b', 'video', 'b.mp4', 2_000),
    button('c', 'image', 'c.png'), button('d', 'navigation', null), button('e', 'dmx', null),
  ]
  const pages = pagesOf(true)
  expect(waves.buttons).toEqual([])
  const looks = { buttons: new Map(), columns: new Map() }
  pages.setShow({ show: { title: 'x', playlists: [{ buttons }] }, looks } as unknown as ShownShow)
  expect(waves.buttons).toEqual([
    { id: 'a', path: 'a.wav', from: 24_000, to: null },
    { id: 'b', path: 'b.mp4', from: 24_000, to: 96_000 },
  ])
  expect(await pages.source?.wave('a')).toEqual({ etag: 'of a' })
  expect([pages.source?.media('b'), pages.source?.media('x')]).toEqual(['b.wav', null])
  expect(await pages.source?.file('/nowhere')).toBeNull()
  pages.close()
})

test('what is found of files goes to those who make waveforms: sound, none, nothing', () => {
  const pages = pagesOf(true)
  pages.learn('a.wav', { audio: {} } as MediaFacts)
  pages.learn('long.mp4', { audio: {}, picturesEnd: 96_000 } as MediaFacts)
  pages.learn('mute.mp4', { audio: null } as MediaFacts)
  expect([pages.miss('gone.wav', 'gone', null), pages.miss('gone.wav', 'gone', null)])
    .toEqual([true, false])
  pages.close()
  expect(waves.told)
    .toEqual([
      'learn a.wav', 'learn long.mp4 up to 96000', 'miss mute.mp4', 'miss gone.wav',
      'miss gone.wav', 'closed',
    ])
})

test('what is found of files is told to pages: which they are, and what is in them', () => {
  const pages = pagesOf(true)
  const button = { id: 'a', kind: 'audio', media: 'a.wav', startMs: 0, endMs: null, dmx: null }
  const looks = { buttons: new Map([['a', {}]]), columns: new Map() }
  const playlists = [{ buttons: [button] }]
  pages.setShow({ show: { title: 'x', playlists }, looks } as unknown as ShownShow)
  pages.looked('a.wav', { version: 'v1', type: 'audio/wav' })
  const audio = { codec: 'pcm_s16le', channels: 2, sampleRate: 48_000 }
  pages.learn('a.wav', { duration: 48_000, audio, video: null } as unknown as MediaFacts)
  const told = JSON.parse(pages.source?.show().bytes.toString() ?? '') as typeof show.show
  expect(told.playlists[0]?.buttons[0]?.media)
    .toMatchObject({ version: 'v1', type: 'audio/wav', audio })
  pages.close()
})

test('an image that is on keeps its file when its button leaves the show', () => {
  const pages = pagesOf(true)
  const model = player.readModel as { image: string | null }
  const catalogue = player.catalogue as { button: (id: string) => unknown }
  const { button } = catalogue
  model.image = 'b'
  pages.setShow(show)
  catalogue.button = () => null
  expect(pages.source?.media('b')).toBe('b.wav')
  model.image = null
  expect(pages.source?.media('b')).toBeNull()
  catalogue.button = button
  pages.close()
})

test('waveforms wait while a run starts or starves, and for a second after each head', () => {
  const timers = new VirtualTimers(0)
  const pages = pagesOf(true, timers)
  const pass = (ms: number): boolean => {
    timers.pass(ms)
    return waves.isBusy()
  }
  expect([pass(0), pass(999), pass(1)]).toEqual([true, true, false])
  for (const heads of [1, 2]) {
    figures.armedHeads = heads
    expect([pass(0), pass(999), pass(1), pass(5_000)]).toEqual([true, true, false, false])
  }
  // Another show: heads that go are not being armed, those that come after them are.
  figures.armedHeads = 0
  expect(pass(0)).toBe(false)
  figures.armedHeads = 1
  expect([pass(0), pass(1_000)]).toEqual([true, false])
  const [playing, starting] = ['playing', 'starting'].map((state) => ({ state, starving: false }))
  const cases = [[], [playing!], [playing!, starting!], [playing!, { ...playing!, starving: true }]]
  expect(cases.map((runs) => {
    live = runs
    return waves.isBusy()
  })).toEqual([false, false, true, true])
  live = []
  pages.close()
})

test('without pages there is nothing, and no tag of it', () => {
  const pages = pagesOf(false)
  expect([pages.source, pages.tags()]).toEqual([null, { show: null, waves: null, armed: null }])
  pages.setShow(show)
  pages.close()
})
