// Which videos a browser shows: by container, codec and pixel format, as the common ones have it.
import type { MediaFacts } from './probe-file.js'

const CONTAINERS = ['mp4', 'mov', 'webm', 'matroska', 'ogg']
const CODECS = ['h264', 'vp8', 'vp9', 'av1']
/** 4:2:0, of 8 bits everywhere; of 10 for the codecs that bring it along. */
const PIXELS = ['yuv420p', 'yuvj420p']
const DEEP_PIXELS = ['yuv420p10le']

/** Why the picture of a file cannot be shown; null: it can, or there is none. */
export const notShownBy = ({ container, video }: MediaFacts): string | null => {
  if (video === null) return null
  const { codec, pixelFormat } = video
  if (!container.split(',').some((name) => CONTAINERS.includes(name))) {
    return `browsers do not open ${container}`
  }
  if (!CODECS.includes(codec)) return `browsers do not show ${codec}`
  const pixels = codec === 'vp9' || codec === 'av1' ? [...PIXELS, ...DEEP_PIXELS] : PIXELS
  if (pixelFormat === null || pixels.includes(pixelFormat)) return null
  return `browsers do not show ${codec} as ${pixelFormat}`
}
