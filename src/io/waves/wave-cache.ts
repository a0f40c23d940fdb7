// Waveforms on disk, a file each, in the user's cache folder: named by path, size, time and inode.
import { createHash } from 'node:crypto'
import { readdir, readFile, rm, stat, utimes } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { isLeftDraft, writeWhole } from '../files/whole-file.js'
import { defaultCacheFile } from '../media/probe/probe-cache.js'
import { isDat } from './wave-peaks.js'

/** Both bounds hold at the end of each round; what was used longest ago goes first. */
const FILES_KEPT = 5_000
const BYTES_KEPT = 512 * 1_024 * 1_024
/** Use is noted once a day, so that a start writes next to nothing. */
const NOTED_EVERY_MS = 24 * 3_600_000
const KEY = /^[0-9a-f]{32}$/
const ENDING = '.dat'

/** Beside what is kept of media: `$XDG_CACHE_HOME/cartwall/waves`. */
export const defaultWaveFolder = (env: NodeJS.ProcessEnv): string =>
  join(dirname(defaultCacheFile(env)), 'waves')

/** Names a file as it is now: with another content it has another key. */
export const waveKey = (path: string, stamp: string): string =>
  createHash('sha256').update(`${stamp}\0${path}`).digest('hex').slice(0, 32)

export class WaveCache {
  constructor(private readonly folder: string) {}

  /** Null where it is not there, or damaged. */
  async read(key: string): Promise<Buffer | null> {
    try {
      const dat = await readFile(this.#file(key))
      return isDat(dat) ? dat : null
    } catch {
      return null
    }
  }

  /** Notes that it was of use. */
  async touch(key: string, now: number): Promise<void> {
    const file = this.#file(key)
    try {
      const { mtimeMs } = await stat(file)
      if (now - mtimeMs > NOTED_EVERY_MS) await utimes(file, now / 1e3, now / 1e3)
    } catch {
      // It is made again when it is gone.
    }
  }

  /** Whole or not at all; false where the folder cannot be written. */
  write(key: string, dat: Buffer): Promise<boolean> {
    return writeWhole(this.#file(key), dat)
  }

  /**
   * Deletes what is too much, and drafts of a process that died. Another daemon with the same
   * folder, e.g. of the next room, may be writing one: without it its waveform would not be kept.
   */
  async prune(now: number): Promise<void> {
    const names = await readdir(this.folder).catch(() => [])
    const files: { readonly file: string; readonly bytes: number; readonly usedMs: number }[] = []
    for (const name of names) {
      const file = join(this.folder, name)
      const facts = await stat(file).catch(() => null)
      if (facts === null) continue
      const isOurs = name.endsWith(ENDING) && KEY.test(name.slice(0, -ENDING.length))
      if (isOurs) files.push({ file, bytes: facts.size, usedMs: facts.mtimeMs })
      else if (isLeftDraft(name, facts.mtimeMs, now)) await deleted(file)
    }
    files.sort((a, b) => b.usedMs - a.usedMs)
    let bytes = 0
    for (const [n, each] of files.entries()) {
      bytes += each.bytes
      if (n < FILES_KEPT && bytes <= BYTES_KEPT) continue
      await deleted(each.file)
    }
  }

  #file(key: string): string {
    if (!KEY.test(key)) throw new Error('bug: no key of a waveform')
    return join(this.folder, `${key}${ENDING}`)
  }
}

const deleted = (file: string): Promise<void> => rm(file, { force: true }).catch(() => undefined)
