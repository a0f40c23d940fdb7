// What differs between ffmpeg 5, which Debian 12 has, 6 of Ubuntu 24.04, 7 of Debian 13, and 9.
import { expect, it } from 'vitest'
import {
  batchArgs, culprits, decodeArgs, HOLDS_NO_SOUND,
} from '../../../src/io/media/decoder/decoder-args.js'
import type { Seeking } from '../../../src/io/media/look/seeking.js'
import { readFacts } from '../../../src/io/media/probe/probe-file.js'

const CHANGED = 'Changing audio frame properties on the fly is not supported.'

it.each([
  ['5, no sound', [1], "Stream map '1:a:0' matches no streams.\n"],
  ['6, no sound', [1], "Stream map '1:a:0' matches no streams.\nTo ignore this, add a trailing '?' "
    + "to the map.\nFailed to set value '1:a:0' for option 'map': Invalid argument\n"],
  ['6, another format', [2], `[graph_2_in_2_0 @ 0x55] ${CHANGED}\n[af#2:0 @ 0x55] Error\n`],
  ['7, no sound', [1], "Stream map '' matches no streams.\nTo ignore this, add a trailing '?' to "
    + "the map.\nFailed to set value '1:a:0' for option 'map': Invalid argument\n"],
  ['5, another format', [2], `[graph_2_in_2_0 @ 0x55] ${CHANGED}\nError while filtering\n`],
  ['7, another format', [2], `[graph_-1_in_2:0 @ 0x7f] ${CHANGED}\n[af#2:0 @ 0x55] Error\n`],
])('ffmpeg %s: which input of several it was', (_of, inputs, stderr) => {
  expect([...culprits(stderr, ['/a', '/b', '/c'])]).toEqual(inputs)
})

it('a file without sound is told by each of them', () => {
  for (const map of ['0:a:0', '']) {
    expect(`Stream map '${map}' matches no streams.`).toMatch(HOLDS_NO_SOUND)
  }
})

it('pictures are read where time begins with them, and nowhere else', () => {
  const read = (seeking: Seeking, origin: number): boolean =>
    decodeArgs({ path: '/a', origin, from: origin, to: null, seeking }).join(' ')
      .includes('-discard:v none -i ')
  expect([read('with-pictures', 0), read('with-pictures', 480_000)]).toEqual([true, true])
  expect([read('exact', 0), read('coarse', 0), read('counted', 0)]).toEqual([false, false, false])
})

it('where pictures begin before the sound version 6 reads them for an output of nothing', () => {
  const range = (seeking: Seeking, to: number | null) =>
    ({ path: '/a', origin: 96_000, from: 96_000, to, seeking })
  const nothing = '-map 0:a:0 -map 0:v? -c copy -f null -'
  const said = (seeking: Seeking, ffmpeg: number | null, to: number | null = null): string =>
    decodeArgs(range(seeking, to), ffmpeg).join(' ')
  expect(said('with-pictures', 6)).toContain(`-i file:/a ${nothing} -map 0:a:0 -af`)
  // It is read no further than the sound is wanted: a Start of 2 s is sought a second earlier.
  expect(said('with-pictures', 6, 120_000)).toContain('-c copy -t 1.5 -f null -')
  expect(said('exact', 6) + said('with-pictures', 7) + said('with-pictures', null))
    .not.toContain('null')
  const both = batchArgs([range('exact', 120_000), range('with-pictures', 120_000)], 3, 6).join(' ')
  expect(both.match(/-map 1:a:0 -map 1:v\? -c copy -t 1.5 -f null -/g)).toHaveLength(1)
})

it('what MP3 pads is taken off once: ffprobe 9 has done so by itself', () => {
  const told = (samples: number, frames: number | null): number | undefined => {
    const sound = {
      codec_type: 'audio', codec_name: 'mp3', sample_rate: '48000', time_base: '1/14112000',
      duration_ts: samples * 294,
    }
    const json = JSON.stringify({ streams: [sound], format: { format_name: 'mp3' } })
    return readFacts(json, { samples: 2_112, frames })?.duration
  }
  expect([told(122_112, 106), told(120_000, 106)]).toEqual([120_000, 120_000])
  expect(told(122_112, null)).toBe(120_000)
  // It told another length than the tag, e.g. of several files in one: it knows better.
  expect(told(244_224, 106)).toBe(244_224)
})
