// Media as guests bring them: from recorders, old disks, phones, browsers and broken downloads.
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { realTimers } from '../../src/clock/real.js'
import { FfmpegMedia, MEDIA_DEFAULTS } from '../../src/io/media/media-port.js'
import { convert, mediaFolder, writeSweep } from './media-files.js'
import { firstDifference, type Heard, MediaListener, part } from './media-listener.js'

const folder = mediaFolder()
const file = (name: string): string => join(folder, name)
const listener = new MediaListener()
const timers = realTimers()
let media: FfmpegMedia

beforeAll(() => {
  writeSweep(file('s48.wav'), 48_000, 8)
  media = new FfmpegMedia({ ...MEDIA_DEFAULTS, timers, post: listener.post, env: process.env })
})

afterAll(async () => {
  await media.closeAll()
  rmSync(folder, { recursive: true })
})

const play = async (name: string, from: number): Promise<Heard> => {
  const heard = await listener.play(media, listener.request(file(name), from, null), 480)
  heard.stream.close()
  return heard
}

describe('a WAV that holds no plain samples', () => {
  it.each([
    ['ms.wav', 'adpcm_ms'], ['ima.wav', 'adpcm_ima_wav'], ['ms.w64', 'adpcm_ms'],
    ['mulaw.wav', 'pcm_mulaw'],
  ])('%s starts at its frame', async (name, coder) => {
    convert(file('s48.wav'), file(name), ['-c:a', coder])
    const whole = await play(name, 0)
    const length = whole.sound.left.length
    for (const from of [96_011, 240_011]) {
      const later = await play(name, from)
      expect(firstDifference(later.sound, part(whole.sound, from, length))).toBeNull()
    }
  })
})
