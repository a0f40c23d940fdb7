// mpv, which is told what to do over its socket, as quick as it could be made.
import { fork, spawn } from 'node:child_process'
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { type PulseServer, reap } from '../test/devices/pulse.js'

export interface Mpv {
  readonly tell: (...command: readonly string[]) => void
  /** Waits until it can be told; does nothing where that was so before. */
  readonly open: () => Promise<void>
  readonly close: () => Promise<void>
}

/** Idle, nothing cached, no thread for the demuxer; listens on the socket of that path. */
export const startMpv = (pulse: PulseServer, socketPath: string): Mpv => {
  const player = spawn('mpv', [
    '--no-config', '--idle', '--no-terminal', '--vo=null', '--video=no', '--ao=pulse',
    '--cache=no', '--demuxer-thread=no', '--load-scripts=no', '--ytdl=no', '--audio-display=no',
    `--input-ipc-server=${socketPath}`,
  ], { env: { ...process.env, ...pulse.environment }, stdio: 'ignore' })
  let socket: Socket | null = null
  return {
    tell: (...command) => {
      socket?.write(`${JSON.stringify({ command })}\n`)
    },
    open: async () => {
      if (socket !== null) return
      await sleep(2_000)
      socket = connect(socketPath)
      socket.setNoDelay(true).resume()
      await new Promise((done) => socket?.once('connect', done))
    },
    close: async () => {
      socket?.destroy()
      await reap(player, 'SIGKILL')
    },
  }
}

export interface MpvOverHttp {
  /** Lets mpv go on, by a request over a connection that stays. */
  readonly unpause: () => void
  readonly close: () => Promise<void>
}

const OVER_HTTP = fileURLToPath(new URL('./mpv-over-http.ts', import.meta.url))

/** mpv, which listens already, behind a bare `node:http` in a process of its own. */
export const startMpvOverHttp = async (socketPath: string): Promise<MpvOverHttp> => {
  const server = fork(OVER_HTTP, [socketPath], { execArgv: ['--import', 'tsx'] })
  const [port] = (await once(server, 'message')) as [number]
  const socket = connect(port, '127.0.0.1')
  socket.setNoDelay(true).resume()
  await once(socket, 'connect')
  return {
    unpause: () => {
      socket.write('POST /resume HTTP/1.1\r\nHost: mpv\r\nContent-Length: 0\r\n\r\n')
    },
    close: async () => {
      socket.destroy()
      await reap(server, 'SIGKILL')
    },
  }
}
