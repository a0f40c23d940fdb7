// The log process: writes what the daemon says to stdout and stderr, where a write may block.
//
// A write to a pipe that nobody reads, or to a terminal after Ctrl-S, blocks for as long as that
// lasts; in the daemon it would block HTTP, panic and SIGTERM. Here it holds up this log alone. The
// daemon sends one batch for each descriptor at a time and hears what became of it.
import { write } from 'node:fs'
import { isatty } from 'node:tty'
import { realTimers } from '../../clock/real.js'
import { leaveSignalsToOwner } from '../programs.js'
import { shapeOf } from './log-format.js'
import type { FromLogProcess, LogTarget, ToLogProcess } from './log-messages.js'

/** Another program may have made the terminal or pipe non-blocking: then we come back. */
const FULL_MS = 20
/** A batch that is out when the daemon has gone may still be taken; then this process ends too. */
const LAST_MS = 500

const timers = realTimers()
const out = new Set<LogTarget>()

const send = (message: FromLogProcess): void => {
  process.send?.(message, undefined, undefined, () => undefined)
}

const tell = (target: LogTarget, failure: string | null): void => {
  out.delete(target)
  if (!process.connected) {
    if (out.size === 0) end()
    return
  }
  send({ target, failure })
}

const put = (target: LogTarget, bytes: Buffer): void => {
  write(target, bytes, (error, count) => {
    if (error?.code === 'EAGAIN') {
      timers.after(FULL_MS, () => {
        put(target, bytes)
      })
      return
    }
    if (error !== null) tell(target, error.message)
    else if (count < bytes.length) put(target, bytes.subarray(count))
    else tell(target, null)
  })
}

/** By a signal: an ordinary exit would wait for a write that may never end. */
const end = (): void => {
  process.kill(process.pid, 'SIGKILL')
}

const shape = shapeOf(process.argv[2] === 'pretty' ? 'pretty' : 'json', isatty(2))

process.on('message', ({ target, text }: ToLogProcess) => {
  out.add(target)
  // What is said on stdout is for programs. Where lines cannot be shaped they go out as they are.
  const shaped = target === 1 ? text : shape.then((to) => to(text)).catch(() => text)
  void Promise.resolve(shaped).then((bytes) => put(target, Buffer.from(bytes)))
})

process.on('disconnect', () => {
  if (out.size === 0) end()
  else timers.after(LAST_MS, end)
})

leaveSignalsToOwner()
send({ isUp: true })
