// Which videos a browser shows, and the line that mends those that it does not.
import { frame } from '../../../src/clock/frame.js'
import { describe, expect, test } from 'vitest'
import type { VideoFacts } from '../../../src/contract/show-page.js'
import { keyframesMs } from '../../../src/io/media/probe/keyframes.js'
import { readFacts, type MediaFacts } from '../../../src/io/media/probe/probe-file.js'
import {
  mendingLine, notShownReason, slowReason,
} from '../../../src/io/media/stage-format.js'

type Fields = Partial<VideoFacts> & { readonly container?: string }

const video = (fields: Partial<VideoFacts>): VideoFacts => ({
  codec: 'h264', pixelFormat: 'yuv420p', width: 1280, height: 720, framesPerSecond: 25,
  beginsMs: 0, keyframesMs: 1_000, ...fields,
})

const facts = ({ container = 'mov,mp4,m4a,3gp,3g2,mj2', ...fields }: Fields): MediaFacts => ({
  duration: frame(48_000), isEstimate: false, soundEnd: null, picturesEnd: null,
  isInterlaced: false, container, video: video(fields), audio: null,
})

describe('what a browser shows', () => {
  test('a sound has no picture to be shown', () => {
    expect(notShownReason({ ...facts({}), video: null })).toBeNull()
  })

  const MP4 = 'mov,mp4,m4a,3gp,3g2,mj2'
  const WEBM = 'matroska,webm'
  /** What every browser in use shows: all else is told. */
  const SHOWN: Readonly<Record<string, readonly (readonly [container: string, ...string[]])[]>> = {
    h264: [[MP4, 'yuv420p', 'yuvj420p']],
    vp8: [[WEBM, 'yuv420p', 'yuvj420p', 'yuva420p']],
    vp9: [
      [WEBM, 'yuv420p', 'yuvj420p', 'yuv420p10le', 'yuva420p'],
      [MP4, 'yuv420p', 'yuvj420p', 'yuv420p10le', 'yuva420p'],
    ],
    av1: [
      [WEBM, 'yuv420p', 'yuvj420p', 'yuv420p10le'], [MP4, 'yuv420p', 'yuvj420p', 'yuv420p10le'],
    ],
  }
  const PIXELS = [
    'yuv420p', 'yuvj420p', 'yuva420p', 'yuv420p10le', 'yuv422p', 'yuv422p10le', 'yuv444p', 'gbrp',
  ]

  test.each([...Object.keys(SHOWN), 'hevc', 'mpeg2video', 'prores'])('of %s', (codec) => {
    for (const container of [MP4, WEBM, 'avi', 'mpegts']) {
      const first = container.split(',')[0] ?? ''
      const known = SHOWN[codec]?.find(([one]) => one === container)
      for (const pixelFormat of PIXELS) {
        const isShown = known?.includes(pixelFormat) === true
        const reason = codec in SHOWN
          ? known === undefined
            ? `a browser does not show ${codec} in ${first}`
            : `a browser does not show ${codec} with the pixel format ${pixelFormat}`
          : `a browser does not show ${codec}`
        expect([container, pixelFormat, notShownReason(facts({ codec, container, pixelFormat }))])
          .toEqual([container, pixelFormat, isShown ? null : reason])
      }
    }
  })

  test('a pixel format that nobody told is no reason', () => {
    expect(notShownReason(facts({ pixelFormat: null }))).toBeNull()
    expect(notShownReason(facts({ container: '' })))
      .toBe('a browser does not show h264 in this container')
  })

  test('keyframes that are far apart make it slow', () => {
    expect(slowReason(video({ keyframesMs: 2_000 }))).toBeNull()
    expect(slowReason(video({ keyframesMs: null }))).toBeNull()
    expect(slowReason(video({ keyframesMs: 10_040 }))).toBe(
      'has keyframes up to 10.0 s apart: seeks and loops are slow',
    )
  })
})

test('the line that mends it can be pasted', () => {
  expect(mendingLine('clips/a.mkv', video({ framesPerSecond: 29.97 }))).toBe(
    "ffmpeg -i clips/a.mkv -map 0:V:0 -map '0:a:0?' -vf 'yadif=deint=interlaced' -c:v libx264 "
    + '-pix_fmt yuv420p -g 30 -movflags +faststart -c:a aac '
    + 'clips/a.mkv.stage.mp4',
  )
  expect(mendingLine("it's one", video({}))).toContain('\'it\'\\\'\'s one.stage.mp4\'')
  // A keyframe each second, whatever is known of the rate.
  for (const [rate, keyframes] of [[null, 25], [50, 50], [59.94, 60], [0.2, 1]] as const) {
    expect(mendingLine('a.b/c', video({ framesPerSecond: rate })))
      .toMatch(new RegExp(` -g ${keyframes} .* a\\.b/c\\.stage\\.mp4$`))
  }
})

