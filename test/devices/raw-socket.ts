// Talks to a server in bytes, as a broken or hostile client would, and reads what comes back.
import net from 'node:net'

export interface Heard {
  /** Everything the server sent. */
  readonly text: string
  /** The server ended the connection; false where the time ran out first. */
  readonly closed: boolean
}

/**
 * Sends the parts one after another, and listens until the server ends the connection, `enough`
 * answers came (null: there is never enough) or `waitMs` are over.
 */
export const talk = (
  port: number,
  parts: readonly (string | Buffer)[],
  waitMs: number,
  enough: number | null,
): Promise<Heard> =>
  new Promise((resolve) => {
    const socket = net.connect({ host: '127.0.0.1', port, allowHalfOpen: true })
    const chunks: Buffer[] = []
    const finish = (closed: boolean): void => {
      clearTimeout(timer)
      socket.destroy()
      resolve({ text: Buffer.concat(chunks).toString('latin1'), closed })
    }
    const timer = setTimeout(() => finish(false), waitMs)
    socket.on('data', (chunk) => {
      chunks.push(chunk)
      if (enough !== null && countWhole(Buffer.concat(chunks).toString('latin1')) >= enough) {
        finish(false)
      }
    })
    socket.on('end', () => finish(true))
    socket.on('close', () => finish(true))
    socket.on('error', () => finish(true))
    const send = (at: number): void => {
      const part = parts[at]
      if (part === undefined || socket.destroyed) return
      socket.write(part, () => setTimeout(() => send(at + 1), 20))
    }
    send(0)
  })

export interface RawAnswer {
  readonly status: number
  readonly headers: ReadonlyMap<string, string>
  readonly body: string
}

const countWhole = (text: string): number => {
  try {
    return answersIn(text).length
  } catch {
    return 0
  }
}

/** The answers that stand in a stream of bytes, one after the other. */
export const answersIn = (text: string): readonly RawAnswer[] => {
  const answers: RawAnswer[] = []
  let rest = text
  while (rest !== '' && answers.length < 5_000) {
    const end = rest.indexOf('\r\n\r\n')
    if (end < 0) throw new Error(`no HTTP answer: ${JSON.stringify(rest.slice(0, 200))}`)
    const [first = '', ...lines] = rest.slice(0, end).split('\r\n')
    const status = Number(/^HTTP\/1\.1 (\d{3}) /.exec(first)?.[1])
    const headers = new Map(
      lines.map((line): [string, string] => {
        const colon = line.indexOf(':')
        return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()]
      }),
    )
    // Answers to HEAD tell a length and have no body; every body of ours begins with a brace.
    const hasBody = rest.startsWith('{', end + 4)
    const length = hasBody ? Number(headers.get('content-length') ?? 0) : 0
    const body = rest.slice(end + 4, end + 4 + length)
    if (body.length < length) throw new Error('the last answer is cut short')
    answers.push({ status, headers, body })
    rest = rest.slice(end + 4 + length)
  }
  return answers
}
