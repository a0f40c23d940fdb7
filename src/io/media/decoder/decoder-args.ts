// How ffmpeg is told to decode a range to the frame, and how its complaints become one line.
import { basename } from 'node:path'

const RATE = 48_000

/** Never a protocol but a local file; ffmpeg must not ask questions, and says errors alone. */
export const INPUT_GUARD = ['-v', 'error', '-protocol_whitelist', 'file'] as const

/**
 * Arguments that decode [from, to) as interleaved f32le stereo at 48 kHz, sample-exact; where it is
 * written to comes after them.
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
): string[] => ['-nostdin', ...inputArgs(path, origin), ...outputArgs(0, { origin, from, to })]

/** A range of one file, as one of several that an ffmpeg decodes. */
export interface Range {
  readonly path: string
  readonly origin: number
  readonly from: number
  readonly to: number | null
}

/** The same for several ranges at once, each of which is written to a pipe of its own. */
export const batchArgs = (ranges: readonly Range[], firstPipe: number): string[] => [
  '-nostdin',
  ...ranges.flatMap(({ path, origin }) => inputArgs(path, origin)),
  ...ranges.flatMap((range, n) => [...outputArgs(n, range), `pipe:${firstPipe + n}`]),
]

const inputArgs = (path: string, origin: number): string[] => {
  if (origin < 0) throw new RangeError('a source has no frames before its first')
  const preroll = prerollOf(origin)
  const seek = preroll === 0 ? [] : ['-ss', String(preroll)]
  return [...INPUT_GUARD, ...seek, '-i', `file:${path}`]
}

/** Of several sounds in a file the first: the one whose length the probe tells. */
const outputArgs = (input: number, { origin, from, to }: Omit<Range, 'path'>): string[] => {
  if (from < origin) throw new RangeError('a decode begins at or after its origin')
  const base = prerollOf(origin) * RATE
  const end = to === null ? '' : `:end_sample=${String(to - base)}`
  const filter = [
    `aresample=${String(RATE)}:first_pts=0:min_hard_comp=1000000`,
    'aformat=sample_fmts=flt:channel_layouts=mono|stereo',
    'pan=stereo|FL=FL+FC|FR=FR+FC',
    `atrim=start_sample=${String(from - base)}${end}`,
  ].join(',')
  return ['-map', `${input}:a:0`, '-af', filter, '-f', 'f32le']
}

/** Whole seconds that are passed over. */
const prerollOf = (origin: number): number => Math.max(0, Math.floor(origin / RATE) - 1)

/** What ffmpeg says where a file holds no sound. */
export const HOLDS_NO_SOUND = /Stream map '\d+:a:0' matches no streams/

/** Which of several inputs are to blame, where ffmpeg named them: by their place in the list. */
export const culprits = (stderr: string, paths: readonly string[]): ReadonlySet<number> => {
  const found = new Set<number>()
  for (const [, n] of stderr.matchAll(/Stream map '(\d+):a:0' matches no streams/g)) {
    found.add(Number(n))
  }
  paths.forEach((path, n) => {
    if (stderr.includes(`file:${path}: `)) found.add(n)
  })
  return found
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