test('the line that mends it cuts an odd side, which the coder does not take', () => {
  const even = ",crop=trunc(iw/2)*2:trunc(ih/2)*2' "
  for (const [width, height, cuts] of [
    [525, 333, true], [525, 334, true], [524, 333, true], [524, 332, false], [0, 0, false],
  ] as const) {
    const line = mendingLine('a.mov', video({ width, height }))
    expect([width, height, line.includes(even)]).toEqual([width, height, cuts])
    expect(line.includes('crop')).toBe(cuts)
  }
})

test('the line that mends it leaves what has no transparency in its colours', () => {
  for (const pixelFormat of ['yuv422p10le', 'rgb24', 'gbrp', 'bgr0', '0rgb', 'gray', null]) {
    expect(mendingLine('a.mov', video({ pixelFormat, codec: 'vp9' }))).not.toMatch(/gbrap|libvpx/)
  }
  for (const pixelFormat of ['yuva422p', 'argb', 'rgba64le', 'bgra', 'gbrap12le', 'ya8', 'pal8']) {
    expect(mendingLine('a.mov', video({ pixelFormat }))).toContain('premultiply=inplace=1')
  }
})

describe('what ffprobe says', () => {
  test('of transparency beside a picture of VP8 and VP9', () => {
    const told = (codec: string, pixels: string, alpha_mode: string): unknown => {
      const tags = { alpha_mode }
      const stream = { codec_type: 'video', codec_name: codec, pix_fmt: pixels, tags }
      return readFacts(JSON.stringify({ format: {}, streams: [stream] }))?.video?.pixelFormat
    }
    expect(told('vp9', 'yuv420p', '1')).toBe('yuva420p')
    expect(told('vp8', 'yuv420p', '1')).toBe('yuva420p')
    expect(told('vp9', 'yuv420p', '0')).toBe('yuv420p')
    expect(told('vp9', 'yuv420p10le', '1')).toBe('yuv420p10le')
    expect(told('av1', 'yuv420p', '1')).toBe('yuv420p')
  })

  test('of keyframes', () => {
    expect(keyframesMs('0.000000,K__\n0.040000,___\n2.500000,K__\n3.0,___\n')).toBe(2_500)
    expect(keyframesMs('0.000000,K__\n9.960000,___\n')).toBe(9_960)
    expect(keyframesMs('N/A,K__\n')).toBeNull()
    expect(keyframesMs('')).toBeNull()
  })

  test('of a picture and a sound, for pages', () => {
    const format = { format_name: 'mov,mp4', duration: '2' }
    const picture = {
      codec_type: 'video', codec_name: 'vp9', pix_fmt: 'yuv420p', width: 1_920, height: 1_080,
      avg_frame_rate: '30000/1001',
    }
    const sound = {
      codec_type: 'audio', codec_name: 'aac', channels: 6, sample_rate: '44100', duration: '2',
    }
    const cover = { ...picture, codec_name: 'mjpeg', disposition: { attached_pic: 1 } }
    const second = { ...sound, codec_name: 'ac3', channels: 2, duration: '3' }
    const streams = [cover, picture, sound, second]
    expect(readFacts(JSON.stringify({ format, streams }))).toEqual({
      duration: 96_000, isEstimate: false, soundEnd: 96_000, picturesEnd: null,
      isInterlaced: false, container: 'mov,mp4',
      video: {
        codec: 'vp9', pixelFormat: 'yuv420p', width: 1_920, height: 1_080,
        framesPerSecond: 29.97, beginsMs: 0, keyframesMs: null,
      },
      audio: { codec: 'aac', channels: 6, sampleRate: 44_100 },
    })
    const bare = [{ codec_type: 'video' }, { codec_type: 'audio' }]
    expect(readFacts(JSON.stringify({ format: { duration: '2' }, streams: bare }))).toMatchObject({
      video: { codec: 'unknown', pixelFormat: null, width: 0, height: 0, framesPerSecond: null },
      audio: { codec: 'unknown', channels: 0, sampleRate: 0 },
    })
  })

  test('of a picture without a rate', () => {
    const format = { format_name: 'avi', duration: '1' }
    const streams = [{ codec_type: 'video', codec_name: 'h264', avg_frame_rate: '0/0' }]
    const found = readFacts(JSON.stringify({ format, streams }))
    expect(found).toMatchObject({ container: 'avi', video: { framesPerSecond: null } })
  })
})
