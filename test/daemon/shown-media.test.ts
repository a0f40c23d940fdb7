// Which file a stage reads for a button: of the show, or of the one before while it is still on.
import { describe, expect, it } from 'vitest'
import { ShownMedia } from '../../src/daemon/shown-media.js'
import { Catalogue } from '../../src/engine/catalogue.js'
import { NO_OPTIONS } from '../../src/engine/commands/commands.js'
import { virtualFile } from '../../src/testing/media.js'
import { rig } from '../rig.js'

const PICTURE = '00000000-0000-4000-8000-0000000000a1'
const BED = '00000000-0000-4000-8000-0000000000a2'

const evening = () => {
  const r = rig([{ buttons: [
    { id: PICTURE, kind: 'image', media: '/show/old.png' }, { id: BED, media: '/show/bed.mp4' },
  ] }])
  const media = new ShownMedia({
    get catalogue() {
      return r.engine.catalogue
    },
    readModel: r.player.readModel,
    subscribe: (listener) => r.player.subscribe(listener),
  })
  /** As the daemon does it: what leaves is remembered, then the engine takes the new show. */
  const save = (buttons: readonly { readonly id: string; readonly media: string }[]): void => {
    media.showLeaves()
    const [list] = r.catalogue.playlists
    const all = buttons.map(({ id, media: path }) =>
      ({ ...list!.buttons.find((one) => one.id === id)!, media: path }))
    const catalogue = new Catalogue({ title: 'x', playlists: [{ ...list!, buttons: all }] })
    r.player.post({ kind: 'catalogue_busy' })
    r.player.post({ kind: 'catalogue', catalogue })
  }
  return { ...r, r, media, save, of: () => [media.of(PICTURE), media.of(BED)] }
}

describe('the file of a button', () => {
  it('is that of the show', () => {
    const it = evening()
    expect(it.of()).toEqual(['/show/old.png', '/show/bed.mp4'])
    expect(it.media.of('00000000-0000-4000-8000-0000000000ff')).toBeNull()
    it.save([{ id: PICTURE, media: '/show/new.png' }])
    expect(it.of()).toEqual(['/show/new.png', null])
  })

  it('of what is on stays, however often the show is saved without it, until it is off', () => {
    const it = evening()
    it.start(1)
    it.code({ kind: 'play', buttonId: PICTURE, options: NO_OPTIONS })
    for (let n = 0; n < 4; n += 1) {
      it.save([])
      expect([n, ...it.of()]).toEqual([n, '/show/old.png', '/show/bed.mp4'])
    }
    it.code({ kind: 'stop', buttonId: BED, executionId: null, fadeOutMs: 0 })
    expect(it.of()).toEqual(['/show/old.png', null])
    it.save([])
    expect(it.of()).toEqual(['/show/old.png', null])
    it.code({ kind: 'panic', fadeOutMs: 0 })
    expect(it.of()).toEqual([null, null])
  })

  it('is the new one again where the button comes back', () => {
    const it = evening()
    it.code({ kind: 'play', buttonId: PICTURE, options: NO_OPTIONS })
    it.save([])
    it.save([{ id: PICTURE, media: '/show/new.png' }])
    expect(it.of()).toEqual(['/show/new.png', null])
    it.save([])
    expect(it.of()).toEqual(['/show/new.png', null])
  })
})

describe('of a run', () => {
  const edited = [{ id: PICTURE, media: '/show/old.png' }, { id: BED, media: '/show/other.mp4' }]

  it('is what it was at its start, though its button names another one since, or is gone', () => {
    const it = evening()
    const run = it.start(1)
    it.save(edited)
    expect(it.of()).toEqual(['/show/old.png', '/show/bed.mp4'])
    it.pause(1, run, 0)
    expect(it.of()[1]).toBe('/show/bed.mp4')
    it.save([])
    expect(it.of()[1]).toBe('/show/bed.mp4')
  })

  it('is that of the show for the next one', () => {
    const it = evening()
    it.start(1)
    it.save(edited)
    it.r.media.files.set('/show/other.mp4', virtualFile(480_000))
    it.code({ kind: 'restart', buttonId: BED, options: NO_OPTIONS })
    expect(it.of()[1]).toBe('/show/other.mp4')
    it.code({ kind: 'panic', fadeOutMs: 0 })
    it.save([{ id: BED, media: '/show/bed.mp4' }])
    expect(it.of()[1]).toBe('/show/bed.mp4')
  })
})
