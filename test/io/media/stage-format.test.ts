// Which videos a browser shows, and the line that mends those that it does not.
import { frame } from '../../../src/clock/frame.js'
import { describe, expect, test } from 'vitest'
import type { VideoFacts } from '../../../src/contract/show-page.js'
import { keyframesMs } from '../../../src/io/media/keyframes.js'
import { readFacts, type MediaFacts } from '../../../src/io/media/probe-file.js'
import {
  mendingLine, notShownReason, slowReason,
} from '../../../src/io/media/stage-format.js'

type Fields = Partial<VideoFacts> & { readonly container?: string }

const video = (fields: Partial<VideoFacts>): VideoFacts => ({
  codec: 'h264', pixelFormat: 'yuv420p', width: 1280, height: 720, framesPerSecond: 25,
  keyframesMs: 1_000, ...fields,
})

const facts = ({ container = 'mov,mp4,m4a,3gp,3g2,mj2', ...fields }: Fields): MediaFacts => ({
  duration: frame(48_000), isEstimate: false, hasAudio: false, hasVideo: true, channels: 0,
  soundEnd: null, container, video: video(fields), audio: null,
})

describe('what a browser shows', () => {
  test('a sound has no picture to be shown', () => {
    expect(notShownReason({ ...facts({}), video: null })).toBeNull()
  })

  test.each<[string, Fields]>([
    ['H.264 in MP4', {}],
    ['VP9 in WebM', { codec: 'vp9', container: 'matroska,webm' }],
    ['AV1 in MP4', { codec: 'av1' }],
    ['AV1 of ten bits', { codec: 'av1', pixelFormat: 'yuv420p10le' }],
  ])('%s', (_what, fields) => {
    expect(notShownReason(facts(fields))).toBeNull()
  })

  test.each<[Fields, string]>([
    [{ codec: 'mpeg2video' }, 'a browser does not show mpeg2video'],
    [{ codec: 'prores' }, 'a browser does not show prores'],
    [{ container: 'avi' }, 'a browser does not show h264 in avi'],
    [{ container: 'matroska,webm' }, 'a browser does not show h264 in matroska'],
    [{ pixelFormat: 'yuv422p' }, 'a browser does not show h264 with the pixel format yuv422p'],
    [{ pixelFormat: 'yuv420p10le' },
      'a browser does not show h264 with the pixel format yuv420p10le'],
  ])('not %j', (fields, reason) => {
    expect(notShownReason(facts(fields))).toBe(reason)
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
    'ffmpeg -i clips/a.mkv -c:v libx264 -pix_fmt yuv420p -g 30 -movflags +faststart -c:a aac '
    + 'clips/a.stage.mp4',
  )
  expect(mendingLine("it's one", video({}))).toContain('\'it\'\\\'\'s one.stage.mp4\'')
})

describe('what ffprobe says', () => {
  test('of keyframes', () => {
    expect(keyframesMs('0.000000,K__\n0.040000,___\n2.500000,K__\n3.0,___\n')).toBe(2_500)
    expect(keyframesMs('0.000000,K__\n9.960000,___\n')).toBe(9_960)
    expect(keyframesMs('N/A,K__\n')).toBeNull()
    expect(keyframesMs('')).toBeNull()
  })

  test('of a picture without a rate', () => {
    const format = { format_name: 'avi', duration: '1' }
    const streams = [{ codec_type: 'video', codec_name: 'h264', avg_frame_rate: '0/0' }]
    const found = readFacts(JSON.stringify({ format, streams }))
    expect(found).toMatchObject({ container: 'avi', video: { framesPerSecond: null } })
  })
})
