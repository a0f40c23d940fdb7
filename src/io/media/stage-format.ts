// Which videos a browser shows, why another one it does not, and the ffmpeg line that mends it.
import type { VideoFacts } from '../../contract/show-page.js'
import { quoted } from '../files/terminal-text.js'
import type { MediaFacts } from './probe/probe-file.js'

/** Seeks and the seams of loops become slow beyond this. */
const KEYFRAMES_MOST_MS = 2_000

const EIGHT_BIT = ['yuv420p', 'yuvj420p']
const TEN_BIT = [...EIGHT_BIT, 'yuv420p10le']

/** What the browsers in use all show, by codec. */
const SHOWN: Readonly<Record<string, Shown>> = {
  h264: { containers: ['mp4', 'mov'], pixels: EIGHT_BIT },
  vp8: { containers: ['webm'], pixels: [...EIGHT_BIT, 'yuva420p'] },
  vp9: { containers: ['webm', 'mp4'], pixels: [...TEN_BIT, 'yuva420p'] },
  av1: { containers: ['webm', 'mp4'], pixels: TEN_BIT },
}

interface Shown {
  readonly containers: readonly string[]
  readonly pixels: readonly string[]
}

/** Of a file that a button calls a video, after `it`; null: there is a picture that moves. */
export const noPictureReason = ({ audio, video }: MediaFacts): string | null => video === null
  ? `has no moving picture: make its kind ${audio === null ? 'image' : 'audio'}`
  : null

/** Null where a browser shows it, or where there is no picture. */
export const notShownReason = ({ container, video }: MediaFacts): string | null => {
  if (video === null) return null
  const codec = SHOWN[video.codec]
  if (codec === undefined) return `a browser does not show ${video.codec}`
  const names = container.split(',')
  if (!codec.containers.some((name) => names.includes(name))) {
    return `a browser does not show ${video.codec} in ${names[0] || 'this container'}`
  }
  const { pixelFormat } = video
  if (pixelFormat === null || codec.pixels.includes(pixelFormat)) return null
  return `a browser does not show ${video.codec} with the pixel format ${pixelFormat}`
}

/** Null where seeks are quick. */
export const slowReason = ({ keyframesMs }: VideoFacts): string | null =>
  keyframesMs === null || keyframesMs <= KEYFRAMES_MOST_MS
    ? null
    : `has keyframes up to ${(keyframesMs / 1000).toFixed(1)} s apart: seeks and loops are slow`

/** Null where each frame is one picture. */
export const combsReason = ({ isInterlaced }: MediaFacts): string | null => isInterlaced
  ? 'its frames are of two half pictures (interlaced): what moves has combs'
  : null

/** As ffmpeg names what has transparency. */
const SEE_THROUGH = /^(?:yuva|rgba|bgra|argb|abgr|gbrap|ya\d|ayuv|pal8)/
/** ffmpeg's own decoders leave the transparency of these out. */
const WHOLE_DECODERS: Readonly<Record<string, string>> = { vp8: 'libvpx', vp9: 'libvpx-vp9' }

/** A line that an operator can paste: the new file stands beside the old one. */
export const mendingLine = (path: string, video: VideoFacts): string => {
  const { framesPerSecond, width, height } = video
  const keyframes = Math.max(1, Math.round(framesPerSecond ?? 25))
  // With its ending: of clip.webm and clip.mov each has its own.
  const to = `${path}.stage.mp4`
  // The coder takes even sides only, e.g. none of an animation of 525x333. By what ffmpeg sees: it
  // turns a picture that lies on its side before it cuts.
  const isOdd = width % 2 === 1 || height % 2 === 1
  const even = isOdd ? ',crop=trunc(iw/2)*2:trunc(ih/2)*2' : ''
  // Frames of two half pictures, e.g. of a camcorder or a DVD, would show as combs; others stay.
  // What is transparent has any colour, often white: H.264 would show it. On a stage it is black.
  const isSeeThrough = SEE_THROUGH.test(video.pixelFormat ?? '')
  const onBlack = isSeeThrough ? ',format=gbrap,premultiply=inplace=1' : ''
  const decoder = isSeeThrough ? WHOLE_DECODERS[video.codec] : undefined
  const input = `${decoder === undefined ? '' : `-c:v ${decoder} `}-i ${quoted(path)} `
  const filters = `-vf 'yadif=deint=interlaced${onBlack}${even}' `
  // Left alone ffmpeg takes the sound with the most channels, e.g. another language; the daemon
  // plays the first.
  const tracks = "-map 0:V:0 -map '0:a:0?' "
  const coder = `-c:v libx264 -pix_fmt yuv420p -g ${keyframes} -movflags +faststart`
  return `ffmpeg ${input}${tracks}${filters}${coder} -c:a aac ${quoted(to)}`
}
