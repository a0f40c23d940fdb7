// Which videos a browser shows, why another one it does not, and the ffmpeg line that mends it.

/** What ffprobe says of a file's pictures. */
export interface PictureFacts {
  /** ffprobe's names of the container, such as `mov,mp4,m4a,3gp,3g2,mj2`. */
  readonly container: string
  readonly codec: string
  readonly pixelFormat: string | null
  readonly width: number
  readonly height: number
  readonly framesPerSecond: number | null
  /** The longest way between two keyframes, as far as it was looked at. */
  readonly keyframesMs: number | null
}

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

/** Null where a browser shows it. */
export const notShownReason = (facts: PictureFacts): string | null => {
  const codec = SHOWN[facts.codec]
  if (codec === undefined) return `a browser does not show ${facts.codec}`
  const names = facts.container.split(',')
  if (!codec.containers.some((name) => names.includes(name))) {
    return `a browser does not show ${facts.codec} in ${names[0] ?? 'this container'}`
  }
  const { pixelFormat } = facts
  if (pixelFormat === null || codec.pixels.includes(pixelFormat)) return null
  return `a browser does not show ${facts.codec} with the pixel format ${pixelFormat}`
}

/** Null where seeks are quick. */
export const slowReason = ({ keyframesMs }: PictureFacts): string | null =>
  keyframesMs === null || keyframesMs <= KEYFRAMES_MOST_MS
    ? null
    : `has keyframes up to ${(keyframesMs / 1000).toFixed(1)} s apart: seeks and loops are slow`

/** A line that an operator can paste: the new file stands beside the old one. */
export const mendingLine = (path: string, { framesPerSecond }: PictureFacts): string => {
  const keyframes = Math.max(1, Math.round(framesPerSecond ?? 25))
  const to = path.replace(/(\.[^./\\]*)?$/, '.stage.mp4')
  const video = `-c:v libx264 -pix_fmt yuv420p -g ${keyframes} -movflags +faststart`
  return `ffmpeg -i ${quoted(path)} ${video} -c:a aac ${quoted(to)}`
}

const quoted = (path: string): string =>
  /^[\w./-]+$/.test(path) ? path : `'${path.replaceAll("'", '\'\\\'\'')}'`
