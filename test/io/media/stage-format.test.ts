// Which videos a browser shows, and the line that mends those that it does not.
import { describe, expect, test } from 'vitest'
import { keyframesMs, readPicture } from '../../../src/io/media/picture-facts.js'
import {
  mendingLine, notShownReason, slowReason, type PictureFacts,
} from '../../../src/io/media/stage-format.js'

const facts = (fields: Partial<PictureFacts>): PictureFacts => ({
  container: 'mov,mp4,m4a,3gp,3g2,mj2', codec: 'h264', pixelFormat: 'yuv420p',
  width: 1280, height: 720, framesPerSecond: 25, keyframesMs: 1_000, ...fields,
})

describe('what a browser shows', () => {
  test.each<[string, Partial<PictureFacts>]>([
    ['H.264 in MP4', {}],
    ['VP9 in WebM', { codec: 'vp9', container: 'matroska,webm' }],
    ['AV1 in MP4', { codec: 'av1' }],
    ['AV1 of ten bits', { codec: 'av1', pixelFormat: 'yuv420p10le' }],
  ])('%s', (_what, fields) => {
    expect(notShownReason(facts(fields))).toBeNull()
  })

  test.each<[Partial<PictureFacts>, string]>([
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
    expect(slowReason(facts({ keyframesMs: 2_000 }))).toBeNull()
    expect(slowReason(facts({ keyframesMs: null }))).toBeNull()
    expect(slowReason(facts({ keyframesMs: 10_040 }))).toBe(
      'has keyframes up to 10.0 s apart: seeks and loops are slow',
    )
  })
})

test('the line that mends it can be pasted', () => {
  expect(mendingLine('clips/a.mkv', facts({ framesPerSecond: 29.97 }))).toBe(
    'ffmpeg -i clips/a.mkv -c:v libx264 -pix_fmt yuv420p -g 30 -movflags +faststart -c:a aac '
    + 'clips/a.stage.mp4',
  )
  expect(mendingLine("it's one", facts({}))).toContain('\'it\'\\\'\'s one.stage.mp4\'')
})

describe('what ffprobe says', () => {
  test('of keyframes', () => {
    expect(keyframesMs('0.000000,K__\n0.040000,___\n2.500000,K__\n3.0,___\n')).toBe(2_500)
    expect(keyframesMs('0.000000,K__\n9.960000,___\n')).toBe(9_960)
    expect(keyframesMs('N/A,K__\n')).toBeNull()
    expect(keyframesMs('')).toBeNull()
  })

  test('of a picture, absurd or none', () => {
    expect(readPicture('{"streams":[]}')).toBeNull()
    expect(readPicture('nothing')).toBeNull()
    const text = '{"format":{"format_name":"avi"},"streams":[{"avg_frame_rate":"0/0"}]}'
    expect(readPicture(text)).toMatchObject({ container: 'avi', framesPerSecond: null })
  })
})
