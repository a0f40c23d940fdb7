// How ffmpeg is told to decode a range to the frame, and how its complaints become one line.
import { basename } from 'node:path'

const RATE = 48_000

/** Never a protocol but a local file; ffmpeg must not ask questions, and says errors alone. */
export const INPUT_GUARD = ['-v', 'error', '-protocol_whitelist', 'file'] as const

/**
 * Arguments that decode [from, to) as interleaved f32le stereo at 48 kHz, sample-exact.
 *
 * The seek goes to a whole second at least one second early, so that the resampler keeps its phase
 * and the codec has warmed up; the cut is made by counting samples after resampling. `first_pts`
 * puts sound that begins later than its container at its place. The hard compensation that comes
 * with it is put out of reach: time stamps that jump must never cost samples. Mono goes to both
 * channels at its own level (`pan` ignores channels that are not there); surround is downmixed by
 * ffmpeg's usual matrix.
 */
export const decodeArgs = (
  path: string,
  origin: number,
  from: number,
  to: number | null,
): string[] => {
  if (from < origin || origin < 0) throw new RangeError('a decode begins at or after its origin')
  const preroll = Math.max(0, Math.floor(origin / RATE) - 1)
  const base = preroll * RATE
  const end = to === null ? '' : `:end_sample=${String(to - base)}`
  const filter = [
    `aresample=${String(RATE)}:first_pts=0:min_hard_comp=1000000`,
    'aformat=sample_fmts=flt:channel_layouts=mono|stereo',
    'pan=stereo|FL=FL+FC|FR=FR+FC',
    `atrim=start_sample=${String(from - base)}${end}`,
  ].join(',')
  const seek = preroll === 0 ? [] : ['-ss', String(preroll)]
  return [
    '-nostdin',
    ...INPUT_GUARD,
    ...seek,
    '-i',
    `file:${path}`,
    '-vn',
    '-sn',
    '-dn',
    '-af',
    filter,
    '-f',
    'f32le',
  ]
}

/** The first thing ffmpeg complained of, without its addresses and without the path. */
export const complaint = (stderr: string, path: string): string => {
  const line =
    stderr
      .split('\n')
      .map((raw) => raw.replace(/\[[^\]]* @ 0x[0-9a-f]+\] ?/g, '').replace(`file:${path}: `, ''))
      .find((text) => text.trim() !== '') ?? 'the decoder gave no reason'
  return `${basename(path)}: ${line.trim().slice(0, 300)}`
}

export const MISSING_FFMPEG =
  'ffmpeg was not found on the PATH; install it (Debian, Ubuntu: apt install ffmpeg)'
