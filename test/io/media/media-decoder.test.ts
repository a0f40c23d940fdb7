// What ffmpeg is told, how its complaints read, how its bytes become channels, what ffprobe tells.
import { describe, expect, it } from 'vitest'
import {
  batchArgs, changingArgs, complaint, decodeArgs, firstFrame,
} from '../../../src/io/media/decoder/decoder-args.js'
import { split } from '../../../src/io/media/decoder/pcm.js'
import { seekingOf } from '../../../src/io/media/look/seeking.js'
import { readFacts } from '../../../src/io/media/probe/probe-file.js'

const valueOf = (args: readonly string[], flag: string): string | undefined =>
  args.includes(flag) ? args[args.indexOf(flag) + 1] : undefined

const range = (path: string, origin: number, from: number, to: number | null) =>
  ({ path, origin, from, to, seeking: 'exact' as const })

describe('decodeArgs', () => {
  it('seeks a whole second at least one second early and trims by samples', () => {
    const args = decodeArgs(range('/a b.mp3', 480_001, 480_001, 500_000))
    expect(valueOf(args, '-ss')).toBe('9')
    expect(valueOf(args, '-i')).toBe('file:/a b.mp3')
    expect(valueOf(args, '-af')).toMatch(/atrim=start_sample=48001:end_sample=68000$/)
  })

  it('a takeover prerolls from the beginning of its pass', () => {
    const args = decodeArgs(range('/a', 480_001, 600_000, null))
    expect(valueOf(args, '-ss')).toBe('9')
    expect(valueOf(args, '-af')).toMatch(/atrim=start_sample=168000$/)
  })

  it('does not seek where that is not exact, unless it is far', () => {
    const coarse = { ...range('/a.webm', 480_001, 480_001, null), seeking: 'coarse' as const }
    expect(decodeArgs(coarse)).not.toContain('-ss')
    expect(valueOf(decodeArgs(coarse), '-af')).toMatch(/atrim=start_sample=480001$/)
    const [origin, from] = [7_200_001, 7_200_001]
    expect(valueOf(decodeArgs({ ...coarse, origin, from }), '-ss')).toBe('149')
    const chained = { ...coarse, origin, from, seeking: 'never' as const }
    expect(decodeArgs(chained)).not.toContain('-ss')
  })

  it('seeks where that is coarse from two minutes on', () => {
    for (const [origin, preroll] of [
      [0, null], [30 * 48_000, null], [119.9 * 48_000, null], [120 * 48_000, '119'],
    ] as const) {
      const coarse = { ...range('/a.mkv', origin, origin, null), seeking: 'coarse' as const }
      expect([origin, valueOf(decodeArgs(coarse), '-ss') ?? null]).toEqual([origin, preroll])
    }
  })

  it('of several sounds in a file the first one is played, however it is decoded', () => {
    const one = range('/a', 96_000, 96_000, 144_000)
    const two = range('/b', 480_000, 480_001, 490_000)
    for (const args of [decodeArgs(one), changingArgs(one)]) {
      expect(args.filter((arg) => arg === '-map')).toHaveLength(1)
      expect(valueOf(args, '-map')).toBe('0:a:0')
    }
    // Many at once: each input has its own seek, sound, cut and pipe.
    const args = batchArgs([one, two], 3)
    const all = (flag: string): readonly string[] =>
      args.flatMap((arg, n) => arg === flag ? [args[n + 1] ?? ''] : [])
    expect(all('-i')).toEqual(['file:/a', 'file:/b'])
    expect(all('-ss')).toEqual(['1', '9'])
    expect(all('-map')).toEqual(['0:a:0', '1:a:0'])
    expect(all('-af').map((filter) => filter.split(',').at(-1))).toEqual([
      'atrim=start_sample=48000:end_sample=96000', 'atrim=start_sample=48001:end_sample=58000',
    ])
    expect(args.filter((arg) => arg.startsWith('pipe:'))).toEqual(['pipe:3', 'pipe:4'])
    expect(args.lastIndexOf('-i')).toBeLessThan(args.indexOf('-map'))
  })

  it('where the format changes nothing is cut, and the first frame is told', () => {
    const changing = range('/a', 480_001, 500_000, 510_000)
    expect(changingArgs(changing).join(' ')).not.toMatch(/atrim|first_pts|reinit_filter/)
    expect([firstFrame(changing), valueOf(changingArgs(changing), '-ss')]).toEqual([432_000, '9'])
  })

  it('does not seek in the first two seconds, lets only files in, never asks', () => {
    const args = decodeArgs(range('/a', 95_999, 95_999, null))
    expect(args).not.toContain('-ss')
    expect(valueOf(args, '-protocol_whitelist')).toBe('file')
    expect(args.indexOf('-protocol_whitelist')).toBeLessThan(args.indexOf('-i'))
    expect(args).toContain('-nostdin')
  })
})

