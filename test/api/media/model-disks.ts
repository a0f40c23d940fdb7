// Disks in place of those that files for pages are read from: slow, hanging, failing, with files
// that are swapped, cut, grow, go and come back.
import type { Dice } from '../../../sim/scenario/random.js'

const PATTERN = Buffer.from(Array.from({ length: 200_000 }, (_, at) => (at * 7 + (at >> 8)) & 255))

export const folderOf = (path: string): string => path.split('/')[1]!

/** What stands in a file, which is another one for each version. */
export const bytesOf = (version: number, from: number, to: number): Buffer => {
  const at = version * 131
  return PATTERN.subarray(at + from, at + to)
}

interface Inode {
  readonly version: number
  size: number
  /** Another one after each change. */
  modified: number
}

/** How a path was, until some moment. */
export interface State {
  readonly version: number
  readonly size: number
  readonly modified: number
  readonly isThere: boolean
  until: number
}

interface Question {
  readonly folder: string
  readonly answer: () => void
  readonly fail: (error: Error) => void
}

export class Disks {
  readonly hung = new Set<string>()
  readonly failing = new Set<string>()
  readonly faults: string[] = []
  /** How many files are open. */
  open = 0
  now = 1
  readonly #files = new Map<string, Inode>()
  readonly #states = new Map<string, State[]>()
  /** When something of a path was cut, or its disk failed, last. */
  readonly #brokenAt = new Map<string, number>()
  readonly #asked = new Set<Question>()
  #changes = 0

  constructor(readonly paths: readonly string[], readonly dice: Dice) {}

  get isBusy(): boolean {
    return this.#asked.size > 0
  }

  /** How the path was since then. */
  statesSince(path: string, at: number): readonly State[] {
    return this.#states.get(path)!.filter(({ until }) => until >= at)
  }

  /** Whether an answer may have been cut off, or be that it cannot be read. */
  isBrokenSince(path: string, at: number): boolean {
    return (this.#brokenAt.get(path) ?? 0) >= at
  }

  /** Another file in its place; as large where no size is told. */
  put(path: string, size = this.#files.get(path)?.size ?? 0): void {
    this.#changes += 1
    this.#files.set(path, { version: this.#changes, size, modified: this.#changes })
    this.#note(path)
  }

  resize(path: string, size: number): void {
    const file = this.#files.get(path)
    if (file === undefined) return
    if (size < file.size) this.#brokenAt.set(path, this.now)
    this.#changes += 1
    file.size = size
    file.modified = this.#changes
    this.#note(path)
  }

  remove(path: string): void {
    this.#files.delete(path)
    this.#note(path)
  }

  /** Stands for `open`; `isWanted` says whether anybody waits for the file. */
  opened(path: string, isWanted: (path: string) => boolean): Promise<unknown> {
    const ask = <T>(act: () => T): Promise<T> => {
      if (!isWanted(path)) this.faults.push(`${path} is read for nobody`)
      return this.#later(folderOf(path), act)
    }
    return ask(() => {
      const file = this.#files.get(path)
      if (file === undefined) throw Object.assign(new Error('ENOENT'), { code: 'ENOENT' })
      this.open += 1
      return this.#handle(path, file, ask)
    })
  }

  goOn(): void {
    for (const one of [...this.#asked]) {
      if (this.hung.has(one.folder) || this.dice.chance(0.2)) continue
      this.#asked.delete(one)
      if (!this.failing.has(one.folder)) one.answer()
      else {
        const paths = this.paths.filter((path) => folderOf(path) === one.folder)
        for (const path of paths) this.#brokenAt.set(path, this.now)
        one.fail(Object.assign(new Error('EIO'), { code: 'EIO' }))
      }
    }
  }

  #note(path: string): void {
    const states = this.#states.get(path) ?? []
    this.#states.set(path, states)
    const last = states.at(-1)
    if (last !== undefined) last.until = this.now
    const { version = 0, size = 0, modified = 0 } = this.#files.get(path) ?? {}
    states.push({ version, size, modified, isThere: this.#files.has(path), until: Infinity })
  }

  #handle(path: string, file: Inode, ask: <T>(act: () => T) => Promise<T>) {
    let isOpen = true
    const use = <T>(act: () => T): Promise<T> => {
      if (!isOpen) this.faults.push(`${path} is used after its end`)
      return ask(act)
    }
    return {
      stat: () => use(() => {
        const [size, mtimeNs] = [BigInt(file.size), BigInt(file.modified) * 1_000_000_000n]
        return { isFile: () => true, size, mtimeNs, mtimeMs: mtimeNs / 1_000_000n }
      }),
      read: (buffer: Buffer, to: number, length: number, at: number) => use(() => {
        const end = Math.min(at + length, file.size)
        const bytesRead = at < end ? bytesOf(file.version, at, end).copy(buffer, to) : 0
        return { buffer, bytesRead }
      }),
      // A descriptor is gone whatever its closing says.
      close: () => {
        if (!isOpen) return Promise.resolve()
        isOpen = false
        this.open -= 1
        return this.#later(folderOf(path), () => undefined)
      },
    }
  }

  /** A folder is asked one thing at a time, and two folders at most. */
  #later<T>(folder: string, act: () => T): Promise<T> {
    return new Promise((resolve, reject) => {
      const answer = (): void => void Promise.resolve().then(act).then(resolve, reject)
      this.#asked.add({ folder, fail: reject, answer })
      const folders = [...this.#asked].map((each) => each.folder)
      const isOrdered = folders.length <= 2 && new Set(folders).size === folders.length
      if (!isOrdered) this.faults.push(`asked together: ${folders.join(', ')}`)
    })
  }
}
