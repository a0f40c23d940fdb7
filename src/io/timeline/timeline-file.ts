// Reads a timeline file, cartwall's own or OLA's, and compiles it; and all those of a show at once.
import { constants } from 'node:fs'
import { open } from 'node:fs/promises'
import { dirname } from 'node:path'
import { buildTimeline } from '../../engine/lighting/timeline-build.js'
import type { Timers } from '../../clock/timers.js'
import type { CompiledTimeline } from '../../engine/lighting/timeline.js'
import { FILE_MISSING } from '../../contract/show-page.js'
import { isAnswered } from '../files/disk-patience.js'
import { faultText, firstFaults, WHOLE_FILE, type Fault } from '../files/fault.js'
import { fileStamp } from '../files/file-stamp.js'
import { jsonFaults } from '../files/json-text.js'
import { ABSENT, readTextFile, withoutMark } from '../files/text-file.js'
import { askThread } from '../programs.js'
import { isOlaShow, readOlaShow } from './ola-show.js'
import { Faults, TIMELINE_LIMITS } from './timeline-faults.js'
import { readTimeline, type TimelineSource } from './timeline-json.js'

export type TimelineFile =
  | { readonly ok: true; readonly timeline: CompiledTimeline; readonly notes: readonly Fault[] }
  | { readonly ok: false; readonly faults: readonly Fault[] }

/** A timeline that a show asked for: compiled, or the reason why it could not be. */
export type TimelineAnswer =
  | { readonly ok: true; readonly timeline: CompiledTimeline }
  | { readonly ok: false; readonly message: string }

/** Every fault by its place: `tracks[0].keyframes[3][1]`, or `line 4` in a recording. */
export const compileTimelineFile = async (path: string): Promise<TimelineFile> => {
  const read = await readTextFile(path, TIMELINE_LIMITS.bytes, '')
  return read.ok ? compileText(withoutMark(read.text))
    : { ok: false, faults: [fault(read.message)] }
}

/** Faults named in one message; the rest is counted. */
const FAULTS_SHOWN = 5

/** From this size on a file is compiled on another thread: below it, a thread costs more. */
const APART_BYTES = 256 * 1024

interface Known {
  readonly stamp: string
  readonly result: TimelineAnswer
  /** Its disk did not answer since: it may be another one by now. */
  readonly isUnsure: boolean
}

const SILENT: Known = {
  stamp: '', result: { ok: false, message: 'its disk does not answer' }, isUnsure: true,
}

/**
 * Resolves the timelines of a show, each file once. It remembers those of the last show, so that a
 * reload compiles only what changed on disk, and what could not be compiled: the file need not be
 * to blame. On a disk that hangs it goes on with what was known.
 */
export const timelineCompiler = (timers: Timers, apart: typeof compileApart = compileApart) => {
  const looks = new Looks(timers)
  let known = new Map<string, Known>()
  const answer = async (path: string, before: Known | null): Promise<Known> => {
    const facts = await looks.at(path)
    if (facts === 'late') return { ...before ?? SILENT, isUnsure: true }
    if (before?.result.ok === true && before.stamp === facts?.stamp) {
      return { ...before, isUnsure: false }
    }
    const result = resolved(await compile(path, facts?.bytes ?? 0, apart))
    return { stamp: facts?.stamp ?? '', result, isUnsure: false }
  }
  const compileAll = async (paths: readonly string[]): Promise<Map<string, TimelineAnswer>> => {
    const next: typeof known = new Map()
    // One after the other: each may take memory of several times its size for a moment.
    for (const path of new Set(paths)) next.set(path, await answer(path, known.get(path) ?? null))
    known = next
    return new Map(Array.from(next, ([path, { result }]) => [path, result]))
  }
  const isAnyOther = async (goodOnesToo: boolean): Promise<boolean> => {
    for (const [path, one] of known) {
      if (one.result.ok && !one.isUnsure && !goodOnesToo) continue
      const facts = await looks.at(path)
      // One that hangs keeps no other waiting, and is looked at again.
      known.set(path, { ...one, isUnsure: facts === 'late' })
      if (facts !== 'late' && facts !== null && facts.stamp !== one.stamp) return true
    }
    return false
  }
  // In turn: a folder that is being looked at counts as one that does not answer.
  let turn: Promise<unknown> = Promise.resolve()
  const inTurn = <T>(job: () => Promise<T>): Promise<T> => {
    const done = turn.then(job)
    turn = done.catch(() => undefined)
    return done
  }
  return {
    compile: (paths: readonly string[]) => inTurn(() => compileAll(paths)),
    /**
     * Whether one that could not be compiled is there by now, or is another file, as is one whose
     * disk did not answer; or any is.
     */
    isAnyMended: (goodOnesToo = false) => inTurn(() => isAnyOther(goodOnesToo)),
  }
}

