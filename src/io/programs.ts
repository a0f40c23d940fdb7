// Programs that run apart, as a process or a thread: where our own are, and what they share.
import { ChildProcess, fork, type ForkOptions } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { constants, setPriority } from 'node:os'
import { Worker } from 'node:worker_threads'

const isSource = import.meta.url.endsWith('.ts')

/**
 * The compiled program `io/log/log-process`. A thread cannot run sources, and a device test means
 * what is shipped: called from the sources, this is the one that the build made.
 */
export const compiledProgram = (name: string): URL =>
  new URL(`${isSource ? '../../dist/' : '../'}${name}.js`, import.meta.url)

/**
 * What a thread of ours begins with. Node's own arguments, e.g. `--import ./trace.mjs`, are for the
 * folder that the daemon was started in; it works in `/` by then.
 */
export const THREAD = { execArgv: [] as string[] } as const

/**
 * What a thread of ours makes of a file.
 * @param failed answers where it ends without a word, e.g. since it ran out of memory.
 */
export const askThread = <Answer>(
  name: 'show' | 'timeline', file: string, failed: (why: string) => Answer,
): Promise<Answer> =>
  new Promise((resolve) => {
    const program = compiledProgram(`io/${name}/${name}-thread`)
    const worker = new Worker(program, { ...THREAD, workerData: file, name })
    worker.once('message', (answer: Answer) => {
      // What it does after that keeps nobody from ending.
      worker.unref()
      resolve(answer)
    })
    worker.once('error', ({ message }) => resolve(failed(message)))
    worker.once('exit', () => resolve(failed('its thread ended')))
  })

/** A module that NODE_OPTIONS names neither by its whole path nor by an address. */
const NEAR_MODULE =
  /(?:^|\s)(?:-r|--require|--import|--loader|--experimental-loader)[\s=]+"?(?!\/|[a-z]+:)[^\s"]/

/**
 * Node reads NODE_OPTIONS anew for each thread and process. What they name from the folder that the
 * daemon was started in, e.g. `--require ./trace.cjs`, is for the main thread, which has read it:
 * from `/` it is not found, and none of the others would start.
 */
export const forgetNearModules = (environment: NodeJS.ProcessEnv): void => {
  if (NEAR_MODULE.test(environment['NODE_OPTIONS'] ?? '')) delete environment['NODE_OPTIONS']
}

/**
 * One that the system cannot make, for want of descriptors or memory, tells it by `error` and
 * `close` as others do. Of itself Node throws at some of these, and at others leaves out what
 * belongs to a process: whoever sent to it, or read from it, would end the daemon. Whoever killed
 * it would signal a number that was never set: some other process, or, where it is 0, our group.
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
  return Object.assign(child, {
    stdio: [], send: () => false, disconnect: () => undefined, kill: () => false,
  })
}

/**
 * Starts such a program as a process that does not keep its owner from ending. It works in `/`:
 * prism-media looks for ./ffmpeg too, and nothing in a show's folder may be taken for it; nor may
 * that folder be on a disk that goes.
 */
export const forkProgram = (
  name: string, options: Pick<ForkOptions, 'env' | 'serialization' | 'stdio'>,
  args: readonly string[] = [],
): ChildProcess => {
  const file = compiledProgram(name)
  const child = startedProcess(() => fork(file, args, { ...options, execArgv: [], cwd: '/' }))
  child.unref()
  child.channel?.unref()
  return child
}

/**
 * Ctrl-C, a service manager's stop and a terminal that goes reach all processes of a group: the
 * daemon decides when those that it owns end. SIGUSR1 would open Node's inspector, a port through
 * which anyone here runs code in the process. SIGUSR2 would end it, as it does not the daemon.
 */
export const leaveSignalsToOwner = (): void => {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGUSR1', 'SIGUSR2'] as const) {
    process.on(signal, () => undefined)
  }
}

/**
 * Work that nobody waits for must not take the processor from sound. What a later start is quicker
 * for goes before what is only looked at: the lowest priority gets next to nothing where another
 * program uses all processors, e.g. a video that is recorded (a head took 20 s there, not 8).
 */
export const lowerPriority = (
  { pid }: { readonly pid?: number | undefined }, to: 'low' | 'lowest' = 'low',
): void => {
  // It could not be started.
  if (pid === undefined) return
  const { PRIORITY_LOW, PRIORITY_BELOW_NORMAL } = constants.priority
  try {
    setPriority(pid, to === 'lowest' ? PRIORITY_LOW : PRIORITY_BELOW_NORMAL)
  } catch {
    // It ended already, or the system refuses: the work is as good at normal priority.
  }
}

/**
 * Whether a process has work that it could do at once, if it had a processor: it is late by no
 * fault of its own or of its disk. False where the system does not tell.
 */
export const wantsProcessor = ({ pid }: { readonly pid?: number | undefined }): boolean => {
  const threads = `/proc/${String(pid)}/task`
  try {
    return readdirSync(threads).some((thread) =>
      /\) R /.test(readFileSync(`${threads}/${thread}/stat`, 'latin1')))
  } catch {
    return false
  }
}
