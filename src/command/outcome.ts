// How a command ends: its exit codes, and the one line on stderr that says why.
import { shown } from '../io/files/terminal-text.js'

export const EXIT = { fine: 0, failed: 1, badArguments: 2 } as const

/** Arguments that make no sense; the message is the one line that tells so. */
export class ArgumentError extends Error {
  override readonly name = 'ArgumentError'
}

/** Says one line on stderr, whatever line ends the message has. */
export const complain = (message: string): void => {
  process.stderr.write(`cartwall: ${shown(message.replace(/\s*[\r\n]+\s*/g, ' ').trim())}\n`)
}

/** Says one line on stdout. */
export const say = (line: string): void => {
  process.stdout.write(`${shown(line)}\n`)
}

const SAID_ON = [process.stdout, process.stderr]

/** Why not all that was said could be written; null: it could, or its reader left. */
let unsaid: string | null = null

/** From here on a reader who leaves (`| head -1`) is no fault: what is said then goes nowhere. */
export const letReadersLeave = (): void => {
  for (const stream of SAID_ON) {
    stream.on('error', ({ code, message }: NodeJS.ErrnoException) => {
      if (code !== 'EPIPE' && code !== 'ECONNRESET') unsaid ??= message
    })
  }
}

/**
 * How the command ends, once all that was said was read, however slowly (`| less`, ssh), or nobody
 * reads. What a full disk did not take (`> show.schema.json`) is a failure, and told.
 */
export const wasRead = async (code: number): Promise<number> => {
  const read = SAID_ON.map((stream) => new Promise<void>((done) => {
    stream.write('', () => done())
  }))
  await Promise.all(read)
  if (unsaid === null) return code
  complain(`what it says cannot be written: ${unsaid}`)
  return code === EXIT.fine ? EXIT.failed : code
}

/** `1 button`, `2 buttons`. */
export const counted = (count: number, noun: string): string =>
  `${String(count)} ${noun}${count === 1 ? '' : 's'}`

/** What nobody foresaw: one line where that is enough, else a bug, of which a stack tells more. */
export const inWords = (error: unknown): string => {
  if (!(error instanceof Error)) return `${String(error)}\n`
  if ('code' in error && error.code === 'EMFILE') return TOO_FEW_FILES
  return 'syscall' in error && error.syscall === 'uv_cwd' ? NO_FOLDER : `${String(error.stack)}\n`
}

const TOO_FEW_FILES =
  'cartwall: it may open too few files at once to be loaded: allow it 256 or more (ulimit -n)\n'
const NO_FOLDER =
  'cartwall: the folder that it was started in is gone: go to one that is there (cd)\n'