describe('complaint', () => {
  it('is one line without addresses and folders', () => {
    const stderr = '[mov,mp4 @ 0x55d7b71dc980] moov atom not found\nfile:/x/a.m4a: Invalid data\n'
    expect(complaint(stderr, '/x/a.m4a')).toBe('a.m4a: moov atom not found')
    expect(complaint('file:/x/a.m4a: Invalid data\n', '/x/a.m4a')).toBe('a.m4a: Invalid data')
    expect(complaint('file:/x/y\nz/a\nb.wav: Invalid data\n', '/x/y\nz/a\nb.wav'))
      .toBe('a\nb.wav: Invalid data')
    // With AV_LOG_FORCE_COLOR.
    const red = '\u001b[1;31m[mov @ 0x55] \u001b[0m\u001b[1;31mmoov atom not found\n\u001b[0m'
    expect(complaint(red, '/x/a.m4a')).toBe('a.m4a: moov atom not found')
    expect(complaint('', '/x/a.m4a')).toBe('a.m4a: the decoder gave no reason')
    const guess = '[mp3 @ 0x55] Format mp3 detected only with low score of 1, misdetection!\n'
    expect(complaint(`${guess}file:/x/a.mp3: Invalid data\n`, '/x/a.mp3'))
      .toBe('a.mp3: Invalid data')
    for (const hint of [
      'filesize and duration do not match (growing file?)',
      'Failed to read frame size: Could not seek to 1060.',
    ]) {
      expect(complaint(`[mp3 @ 0x55] ${hint}\nfile:/x/a.mp3: Invalid data\n`, '/x/a.mp3'))
        .toBe('a.mp3: Invalid data')
    }
  })
})

describe('split', () => {
  it('reads the same channels at any alignment', () => {
    for (const shift of [0, 1, 2, 3, 4]) {
      const room = Buffer.alloc(8 * 3 + shift + 5)
      const bytes = room.subarray(shift)
      const samples = [0.5, -0.5, 0.25, -0.25, 1, -1]
      samples.forEach((sample, i) => bytes.writeFloatLE(sample, i * 4))
      const { left, right } = split(bytes, 3)
      expect([...left]).toEqual([0.5, 0.25, 1])
      expect([...right]).toEqual([-0.5, -0.25, -1])
    }
  })
})

