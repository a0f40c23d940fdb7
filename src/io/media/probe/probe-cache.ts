// Media facts remembered across starts in one bounded JSON file; a damaged one is written anew.
import { constants } from 'node:fs'
import { open } from 'node:fs/promises'
import { devNull, homedir } from 'node:os'
import { isAbsolute, join } from 'node:path'
import { removeLeftDrafts, writeWhole } from '../../files/whole-file.js'
import type { MediaFacts } from './probe-file.js'

const VERSION = 14
const ENTRIES_KEPT = 20_000

/** `$XDG_CACHE_HOME/cartwall`, or `~/.cache/cartwall`; a relative setting is none, as XDG says. */
export const defaultCacheFile = (env: NodeJS.ProcessEnv): string => {
  const set = env['XDG_CACHE_HOME'] ?? ''
  const base = isAbsolute(set) ? set : join(home(), '.cache')
  return join(base, 'cartwall', 'media-facts.json')
}

/** An account may have none, e.g. a number in a container: in its place no folder can be made. */
const home = (): string => {
  try {
    const told = homedir()
    return isAbsolute(told) ? told : devNull
  } catch {
    return devNull
  }
}

export class ProbeCache {
  readonly #file: string | null
  /** In order of use: the first is the first to go. */
  #entries = new Map<string, MediaFacts>()
  #isDirty = false
  #saving: Promise<void> = Promise.resolve()

  private constructor(file: string | null) {
    this.#file = file
  }

  /** `file` null: nothing is kept on disk. */
  static async open(file: string | null): Promise<ProbeCache> {
    const cache = new ProbeCache(file)
    cache.#entries = await entriesOf(file)
    return cache
  }

  get(path: string, stamp: string): MediaFacts | null {
    const key = keyOf(path, stamp)
    const facts = this.#entries.get(key)
    if (facts === undefined) return null
    this.#entries.delete(key)
    this.#entries.set(key, facts)
    return facts
  }

  set(path: string, stamp: string, facts: MediaFacts): void {
    this.#entries.set(keyOf(path, stamp), facts)
    this.#isDirty = true
    if (this.#entries.size <= ENTRIES_KEPT) return
    const [oldest] = this.#entries.keys()
    if (oldest !== undefined) this.#entries.delete(oldest)
  }

  /** Writes what is new; whole or not at all. A cache that cannot be written is no fault. */
  save(): Promise<void> {
    this.#saving = this.#saving.then(() => this.#write())
    return this.#saving
  }

  async #write(): Promise<void> {
    if (this.#file === null || !this.#isDirty) return
    this.#isDirty = false
    // Another daemon, e.g. of the next room, has written since what it learnt of its own media.
    const kept = await entriesOf(this.#file)
    for (const key of this.#entries.keys()) kept.delete(key)
    const entries = [...kept, ...this.#entries].slice(-ENTRIES_KEPT)
    const text = JSON.stringify({ version: VERSION, entries })
    // A disk that is full for a moment has room again for the next try.
    if (await writeWhole(this.#file, text)) await removeLeftDrafts(this.#file)
    else this.#isDirty = true
  }
}

/** None where it is missing or damaged: everything is probed again and the file written anew. */
const entriesOf = async (file: string | null): Promise<Map<string, MediaFacts>> => {
  if (file === null) return new Map()
  try {
    return readEntries(JSON.parse(await readRegular(file)))
  } catch {
    return new Map()
  }
}

/** A pipe in its place would keep a thread waiting for ever. */
const readRegular = async (path: string): Promise<string> => {
  const file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK)
  try {
    if (!(await file.stat()).isFile()) throw new TypeError('not a file')
    return await file.readFile('utf8')
  } finally {
    await file.close()
  }
}

const keyOf = (path: string, stamp: string): string => `${stamp}:${path}`

/** Reads what is well formed; throws at a file that is none of ours. */
const readEntries = (raw: unknown): Map<string, MediaFacts> => {
  const { version, entries } = raw as { readonly version: unknown; readonly entries: unknown }
  if (version !== VERSION || !Array.isArray(entries)) throw new TypeError('not a facts file')
  const known = new Map<string, MediaFacts>()
  for (const entry of entries.slice(-ENTRIES_KEPT) as unknown[]) {
    const [key, facts] = (Array.isArray(entry) ? entry : []) as unknown[]
    if (typeof key === 'string' && isFacts(facts)) known.set(key, facts)
  }
  return known
}

const isFacts = (raw: unknown): raw is MediaFacts => {
  if (typeof raw !== 'object' || raw === null) return false
  const facts = raw as Record<keyof MediaFacts, unknown>
  return (
    isCount(facts.duration) &&
    typeof facts.isEstimate === 'boolean' &&
    (facts.soundEnd === null || isCount(facts.soundEnd)) &&
    (facts.picturesEnd === null || isCount(facts.picturesEnd)) &&
    typeof facts.container === 'string' &&
    typeof facts.video === 'object' && typeof facts.audio === 'object'
  )
}

const isCount = (raw: unknown): boolean =>
  typeof raw === 'number' && Number.isSafeInteger(raw) && raw >= 0
