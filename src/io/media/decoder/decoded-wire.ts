// How what was decoded stands on the socket between the decoding process and the daemon.
//
// A header of three numbers (what it is, how many bytes follow, of which job), then two channels of
// native f32, or a message as JSON. All lengths are multiples of 8, so that memory is copied in
// words. One machine writes and reads it: the order of bytes is its own.
import { decodedBytes } from '../decoded-memory.js'
import type { JobMessage } from './decoder-messages.js'

const HEADER_BYTES = 16
/** Where in it the bytes and the job stand: jobs are counted for years, beyond 32 bits. */
const BYTES_AT = 4
const JOB_AT = 8
const WORD_BYTES = 8
const SOUND = 1
const OTHER = 2

type Sound = Extract<JobMessage, { readonly kind: 'pcm' }>
type Other = Exclude<JobMessage, Sound>

/** A message in parts, which go one after another. */
export const partsOf = (message: JobMessage): readonly Buffer[] => {
  const parts = message.kind === 'pcm'
    ? [message.left, message.right].map((side) =>
        Buffer.from(side.buffer, side.byteOffset, side.byteLength))
    : [textOf(message)]
  const bytes = parts.reduce((sum, { length }) => sum + length, 0)
  const header = Buffer.alloc(HEADER_BYTES)
  header.writeUInt32LE(message.kind === 'pcm' ? SOUND : OTHER, 0)
  header.writeUInt32LE(bytes, BYTES_AT)
  header.writeDoubleLE(message.job, JOB_AT)
  return [header, ...parts]
}

/** Spaces behind it change nothing for its reader. */
const textOf = (message: Other): Buffer => {
  const text = Buffer.from(JSON.stringify(message))
  return Buffer.concat([text, Buffer.alloc(-text.length & (WORD_BYTES - 1), ' ')])
}

/** Puts together what comes in pieces of any length. */
export class DecodedReader {
  readonly #header = Buffer.alloc(HEADER_BYTES)
  #filling: Buffer = this.#header
  #filled = 0

  constructor(private readonly heard: (message: JobMessage) => void) {}

  read(chunk: Buffer, bytes: number): void {
    for (let at = 0; at < bytes;) {
      const count = Math.min(this.#filling.length - this.#filled, bytes - at)
      chunk.copy(this.#filling, this.#filled, at, at + count)
      at += count
      this.#filled += count
      if (this.#filled === this.#filling.length) this.#complete()
    }
  }

  #complete(): void {
    const whole = this.#filling
    this.#filled = 0
    if (whole === this.#header) {
      const bytes = this.#header.readUInt32LE(BYTES_AT)
      this.#filling = this.#isSound() ? decodedBytes(bytes) : Buffer.alloc(bytes)
      return
    }
    this.#filling = this.#header
    this.heard(this.#isSound() ? this.#sound(whole) : otherIn(whole))
  }

  #isSound(): boolean {
    return this.#header.readUInt32LE(0) === SOUND
  }

  #sound({ buffer, length }: Buffer): Sound {
    const count = length / 8
    return {
      kind: 'pcm', job: this.#header.readDoubleLE(JOB_AT),
      left: new Float32Array(buffer, 0, count), right: new Float32Array(buffer, count * 4, count),
    }
  }
}

const otherIn = (bytes: Buffer): Other => JSON.parse(bytes.toString()) as Other
