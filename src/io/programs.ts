// Programs that run apart, as a process or a thread: where our own are, and what they share.
import { ChildProcess, fork, type ForkOptions } from 'node:child_process'
import { constants, setPriority } from 'node:os'
import { fileURLToPath } from 'node:url'

const isSource = import.meta.url.endsWith('.ts')

/**
 * The compiled program `io/log/log-process`. A thread cannot run sources, and a device test means
 * what is shipped: called from the sources, this is the one that the build made.
 */
export const compiledProgram = (name: string): URL =>
  new URL(`${isSource ? '../../dist/' : '../'}${name}.js`, import.meta.url)

/** A program of the caller's kind: from the sources through tsx, from the build as it is. */
export const programAlike = (name: string) => ({
  file: fileURLToPath(new URL(`../${name}.${isSource ? 'ts' : 'js'}`, import.meta.url)),
  execArgv: isSource ? ['--import', import.meta.resolve('tsx')] : [],
})

/**
 * What a thread of ours begins with. Node's own arguments, e.g. `--import ./trace.mjs`, are for the
 * folder that the daemon was started in; it works in `/` by then.
 */
export const THREAD = { execArgv: [] as string[] } as const

/**
 * One that the system cannot make, for want of descriptors or memory, tells it by `error` and
 * `close` as others do. Of itself Node throws at some of these, and at others leaves out what
 * belongs to a process: whoever sent to it, or read from it, would end the daemon.
 */
export const startedProcess = (start: () => ChildProcess): ChildProcess => {
  let child: ChildProcess
  try {
    child = start()
  } catch (error) {
    const none = new ChildProcess()
    process.nextTick(() => {
      none.emit('error', error)
      none.emit('close', null, null)
    })
    child = none
  }
  const { stdio } = child as { readonly stdio?: ChildProcess['stdio'] }
  if (stdio !== undefined) return child
  return Object.assign(child, { stdio: [], send: () => false, disconnect: () => undefined })
}

/**
 * Starts such a program as a process that does not keep its owner from ending. It works in `/`:
 * prism-media looks for ./ffmpeg too, and nothing in a show's folder may be taken for it; nor may
 * that folder be on a disk that goes.
 */
export const forkAlike = (
  name: string, options: Pick<ForkOptions, 'env' | 'serialization' | 'stdio'>,
): ChildProcess => {
  const { file, execArgv } = programAlike(name)
  const child = startedProcess(() => fork(file, [], { ...options, execArgv, cwd: '/' }))
  child.unref()
  child.channel?.unref()
  return child
}

/**
 * Ctrl-C, a service manager's stop and a terminal that goes reach all processes of a group: the
 * daemon decides when those that it owns end. SIGUSR1 would open Node's inspector, a port through
 * which anyone here runs code in the process.
 */
export const leaveSignalsToOwner = (): void => {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGUSR1'] as const) {
    process.on(signal, () => undefined)
  }
}

/** Work that nobody waits for must not take the processor from sound. */
export const lowerPriority = (pid: number): void => {
  try {
    setPriority(pid, constants.priority.PRIORITY_LOW)
  } catch {
    // It ended already, or the system refuses: the work is as good at normal priority.
  }
}
