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
  const { path, framesPerSecond, seconds, ground, coding } = options
  const size = `${CLIP.width}x${CLIP.height}`
  const input = [
    '-f', 'rawvideo', '-pix_fmt', 'rgb24', '-s', size, '-r', String(framesPerSecond), '-i', '-',
  ]
  const all = ['-v', 'error', '-y', ...input, ...coding, '-g', String(framesPerSecond), path]
  const child = spawn('ffmpeg', all, { stdio: ['pipe', 'ignore', 'inherit'] })
  const ended = once(child, 'exit')
  for (let n = 0; n < framesPerSecond * seconds; n += 1) {
    if (!child.stdin.write(drawn(n, ground))) await once(child.stdin, 'drain')
  }
  child.stdin.end()
  const [code] = (await ended) as [number]
  if (code !== 0) throw new Error(`ffmpeg could not make ${path}`)
}

const drawn = (n: number, ground: Ground): Buffer => {
  const { width, height, bits, block } = CLIP
  const pixels = Buffer.alloc(width * height * 3, Buffer.from(GROUNDS[ground]))
  for (let y = 0; y < block; y += 1) {
    for (let bit = 0; bit < bits; bit += 1) {
      const at = (y * width + bit * block) * 3
      pixels.fill((n >> bit) & 1 ? 255 : 0, at, at + block * 3)
    }
  }
  return pixels
}
