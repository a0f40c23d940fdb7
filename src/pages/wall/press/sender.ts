// Sends one command exactly once: at once, and again with the same key where no answer came.
//
// An answer that is lost may still have had its effect, so what is sent again carries the key of
// the first time (api.md, Idempotency-Key). Whoever asked takes it back when the connection is
// lost: a daemon that comes back knows no keys, and a press that comes late is no press.

export interface Sent {
  readonly status: number
  readonly body: unknown
}

export interface SenderPorts {
  /** Rejects where no answer came. */
  post(path: string, body: unknown, key: string, signal: AbortSignal): Promise<Sent>
  after(ms: number, call: () => void): () => void
  /** A new key, from the browser's source of chance. */
  key(): string
}

export type Outcome =
  | { readonly kind: 'done'; readonly body: unknown }
  | { readonly kind: 'refused'; readonly code: string; readonly message: string }
  /** No answer came. It may have arrived all the same, where one was waited for. */
  | { readonly kind: 'not_sent'; readonly mayHaveArrived: boolean }
  /** It was taken back before its end: a panic came, or the connection was lost. */
  | { readonly kind: 'taken_back' }

const AGAIN_MS = [100, 300, 900] as const
/** Without an answer for so long, it is as if none would come. */
const ANSWER_WITHIN_MS = 1_000
const FOR_LATER = ['command_in_progress', 'app_busy']

export interface Sending {
  readonly outcome: Promise<Outcome>
  /** Aborts what is under way and sends nothing again. */
  takeBack(): void
}

type Attempt = Outcome | { readonly kind: 'again'; readonly last: Outcome }

/** The first time is within this call. */
export const send = (ports: SenderPorts, path: string, body: unknown): Sending => {
  const key = ports.key()
  const over = new AbortController()
  const once = (): Promise<Attempt> =>
    attempt(ports, over.signal, (signal) => ports.post(path, body, key, signal))
  return { outcome: untilAnswered(ports, over.signal, once), takeBack: () => over.abort() }
}

const untilAnswered = async (
  ports: SenderPorts, over: AbortSignal, once: () => Promise<Attempt>,
): Promise<Outcome> => {
  const isOver = (): boolean => over.aborted
  let answer = await once()
  let mayHaveArrived = false
  for (const ms of AGAIN_MS) {
    if (answer.kind !== 'again') return answer
    if (!isOver()) await pause(ports, ms, over)
    if (isOver()) return { kind: 'taken_back' }
    mayHaveArrived ||= answer.last.kind === 'not_sent' && answer.last.mayHaveArrived
    answer = await once()
  }
  if (isOver()) return { kind: 'taken_back' }
  if (answer.kind !== 'again') return answer
  const { last } = answer
  return last.kind !== 'not_sent' ? last
    : { kind: 'not_sent', mayHaveArrived: mayHaveArrived || last.mayHaveArrived }
}

const attempt = async (
  ports: SenderPorts, over: AbortSignal, post: (signal: AbortSignal) => Promise<Sent>,
): Promise<Attempt> => {
  const mine = new AbortController()
  const abort = (): void => mine.abort()
  over.addEventListener('abort', abort)
  const cancel = ports.after(ANSWER_WITHIN_MS, abort)
  try {
    return judge(await post(mine.signal))
  } catch {
    return { kind: 'again', last: { kind: 'not_sent', mayHaveArrived: mine.signal.aborted } }
  } finally {
    cancel()
    over.removeEventListener('abort', abort)
  }
}

const judge = ({ status, body }: Sent): Attempt => {
  if (status < 300) return { kind: 'done', body }
  const { error, message } = (body ?? {}) as { error?: unknown; message?: unknown }
  const code = typeof error === 'string' ? error : `http_${status}`
  const text = typeof message === 'string' ? message : code.replaceAll('_', ' ')
  const refused: Outcome = { kind: 'refused', code, message: text }
  return FOR_LATER.includes(code) ? { kind: 'again', last: refused } : refused
}

const pause = (ports: SenderPorts, ms: number, over: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    const cancel = ports.after(ms, () => resolve())
    over.addEventListener('abort', () => {
      cancel()
      resolve()
    }, { once: true })
  })
