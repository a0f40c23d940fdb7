// A stage as a mixer has it: on a ground that is transparent, and with a style of the mixer's own.
import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { button } from '../devices/daemon-rig.js'
import { H264 } from './stage-clips.js'
import { groundOf, StageRig, UNHEARD } from './stage-rig.js'

const rig = new StageRig(UNHEARD)

beforeAll(async () => {
  const clip = { framesPerSecond: 25, seconds: 20, coding: H264 } as const
  await rig.clips([{ ...clip, ground: 'blue' }], ['blue.mp4'])
  const clear = ['-f', 'lavfi', '-i', 'color=red:s=64x36,format=rgba,colorchannelmixer=aa=0']
  const path = join(rig.daemon.folder, 'clear.png')
  execFileSync('ffmpeg', ['-v', 'error', ...clear, '-frames:v', '1', path])
  await rig.open([{ buttons: [
    { kind: 'video', media: 'blue.mp4' }, { kind: 'image', media: 'clear.png' },
  ] }])
  const session = await rig.page.context().newCDPSession(rig.page)
  const color = { r: 0, g: 0, b: 0, a: 0 }
  await session.send('Emulation.setDefaultBackgroundColorOverride', { color })
})

afterAll(() => rig.close())

/** As OBS adds what is set as Custom CSS: as a sheet in an address, or as one in the page. */
const style = (): void => {
  const css = 'html, body, #screen, #screen > * { background: transparent !important }'
  const link = document.createElement('link')
  link.rel = 'stylesheet'
  link.href = `data:text/css;charset=utf-8;base64,${btoa(css)}`
  const sheet = document.createElement('style')
  sheet.append(css)
  document.head.append(link, sheet)
}

/** Of red, green, blue and alpha in the middle, and in a corner. */
const pixels = async (): Promise<readonly (readonly number[])[]> => {
  const png = await rig.page.screenshot({ omitBackground: true })
  const rgba = execFileSync('ffmpeg', [
    '-v', 'error', '-f', 'png_pipe', '-i', '-', '-f', 'rawvideo', '-pix_fmt', 'rgba', '-',
  ], { input: png, maxBuffer: 2 ** 24 })
  const { width, height } = rig.page.viewportSize() ?? { width: 0, height: 0 }
  const at = (x: number, y: number): readonly number[] =>
    [...rgba.subarray((y * width + x) * 4, (y * width + x) * 4 + 4)]
  return [at(width / 2, height / 2), at(2, height - 3)]
}
const BLACK = [0, 0, 0, 255]

test('it is opaque and black where nothing is on, whatever style the mixer adds', async () => {
  expect(await pixels()).toEqual([BLACK, BLACK])
  await rig.page.evaluate(style)
  expect(await pixels()).toEqual([BLACK, BLACK])
})

test('a picture hides what is below it, where it is transparent too', async () => {
  const executionId = await rig.play(1)
  await expect.poll(async () => groundOf((await rig.seen()).colour)).toBe('blue')
  await rig.daemon.post(`/buttons/${button(1)}/pause`, { executionId })
  await rig.daemon.post(`/buttons/${button(2)}/play`)
  await expect.poll(pixels).toEqual([BLACK, BLACK])
  await rig.daemon.post(`/buttons/${button(2)}/stop`)
  await expect.poll(async () => groundOf((await rig.seen()).colour)).toBe('blue')
})