describe('seekingOf', () => {
  const page = (serial: number, flags: number): Buffer => {
    const bytes = Buffer.alloc(60)
    bytes.write('OggS')
    bytes.writeUInt8(flags, 5)
    bytes.writeUInt32LE(serial, 14)
    return bytes
  }

  it('a chain of OGG streams is told by its last page; two at a time are no chain', () => {
    const two = Buffer.concat([page(7, 2), page(9, 2), page(7, 0)])
    expect(seekingOf('video/ogg', two, Buffer.concat([page(7, 0), page(9, 4)])))
      .toBe('with-pictures')
    const chain = Buffer.concat([page(7, 4), page(8, 4)])
    expect(seekingOf('audio/ogg', page(7, 2), chain)).toBe('never')
    expect(seekingOf('audio/ogg', page(7, 2), Buffer.alloc(0))).toBe('exact')
  })

  it('a sound of Vorbis that is one page is told by the pages in front, which hold none', () => {
    const paged = (flags: number, position: number, body = ''): Buffer => {
      const bytes = page(7, flags)
      bytes.writeBigInt64LE(BigInt(position), 6)
      bytes.write(body, 30)
      return bytes
    }
    const vorbis = paged(2, 0, '\u0001vorbis')
    const seeks = (head: Buffer, ...pages: readonly Buffer[]): string =>
      seekingOf('audio/ogg', head, Buffer.concat([head, ...pages, Buffer.alloc(99)]))
    expect(seeks(vorbis, paged(0, 0), paged(4, 13_230))).toBe('counted')
    expect(seeks(vorbis, paged(0, -1), paged(4, 13_230))).toBe('counted')
    expect(seeks(vorbis, paged(0, 0), paged(0, 48_000), paged(4, 61_230))).toBe('exact')
    expect(seeks(vorbis, paged(0, 0), paged(0, 13_230))).toBe('exact')
    expect(seeks(paged(2, 0, 'OpusHead'), paged(0, 0), paged(4, 14_400))).toBe('exact')
    const counted = { ...range('/a.ogg', 96_000, 96_000, null), seeking: 'counted' as const }
    expect(valueOf(decodeArgs(counted), '-ss')).toBeUndefined()
  })

  it('in a WAV goes by what is in it', () => {
    const head = (kind: string, before: number, coder: number, sub = 0): Buffer => {
      const bytes = Buffer.alloc(2_048)
      bytes.write(kind)
      bytes.write('WAVE', 8)
      const isW64 = kind === 'riff'
      bytes.write('fmt ', 12 + before)
      const at = 12 + before + (isW64 ? 24 : 8)
      bytes.writeUInt16LE(coder, at)
      bytes.writeUInt16LE(sub, at + 24)
      return bytes.subarray(0, 1_024)
    }
    const seeks = (bytes: Buffer): string => seekingOf('audio/wav', bytes, Buffer.alloc(0))
    for (const kind of ['RIFF', 'RF64', 'riff']) {
      for (const coder of [1, 3, 6, 7, 0x31, 0x55, 0x2000]) {
        expect([kind, coder, seeks(head(kind, 0, coder))]).toEqual([kind, coder, 'exact'])
      }
      // ADPCM of Microsoft, of IMA and of Yamaha, G.722, WMA; also behind a chunk of a recorder.
      for (const coder of [2, 0x11, 0x20, 0x28f, 0x161]) {
        expect([kind, coder, seeks(head(kind, 0, coder))]).toEqual([kind, coder, 'never'])
        expect([kind, coder, seeks(head(kind, 622, coder))]).toEqual([kind, coder, 'never'])
      }
      expect(seeks(head(kind, 0, 0xfffe, 1))).toBe('exact')
      expect(seeks(head(kind, 0, 0xfffe, 2))).toBe('never')
      // Where it is not seen it is what nearly all are.
      expect(seeks(head(kind, 990, 2))).toBe('exact')
      expect(seeks(head(kind, 0, 2).fill(0, 12))).toBe('exact')
    }
    expect(seeks(head('RIFX', 0, 2))).toBe('exact')
    const sided = (channels: number, speakers: number): string => {
      const bytes = head('RIFF', 0, 0xfffe, 3)
      bytes.writeUInt16LE(channels, 22)
      bytes.writeUInt32LE(speakers, 40)
      return seeks(bytes)
    }
    expect([sided(1, 1), sided(1, 2), sided(1, 4), sided(1, 0), sided(2, 3)])
      .toEqual(['one-side', 'one-side', 'exact', 'exact', 'exact'])
  })

  it.each([
    ['coarse', [
      'video/webm', 'video/x-matroska', 'video/x-msvideo', 'video/x-flv', 'video/x-ms-asf',
    ]],
    ['exact', ['audio/flac', 'audio/wav', 'audio/mpeg', 'audio/mp4', 'video/mp4', 'audio/ogg',
      'application/octet-stream']],
    ['with-pictures', ['video/mp2t', 'video/mpeg', 'video/ogg']],
  ] as const)('is %s in files of %j', (seeking, types) => {
    for (const type of types) {
      expect([type, seekingOf(type, Buffer.alloc(9), Buffer.alloc(0))]).toEqual([type, seeking])
    }
  })
})

