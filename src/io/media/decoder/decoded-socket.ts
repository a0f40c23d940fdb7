// The socket over which decoded sound comes to the sound thread, into the memory that keeps it.
//
// Through the channel between processes every piece is garbage twice over before it is copied to
// where it stays, and V8 collects garbage at each 64 MB outside its heap: while heads were armed
// the thread stood still for that, for 4 to 8 ms, four times a second. Where no such socket can be
// made, e.g. without a folder for temporary files, the channel carries the sound.
import { randomBytes } from 'node:crypto'
import { mkdirSync, rmSync } from 'node:fs'
import { connect, createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DecodedReader, partsOf } from './decoded-wire.js'
import type { JobMessage } from './decoder-messages.js'

/** Nobody guesses it, and it is short: a path of a socket has 104 bytes on macOS, 108 on Linux. */
const NAME_BYTES = 9
/** What is read at once. */
const READ_BYTES = 65_536

/**
 * Where a decoding process is to make its socket. The daemon names the place, so that it can remove
 * what a process leaves that was killed before it was connected.
 */
export const decodedFolder = (): string =>
  join(tmpdir(), `cartwall-decoded-${randomBytes(NAME_BYTES).toString('base64url')}`)

export const removeDecodedFolder = (folder: string): void => {
  try {
    rmSync(folder, { recursive: true, force: true })
  } catch {
    // A disk that is full or gone: an empty folder stays, which harms nobody.
  }
}

/** The decoding process's end: for one reader, who is told the path; the folder is this user's. */
export class DecodedServer {
  readonly #folder: string
  #socket: Socket | null = null

  /** `heard`: from now on what is written is read. */
  constructor(folder: string, tell: (path: string) => void, heard: () => void) {
    this.#folder = folder
    if (!madeFolder(folder)) return
    const path = join(folder, 'decoded')
    const server = createServer((socket) => {
      server.close()
      this.close()
      this.#socket = socket.unref()
      socket.on('error', () => undefined)
      heard()
    })
    server.on('error', () => {
      this.close()
    })
    server.listen(path, () => {
      tell(path)
    }).unref()
  }

  /** `taken` once it has left this process; false: nobody reads here. */
  write(message: JobMessage, taken: () => void): boolean {
    const socket = this.#socket
    if (socket === null) return false
    const parts = partsOf(message)
    socket.cork()
    for (const [n, part] of parts.entries()) {
      socket.write(part, n === parts.length - 1 ? taken : undefined)
    }
    socket.uncork()
    return true
  }

  /** Nobody else can come; who has come stays. */
  close(): void {
    removeDecodedFolder(this.#folder)
  }
}

/** Fails where it is there already, and so might be another user's. */
const madeFolder = (folder: string): boolean => {
  try {
    mkdirSync(folder, { mode: 0o700 })
    return true
  } catch {
    return false
  }
}

/** The daemon's end. `lost` where a socket that was open closes by itself. */
export const readDecoded = (
  path: string, heard: (message: JobMessage) => void, lost: () => void,
): Socket => {
  const reader = new DecodedReader(heard)
  const buffer = Buffer.alloc(READ_BYTES)
  const callback = (bytes: number): boolean => {
    reader.read(buffer, bytes)
    return true
  }
  const socket = connect({ path, onread: { buffer, callback } }).unref()
  socket.on('error', () => undefined)
  socket.once('connect', () => socket.once('close', lost))
  return socket
}
