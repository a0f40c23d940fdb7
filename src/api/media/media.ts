// GET /media/{buttonId}: the file of a button of the show, by ranges, for pages alone.
import { constants } from 'node:fs'
import { open, type FileHandle } from 'node:fs/promises'
import { Socket } from 'node:net'
import { dirname } from 'node:path'
import { Readable, type Duplex } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { refuse } from '../../contract/errors.js'
import { mediaType, SIGNATURE_BYTES } from '../../contract/media-type.js'
import { sendRefusal } from '../errors.js'
import { FolderQueue } from './folder-queue.js'
import { wantedOf, type FileStamp, type Wanted } from './media-range.js'

/** The path of a button's media; null where there is no such button, or it has none. */
export type MediaPaths = (buttonId: string) => string | null

const CHUNK_BYTES = 64 * 1024
/** A browser that has enough of a paused video stops reading for minutes: only death ends it. */
const KEEP_ALIVE_MS = 30_000

const HEADERS = {
  'accept-ranges': 'bytes',
  'cache-control': 'no-cache',
  // An SVG is a document when it is opened by itself.
  'content-security-policy': 'sandbox',
  'cross-origin-resource-policy': 'same-origin',
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
} as const

export const mediaHandler = (paths: MediaPaths, opening: typeof open = open) => {
  const queue = new FolderQueue()
  return async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const { buttonId } = request.params as { readonly buttonId: string }
    const path = paths(buttonId.toLowerCase())
    const { socket } = request.raw
    const isWanted = (): boolean => !socket.destroyed
    const file = path === null ? null
      : await openRegular(path, queued(queue, dirname(path), opening, isWanted))
    if (file === null) {
      sendRefusal(reply, refuse('not_found', 'no button of the show has such a file'))
      return reply
    }
    try {
      const { stamp, type } = await stampOf(file)
      reply.headers({
        ...HEADERS, 'content-type': type, etag: stamp.etag,
        'last-modified': stamp.modified.toUTCString(),
      })
      return await answer(request, reply, file, wantedOf(request, stamp), stamp)
    } catch (error) {
      await closed(file)
      if (!isWanted()) return reply
      throw error
    }
  }
}

/** As much of a file as is read here. */
type MediaFile = Pick<FileHandle, 'close' | 'read' | 'stat'>
type Opening = (path: string, flags: number) => Promise<MediaFile>

/** Each thing that is asked of the file waits for its folder; closed it is in any case. */
const queued = (
  queue: FolderQueue, folder: string, opening: typeof open, isWanted: () => boolean,
): Opening => {
  const ask = <T>(job: () => Promise<T>): Promise<T> => queue.run(folder, job, isWanted)
  return async (path, flags) => {
    const file = await ask(() => opening(path, flags))
    return {
      close: () => queue.run(folder, () => file.close()),
      read: (...args: Parameters<FileHandle['read']>) => ask(() => file.read(...args)),
      stat: (...args: Parameters<FileHandle['stat']>) => ask(() => file.stat(...args)),
    } as MediaFile
  }
}

/**
 * Whatever stands at the path by now: a pipe does not hold it up, and only a regular file is read.
 * It is looked at after it was opened, so that a swap between the two changes nothing.
 */
const openRegular = async (path: string, opening: Opening): Promise<MediaFile | null> => {
  let file: MediaFile
  try {
    file = await opening(path, constants.O_RDONLY | constants.O_NONBLOCK)
  } catch {
    return null
  }
  try {
    if ((await file.stat()).isFile()) return file
  } catch {
    // Gone with its disk: as if it were not there.
  }
  await closed(file)
  return null
}

/** All that matters was read: a share that died meanwhile refuses even this (ENOTCONN). */
const closed = (file: MediaFile): Promise<void> => file.close().catch(() => undefined)

const stampOf = async (
  file: MediaFile,
): Promise<{ readonly stamp: FileStamp; readonly type: string }> => {
  const stat = await file.stat({ bigint: true })
  const head = Buffer.alloc(SIGNATURE_BYTES)
  const { bytesRead } = await file.read(head, 0, SIGNATURE_BYTES, 0)
  const etag = `"${stat.size.toString(16)}-${stat.mtimeNs.toString(16)}"`
  const modified = new Date(Math.floor(Number(stat.mtimeMs) / 1000) * 1000)
  return {
    stamp: { size: Number(stat.size), etag, modified },
    type: mediaType(head.subarray(0, bytesRead)),
  }
}

const answer = async (
  request: FastifyRequest, reply: FastifyReply, file: MediaFile, wanted: Wanted,
  { size }: FileStamp,
): Promise<FastifyReply> => {
  switch (wanted.kind) {
    case 'whole':
      return send(request, reply, file, 0, size)
    case 'part': {
      const { first, last } = wanted
      reply.code(206).header('content-range', `bytes ${first}-${last}/${size}`)
      return send(request, reply, file, first, last + 1)
    }
    case 'not_modified':
      await closed(file)
      return reply.code(304).removeHeader('content-type').send()
    case 'precondition_failed':
      await closed(file)
      return reply.code(412).removeHeader('content-type').send()
    case 'unsatisfiable':
      await closed(file)
      reply.removeHeader('content-type').header('content-range', `bytes */${size}`)
      return reply.code(416).send()
  }
}

const send = async (
  request: FastifyRequest, reply: FastifyReply, file: MediaFile, from: number, to: number,
): Promise<FastifyReply> => {
  reply.header('content-length', to - from)
  if (request.method === 'HEAD') {
    await closed(file)
    return reply.send()
  }
  mayStandStill(request.raw.socket, reply)
  const body = Readable.from(chunks(file, from, to), { objectMode: false, highWaterMark: 1 })
  // Also where the browser is gone before the first byte was asked for, and nothing was ever read.
  body.once('close', () => void closed(file))
  return reply.send(body)
}

/** Until the answer is out; then the connection obeys the listener's limits again. */
const mayStandStill = (socket: Duplex, reply: FastifyReply): void => {
  // A connection is cut for silence only where nobody listens for it: this answer does.
  reply.raw.on('timeout', () => undefined)
  // A request that was injected has no connection.
  if (socket instanceof Socket) socket.setKeepAlive(true, KEEP_ALIVE_MS)
}

/** A file that became shorter meanwhile cannot be told to its end: the connection is cut. */
async function* chunks(file: MediaFile, from: number, to: number): AsyncGenerator<Buffer> {
  for (let at = from; at < to; ) {
    const length = Math.min(CHUNK_BYTES, to - at)
    const { buffer, bytesRead } = await file.read(Buffer.allocUnsafe(length), 0, length, at)
    if (bytesRead === 0) throw new Error('the file became shorter while it was sent')
    yield buffer.subarray(0, bytesRead)
    at += bytesRead
  }
}
