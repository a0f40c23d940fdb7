// Clips whose every frame carries its number, as a row of black and white blocks on a colour.
import { spawn } from 'node:child_process'
import { once } from 'node:events'

export const CLIP = { width: 640, height: 360, bits: 12, block: 40 } as const

/** Grounds that a camera tells apart, and that are neither black nor white. */
export const GROUNDS = {
  blue: [40, 70, 200], green: [30, 160, 60], red: [200, 50, 40], grey: [128, 128, 128],
} as const
export type Ground = keyof typeof GROUNDS

export interface ClipOptions {
  readonly path: string
  readonly framesPerSecond: number
  readonly seconds: number
  readonly ground: Ground
  /** ffmpeg's words for the codec. */
  readonly coding: readonly string[]
  /** A tone in the container's own codec: AAC in MP4, Opus in WebM. */
  readonly sound?: boolean
}

export const H264 = [
  '-c:v', 'libx264', '-preset', 'ultrafast', '-pix_fmt', 'yuv420p', '-movflags', '+faststart',
] as const
export const VP9 = [
  '-c:v', 'libvpx-vp9', '-deadline', 'realtime', '-cpu-used', '8', '-b:v', '1M',
  '-pix_fmt', 'yuv420p',
] as const
export const AV1 = ['-c:v', 'libsvtav1', '-preset', '12', '-pix_fmt', 'yuv420p'] as const

export const makeClip = async (options: ClipOptions): Promise<void> => {
  const { path, framesPerSecond, seconds, coding, sound = false } = options
  const { width, height, block } = CLIP
  // A pixel a block: what is piped stays small, and ffmpeg makes it large with sharp edges.
  const size = `${width / block}x${height / block}`
  const input = [
    '-f', 'rawvideo', '-pix_fmt', 'rgb24', '-s', size, '-r', String(framesPerSecond), '-i', '-',
    ...(sound ? ['-f', 'lavfi', '-i', `sine=frequency=330:duration=${seconds}`] : []),
    '-vf', `scale=${width}:${height}:flags=neighbor`,
  ]
  const all = ['-v', 'error', '-y', ...input, ...coding, '-g', String(framesPerSecond), path]
  const env = { ...process.env, SVT_LOG: '1' }
  const child = spawn('ffmpeg', all, { stdio: ['pipe', 'ignore', 'inherit'], env })
  const ended = once(child, 'exit')
  for (let n = 0; n < framesPerSecond * seconds; n += 1) {
    if (!child.stdin.write(drawn(n, options))) await once(child.stdin, 'drain')
  }
  child.stdin.end()
  const [code] = (await ended) as [number]
  if (code !== 0) throw new Error(`ffmpeg could not make ${path}`)
}

const drawn = (n: number, { ground }: ClipOptions): Buffer => {
  const columns = CLIP.width / CLIP.block
  const count = columns * (CLIP.height / CLIP.block)
  const pixels = Buffer.alloc(count * 3, Buffer.from(GROUNDS[ground]))
  for (let bit = 0; bit < CLIP.bits; bit += 1) {
    pixels.fill((n >> bit) & 1 ? 255 : 0, bit * 3, bit * 3 + 3)
  }
  return pixels
}