describe('readFacts', () => {
  const sound = { codec_type: 'audio', channels: 2, duration_ts: 441, time_base: '1/44100' }

  it('counts the frames that a source of another rate becomes, a begun one too', () => {
    const facts = readFacts(JSON.stringify({ streams: [sound], format: { format_name: 'flac' } }))
    const whole = { duration: 480, soundEnd: 480, audio: { channels: 2 }, video: null }
    expect(facts).toMatchObject(whole)
    const odd = { ...sound, duration_ts: 442 }
    expect(readFacts(JSON.stringify({ streams: [odd] }))?.duration).toBe(482)
    // An AVI counts packets, each of 24 ms.
    const packets = { ...sound, duration_ts: 100, time_base: '3/125' }
    expect(readFacts(JSON.stringify({ streams: [packets] }))?.duration).toBe(115_200)
  })

  it('takes the sound’s end where it stands in its container', () => {
    const streams = [{ ...sound, start_time: '0.500000' }]
    const format = { format_name: 'mov,mp4,m4a', duration: '0.6', start_time: '0.000000' }
    expect(readFacts(JSON.stringify({ streams, format }))?.soundEnd).toBe(24_480)
  })

  it('is told as a guess where a sound goes on from the middle of its stream', () => {
    const ofKind = (format_name: string, duration: string, more: readonly object[] = []) =>
      readFacts(JSON.stringify({
        streams: [{ ...sound, start_time: '40', duration: '50' }, ...more],
        format: { format_name, duration, start_time: '40' },
      }))
    for (const kind of ['ogg', 'matroska,webm', 'mov,mp4,m4a']) {
      expect(ofKind(kind, '50')).toMatchObject({ isEstimate: true, soundEnd: null })
      expect(ofKind(kind, '50', [{ codec_type: 'video' }])?.isEstimate).toBe(false)
    }
    // It begins with a wait of 40 seconds.
    expect(ofKind('mov,mp4,m4a', '90')).toMatchObject({ isEstimate: false, soundEnd: 480 })
    expect(ofKind('mpegts', '50')).toMatchObject({ isEstimate: false, soundEnd: 480 })
  })

  it('what iTunes padded behind a sound is not of it: a loop and an album have no gap', () => {
    const endOf = (tag: string, start: number): number | null | undefined => {
      const streams = [{ ...sound, duration_ts: 45_056, start_pts: start, start_time: '0.04' }]
      const format = { format_name: 'mov,mp4,m4a', start_time: '0.04', tags: { iTunSMPB: tag } }
      return readFacts(JSON.stringify({ streams, format }))?.soundEnd
    }
    const tag = ' 00000000 00000840 000001CA 000000000000A5F6 00000000 00000000'
    expect(endOf(tag, 2_112)).toBe(Math.ceil((0xa5f6 * 48_000) / 44_100))
    // Of one with an edit list the container's length is right already.
    expect(endOf(tag, 0)).toBe(49_041)
    for (const odd of ['', ' 00000000 00000840', ' 0 840 0 0', ' 0 840 0 FFFFFFFF', 'zero']) {
      expect(endOf(odd, 2_112), odd).toBe(49_041)
    }
  })

  it('pictures that go on after the sound make the length, not by a last packet', () => {
    const factsOf = (seconds: number, name: string): unknown => {
      const picture = { codec_type: 'video', codec_name: 'h264', duration: String(seconds) }
      const streams = [{ ...sound, duration_ts: 44_100 }, picture]
      return readFacts(JSON.stringify({ streams, format: { format_name: name } }))
    }
    expect(factsOf(4, 'mov,mp4')).toMatchObject({
      duration: 192_000, soundEnd: 48_000, picturesEnd: 192_000,
    })
    expect(factsOf(4, 'avi')).toMatchObject({ duration: 192_000, soundEnd: 48_000 })
    expect(factsOf(1.25, 'mov,mp4')).toMatchObject({ duration: 48_000, picturesEnd: null })
    // Matroska tells one length for all.
    const streams = [{ codec_type: 'audio' }, { codec_type: 'video' }]
    const format = { format_name: 'matroska', duration: '4' }
    expect(readFacts(JSON.stringify({ streams, format })))
      .toMatchObject({ duration: 192_000, soundEnd: null, picturesEnd: 192_000 })
    // A cover is no picture that goes on.
    const cover = { codec_type: 'video', duration: '9', disposition: { attached_pic: 1 } }
    expect(readFacts(JSON.stringify({ streams: [sound, cover], format })))
      .toMatchObject({ duration: 480, picturesEnd: null })
  })

  it('the start of a container is no part of what plays, e.g. 1.4 s of an MPEG-TS', () => {
    const lengthFrom = (start: string): number | undefined => {
      const streams = [{ ...sound, start_time: start }]
      const format = { format_name: 'mpegts', duration: '0.6', start_time: '1.400000' }
      return readFacts(JSON.stringify({ streams, format }))?.duration
    }
    expect(['1.400000', '1.900000', '1.000000'].map(lengthFrom)).toEqual([480, 24_480, 480])
  })

  it('tells where time begins in a video: Chromium counts its picture from there', () => {
    const beginsMs = (start_time: string | undefined): number | undefined =>
      readFacts(JSON.stringify({ streams: [{ codec_type: 'video' }], format: { start_time } }))
        ?.video?.beginsMs
    expect(['99.993', '0', '-0.007', undefined].map(beginsMs)).toEqual([99_993, 0, 0, 0])
  })

  it('a length that no medium has is unknown, and what is no answer holds nothing', () => {
    const absurd = { ...sound, duration_ts: 9e18, duration: '1e300', channels: 2 ** 40 }
    const format = { duration: '9223372036854775807', format_name: 'matroska' }
    const facts = readFacts(JSON.stringify({ streams: [absurd], format }))
    expect(facts).toMatchObject({ duration: 0, soundEnd: null, audio: { channels: 0 } })
    const late = { ...sound, start_time: '1e200' }
    expect(readFacts(JSON.stringify({ streams: [late], format: { start_time: '0' } })))
      .toMatchObject({ duration: 0 })
    for (const json of ['null', '[]', '{"streams":7}', '{"streams":[null]}']) {
      expect(readFacts(json)).toBeNull()
    }
  })

  it('a cover is no video, a still picture no length, a text nothing', () => {
    const cover = { codec_type: 'video', disposition: { attached_pic: 1 } }
    const format = { duration: '3.0' }
    const song = readFacts(JSON.stringify({ streams: [sound, cover], format }))
    expect(song?.video).toBeNull()
    const ofKind = (format_name: string, duration: string) =>
      readFacts(JSON.stringify({
        streams: [{ codec_type: 'video' }], format: { format_name, duration },
      }))
    const still = { video: null }
    expect(ofKind('png_pipe', 'N/A')).toMatchObject({ duration: 0, ...still })
    expect(ofKind('image2', '0.04')).toMatchObject(still)
    // As it is recorded into a pipe, by a browser too.
    expect(ofKind('matroska,webm', 'N/A')).toMatchObject({ duration: 0, video: {} })
    expect(readFacts('{}')).toBeNull()
    expect(readFacts('not json')).toBeNull()
  })
})
