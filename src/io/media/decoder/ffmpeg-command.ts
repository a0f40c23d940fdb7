// Which ffmpeg is started: the one that prism-media finds.
import prism from 'prism-media'

/** Where it finds none, e.g. for want of descriptors, a start by this name tells what is so. */
export const ffmpegCommand = (): string => {
  try {
    return prism.FFmpeg.getInfo().command
  } catch {
    return 'ffmpeg'
  }
}
