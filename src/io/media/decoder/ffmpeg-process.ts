// ffmpeg, as prism-media finds and starts it.
import { type ChildProcess, spawn } from 'node:child_process'
import prism from 'prism-media'
import { startedProcess } from '../../programs.js'

/** Its types leave this out: a process that writes to its stdout. */
const { create } = prism.FFmpeg as unknown as {
  readonly create: (options: { readonly args: string[] }) => ChildProcess
}

/** Where it finds none, e.g. for want of descriptors, a start by this name tells what is so. */
export const ffmpegCommand = (): string => {
  try {
    return prism.FFmpeg.getInfo().command
  } catch {
    return 'ffmpeg'
  }
}

/** One that decodes to its stdout. What keeps it from being started is told by its `error`. */
export const startFfmpeg = (args: readonly string[]): ChildProcess => {
  const child = startedProcess(() => {
    try {
      return create({ args: [...args] })
    } catch {
      return spawn('ffmpeg', [...args, 'pipe:1'], { windowsHide: true })
    }
  })
  // It reads nothing; a pipe that breaks with its process is told by how that ended.
  for (const pipe of [child.stdin, child.stdout]) pipe?.on('error', () => undefined)
  child.stdin?.end()
  return child
}
