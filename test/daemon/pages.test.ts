// What pages are told of the configuration, and that none are there where it says so.
import { expect, test } from 'vitest'
import { VirtualTimers } from '../../src/clock/virtual.js'
import { createPages } from '../../src/daemon/pages.js'
import type { Config } from '../../src/io/config.js'
import type { ShownShow } from '../../src/io/show/show-page-body.js'
import type { RemotePlayer } from '../../src/sound/remote-player.js'

const show: ShownShow = {
  show: { title: 'Night', playlists: [] }, looks: { buttons: new Map(), columns: new Map() },
}
const player = { catalogue: { playlists: [] } } as unknown as RemotePlayer

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
  expect(pages.tags()).toEqual({ show: body?.etag, waves: pages.source?.waves().etag })
  pages.setShow({ ...show, show: { title: 'Another', playlists: [] } })
  expect(pages.tags().show).not.toBe(body?.etag)
  pages.close()
})

test('without pages there is nothing, and no tag of it', () => {
  const pages = pagesOf(false)
  expect([pages.source, pages.tags()]).toEqual([null, { show: null, waves: null }])
  pages.setShow(show)
  pages.close()
})
