// What pages are told of the configuration, and that none are there where it says so.
import { expect, test } from 'vitest'
import { readArmed } from '../../src/contract/armed-bits.js'
import { VirtualTimers } from '../../src/clock/virtual.js'
import { createPages } from '../../src/daemon/pages.js'
import type { Config } from '../../src/io/config.js'
import type { ShownShow } from '../../src/io/show/show-page-body.js'
import type { RemotePlayer } from '../../src/sound/remote-player.js'

const show: ShownShow = {
  show: { title: 'Night', playlists: [] }, looks: { buttons: new Map(), columns: new Map() },
}
const armed = new Set<string>()
const player = {
  catalogue: { playlists: [] }, readModel: { image: null }, armed,
  subscribe: () => () => undefined,
} as unknown as RemotePlayer

const pagesOf = (enabled: boolean) => createPages(
  new VirtualTimers(0),
  {
    pages: { enabled, panicFadeMs: 700, guardMs: 250 }, stage: { offsetMs: -40 },
  } as unknown as Config,
  show, player,
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

test('without pages there is nothing, and no tag of it', () => {
  const pages = pagesOf(false)
  expect([pages.source, pages.tags()]).toEqual([null, { show: null, waves: null, armed: null }])
  pages.setShow(show)
  pages.close()
})
