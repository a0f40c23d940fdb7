// What the wall says at its foot: that it can be loaded anew, and a fault of the show file.
// @vitest-environment happy-dom
import { expect, test, vi } from 'vitest'
import { aButton } from '../../pages/wall/show-parts.js'
import { pass } from '../virtual-page.js'
import { VirtualWall, listOf, showOf } from './virtual-wall.js'

const opened = () => VirtualWall.open(showOf([listOf('l1', [aButton({})])]))

test('a service that was updated wants the page loaded anew, until that is put aside', async () => {
  const wall = await opened()
  for (const version of ['1', '2']) {
    wall.daemon.die()
    Object.assign(wall.daemon, { boot: `of ${version}`, version, isThere: true })
    await pass(1_500)
    expect(wall.texts('.is-version').length).toBe(version === '1' ? 0 : 1)
  }
  // Over the grid it would cover playlists and arrows of a small screen for the whole evening.
  expect(wall.text('.banners')).toBe('')
  const reload = vi.spyOn(location, 'reload').mockReturnValue(undefined)
  await wall.click(wall.named('Reload'))
  expect(reload).toHaveBeenCalledTimes(1)
  reload.mockRestore()
  await wall.click(wall.named('Close'))
  expect(wall.text('.foot-notes')).toBe('')
})

test('a fault of the show file is told at the foot, until it is mended or put aside', async () => {
  const wall = await opened()
  const told = () => wall.text('.foot-notes')
  const news = (change: 'kept' | 'replaced', message: string | null) =>
    wall.tell({ events: [{ name: 'catalogue', data: { change, message } }] })
  await news('kept', 'title: must be text')
  expect(told()).toMatch(/plays on\. title: must be text$/)
  // A screen reader reads it out by itself.
  expect(wall.find('.foot-notes').getAttribute('role')).toBe('status')
  await news('kept', 'title: must be text; a: is unknown; b: is unknown')
  expect(told()).toMatch(/plays on\. title: must be text a: is unknown and 1 more$/)
  await news('replaced', null)
  expect(told()).toBe('')
  await news('kept', 'line 3')
  await wall.click(wall.find('.foot-notes button'))
  expect(told()).toBe('')
  // One that was there before is in the state of the service, also no more.
  wall.daemon.bodies.set('/api/v1/status', { showError: 'line 4' })
  wall.daemon.die()
  wall.daemon.isThere = true
  await pass(3_000)
  expect(told()).toMatch(/line 4/)
  wall.daemon.bodies.set('/api/v1/status', { showError: null })
  wall.daemon.die()
  wall.daemon.isThere = true
  await pass(3_000)
  expect(told()).toBe('')
})
