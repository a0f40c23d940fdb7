// ffmpeg, as prism-media finds it.
import { type ChildProcess, spawn } from 'node:child_process'
import prism from 'prism-media'
import { startedProcess } from '../../programs.js'

/** Where it finds none, e.g. for want of descriptors, a start by this name tells what is so. */
export const ffmpegCommand = (): string => {
  try {
    return prism.FFmpeg.getInfo().command
  } catch {
    return 'ffmpeg'
  }
}

/** Its version's first number; null where it tells none, e.g. a build between two of them. */
export const ffmpegMajor = (): number | null => {
  try {
    const { version } = prism.FFmpeg.getInfo()
    return Number(/^n?(\d+)\.\d/.exec(version)?.[1] ?? NaN) || null
  } catch {
    return null
  }
}

/** One that decodes to its stdout. What keeps it from being started is told by its `error`. */
export const startFfmpeg = (args: readonly string[]): ChildProcess => {
  const child = startedProcess(() => spawn(ffmpegCommand(), [...args, 'pipe:1'], {
    stdio: ['ignore', 'pipe', 'pipe'], windowsHide: true,
  }))
  // A pipe that breaks with its process is told by how that ended.
  child.stdout?.on('error', () => undefined)
  return child
}
