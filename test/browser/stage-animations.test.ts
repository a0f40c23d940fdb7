// Pictures that move by themselves: one that plays once plays once at each press.
import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { button, delay } from '../devices/daemon-rig.js'
import { GROUNDS, type Ground } from './stage-clips.js'
import { orderOf, StageRig, UNHEARD } from './stage-rig.js'

const rig = new StageRig(UNHEARD)
const FRAME_SECONDS = 1
const FILES = ['once.gif', 'once.webp', 'once.apng'] as const

/** Red for a second, then blue for good. */
const makeOnce = (name: string): void => {
  const frame = (ground: Ground): readonly string[] => {
    const colour = Buffer.from(GROUNDS[ground]).toString('hex')
    return ['-f', 'lavfi', '-i', `color=0x${colour}:s=64x36:r=1:d=${String(FRAME_SECONDS)}`]
  }
  const loop = { gif: ['-loop', '-1'], webp: ['-loop', '1'], apng: ['-plays', '1'] }
  execFileSync('ffmpeg', [
    '-v', 'error', ...frame('red'), ...frame('blue'), '-filter_complex', '[0][1]concat=n=2',
    ...loop[name.split('.')[1] as keyof typeof loop], join(rig.daemon.folder, name),
  ])
}

beforeAll(async () => {
  for (const name of FILES) makeOnce(name)
  await rig.open([{ buttons: FILES.map((media) => ({ kind: 'image', media })) }])
})

afterAll(() => rig.close())

test.each(FILES.map((name, n) => [name, n + 1] as const))(
  '%s plays from its beginning at each press', async (_, n) => {
    for (const press of ['first', 'second', 'third']) {
      const shots = await rig.film(async () => {
        await rig.daemon.post(`/buttons/${button(n)}/play`)
        await delay(2_500 * FRAME_SECONDS)
      })
      const seen = orderOf(shots).filter((ground) => ground !== 'black')
      expect(seen, `${press} press`).toEqual(['red', 'blue'])
      await rig.silence([n])
    }
  })