export type TimelineCompiler = ReturnType<typeof timelineCompiler>

interface FileFacts {
  readonly stamp: string
  readonly bytes: number
}

/** Each look that hangs keeps a thread, of the four that read files for the whole process. */
const HANGING_MAX = 2

/**
 * While a show is read commands are refused: what hangs is not waited for. Where a file does not
 * answer the others of its folder are not asked until it does.
 */
class Looks {
  /** Folders that were asked and have not answered yet. */
  readonly #asked = new Set<string>()

  constructor(private readonly timers: Timers) {}

  /** Null where it cannot be looked at. */
  async at(path: string): Promise<FileFacts | 'late' | null> {
    const folder = dirname(path)
    if (this.#asked.has(folder) || this.#asked.size >= HANGING_MAX) return 'late'
    this.#asked.add(folder)
    const look = factsOf(path).finally(() => this.#asked.delete(folder))
    return await isAnswered(this.timers, look) ? look : 'late'
  }
}

const compile = (
  path: string, bytes: number, apart: typeof compileApart,
): Promise<TimelineFile> =>
  bytes < APART_BYTES || bytes > TIMELINE_LIMITS.bytes ? compileTimelineFile(path) : apart(path)

const compileApart = (path: string): Promise<TimelineFile> =>
  askThread<TimelineFile>('timeline', path, (why) =>
    ({ ok: false, faults: [fault(`cannot be compiled: ${why}`)] }))

const resolved = (file: TimelineFile): TimelineAnswer => {
  if (file.ok) return { ok: true, timeline: file.timeline }
  return { ok: false, message: firstFaults(file.faults, FAULTS_SHOWN, inWords) }
}

/** One that is not there is told as a medium is: by these words pages tell it from a bad one. */
const inWords = (one: Fault): string =>
  one.place === WHOLE_FILE && one.message.startsWith(ABSENT)
    ? one.message.replace(ABSENT, FILE_MISSING)
    : faultText(one)

export const compileText = (text: string): TimelineFile => {
  const faults = new Faults()
  const source = isOlaShow(text) ? readOlaShow(text, faults) : readJson(text, faults)
  if (source === null) return { ok: false, faults: faults.list }
  const timeline = buildTimeline(source.durationFrames, source.tracks)
  return { ok: true, timeline, notes: faults.notes }
}

/** Looking for keys that stand twice costs seconds on the largest files. */
const SCANNED_CHARACTERS_MAX = 1_000_000

const readJson = (text: string, faults: Faults): TimelineSource | null => {
  const scan = (): void => {
    for (const { place, message } of jsonFaults(text)) faults.add(place, message)
  }
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (error) {
    scan()
    if (!faults.any) faults.add(WHOLE_FILE, error instanceof Error ? error.message : 'is not JSON')
    return null
  }
  if (text.length <= SCANNED_CHARACTERS_MAX) scan()
  return readTimeline(value, faults)
}

/**
 * Null where the file cannot be looked at. It is opened, without waiting for a writer, as a pipe
 * would have it: what the system remembers of a share may answer for a path alone.
 */
const factsOf = async (path: string): Promise<FileFacts | null> => {
  const file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK).catch(() => null)
  try {
    const facts = await file?.stat()
    return facts === undefined ? null : { stamp: fileStamp(facts), bytes: facts.size }
  } catch {
    return null
  } finally {
    // A share that died meanwhile refuses even this.
    await file?.close().catch(() => undefined)
  }
}

const fault = (message: string): Fault => ({ place: WHOLE_FILE, message })
