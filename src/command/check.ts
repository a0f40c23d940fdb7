// `cartwall check`: a show file, its timelines and its media, without playing; every fault named.
import { constants } from 'node:fs'
import { access, stat } from 'node:fs/promises'
import { resolve } from 'node:path'
import { msToFrames } from '../clock/frame.js'
import { faultText, type Fault } from '../io/files/fault.js'
import { truncatedImageFault } from '../io/media/truncated-image.js'
import { imageFault } from '../io/media/image-file.js'
import { ioMessage, namedMessage, noFile } from '../io/files/text-file.js'
import { probeWhole } from '../io/media/probe/keyframes.js'
import type { ProbeAnswer } from '../io/media/probe/probe-file.js'
import { noPictureReason } from '../io/media/stage-format.js'
import type { NamedFile } from '../io/show/named-files.js'
import { faultAt } from '../io/show/fault-titles.js'
import { loadShow } from '../io/show/show-file.js'
import { readNamedFiles } from '../io/show/show-read.js'
import { compileTimelineFile, type TimelineFile } from '../io/timeline/timeline-file.js'
import { checkArguments } from './arguments.js'
import { decodeFaults, unplayable, type Depth } from './check-decodes.js'
import { settingNotes, stageNotes, type Probes } from './check-notes.js'
import { concurrently } from './concurrently.js'
import { counted, EXIT, say } from './outcome.js'
import { realTimers } from '../clock/real.js'
import { startProgress } from './progress.js'

/** As many files are looked into at a time. */
const PROBES = 4

const timers = realTimers()

export const runCheck = async (args: readonly string[]): Promise<number> => {
  const { path, depth } = checkArguments(args)
  const answer = await loadShow(path, null)
  if (!answer.ok) {
    // Its files are looked into all the same: whoever mends it wants to know everything at once.
    const { media, lights } = await readNamedFiles(resolve(path))
    return told(path, [...answer.faults, ...(await filesFaults(media, lights, depth)).faults])
  }
  const { faults, notes, probes } = await filesFaults(answer.media, answer.lights, depth)
  const settings = settingNotes(answer, probes)
  for (const note of [...notes, ...settings, ...stageNotes(answer.media, probes)]) say(note)
  if (faults.length > 0) return told(path, faults)
  const buttons = answer.show.playlists.reduce((sum, list) => sum + list.buttons.length, 0)
  const lists = answer.show.playlists.length
  say(`${path}: no fault in ${counted(buttons, 'button')} of ${counted(lists, 'playlist')}`)
  return EXIT.fine
}

const told = (path: string, faults: readonly Fault[]): number => {
  for (const fault of faults) say(faultText(fault))
  say(`${path}: ${counted(faults.length, 'fault')}`)
  return EXIT.failed
}

type Messages = readonly string[]

interface FilesFound {
  readonly faults: readonly Fault[]
  /** What is no fault, and is likely a mistake. */
  readonly notes: readonly string[]
  readonly probes: Probes
}

/** Each file is looked into once, however many buttons use it. */
const filesFaults = async (
  media: readonly NamedFile[],
  lights: readonly NamedFile[],
  depth: Depth,
): Promise<FilesFound> => {
  const timelines = new Set(lights.map((reference) => reference.path))
  const images = new Set<string>()
  const sounds = new Set<string>()
  for (const { path, button } of media) (button.kind === 'image' ? images : sounds).add(path)
  const total = timelines.size + images.size + sounds.size
  const progress = startProgress('looking into files', total, timers)
  // Timelines one by one: each may take memory of several times its size for a moment.
  const lit = await concurrently(timelines, 1, progress, compileTimelineFile)
  const seen = await concurrently(images, PROBES, progress, imageMessages)
  const heard = await concurrently(sounds, PROBES, progress, probed)
  progress.end()
  /** What a look into it finds; the rest is asked of a decoder. */
  const found = (file: NamedFile): Messages => {
    const answer = isPlayed(file) ? heard.get(file.path) : undefined
    return answer === undefined ? seen.get(file.path) ?? [] : playMessages(file, answer)
  }
  const sound = media.filter((file) => isPlayed(file) && found(file).length === 0)
  const decoded = await decodeFaults(sound, depth, timers)
  const faults = [
    ...lights.flatMap((reference) => faultsAt(reference, refusals(lit.get(reference.path)))),
    ...media.flatMap((file) => faultsAt(file, [...found(file), ...decoded(file)])),
  ]
  const notes = lights.flatMap((reference) => {
    const file = lit.get(reference.path)
    return file?.ok === true
      ? file.notes.map((note) =>
          faultText(faultAt(reference, `${reference.path}: ${faultText(note)}`)))
      : []
  })
  return { faults, notes, probes: heard }
}

const faultsAt = (reference: NamedFile, messages: Messages): readonly Fault[] =>
  messages.map((message) => faultAt(reference, `${reference.path} ${message}`))

const isPlayed = ({ button }: NamedFile): boolean => button.kind !== 'image'

const refusals = (file: TimelineFile | undefined): Messages =>
  file === undefined || file.ok
    ? []
    : file.faults.map((fault) => `is refused: ${faultText(fault)}`)

const imageMessages = async (path: string): Promise<Messages> => {
  const reason = await unreadable(path)
  if (reason !== null) return [reason]
  // A disk may be damaged there: that is one more fault, and not the end of all others.
  try {
    const fault = await imageFault(path) ?? await truncatedImageFault(path)
    return fault === null ? [] : [fault]
  } catch (error) {
    return [ioMessage(error)]
  }
}

const probed = async (path: string): Promise<ProbeAnswer> => {
  const reason = await unreadable(path)
  if (reason !== null) return { ok: false, message: reason }
  const answer = await probeWhole(path, false, timers)
  return answer.ok ? answer : { ok: false, message: unplayable(path, answer.message) }
}

const unreadable = async (path: string): Promise<string | null> => {
  try {
    const facts = await stat(path)
    if (!facts.isFile()) return noFile(facts)
    await access(path, constants.R_OK)
    return facts.size === 0 ? 'is empty' : null
  } catch (error) {
    return namedMessage(error, path)
  }
}

/** What keeps this button from playing this file. */
const playMessages = ({ button }: NamedFile, answer: ProbeAnswer): Messages => {
  if (!answer.ok) return [answer.message]
  const { duration, audio, video } = answer.facts
  if (button.kind === 'audio' && audio === null) {
    return [video === null ? 'has no sound' : 'has no sound: make its kind video']
  }
  const noPicture = button.kind === 'video' ? noPictureReason(answer.facts) : null
  if (noPicture !== null) return [noPicture]
  if (duration === 0 || msToFrames(button.startMs) < duration) return []
  return [`ends before startMs (${String(button.startMs)})`]
}
