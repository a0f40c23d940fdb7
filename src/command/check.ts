// `cartwall check`: a show file, its timelines and its media, without playing; every fault named.
import { constants } from 'node:fs'
import { access, stat } from 'node:fs/promises'
import { msToFrames } from '../clock/frame.js'
import { faultText, type Fault } from '../io/fault.js'
import { ioMessage } from '../io/json-file.js'
import { loadShow, type CompileTimelines, type FileReference } from '../io/show-file.js'
import { oneArgument } from './arguments.js'
import { EXIT, say } from './outcome.js'
import { startProgress } from './progress.js'

/** As many files are looked into at a time. */
const PROBES = 4

type Facts =
  | {
      readonly ok: true
      readonly durationFrames: number
      readonly hasAudio: boolean
      readonly hasVideo: boolean
    }
  | { readonly ok: false; readonly message: string }

interface ProbeModule {
  readonly probeFile: (path: string) => Promise<Facts>
}
interface TimelineModule {
  readonly compileTimelines: CompileTimelines<unknown>
}

export const runCheck = async (args: readonly string[]): Promise<number> => {
  const path = oneArgument(args, 'FILE')
  const timelinePlace = '../io/timeline-file.js'
  const { compileTimelines } = (await import(timelinePlace)) as TimelineModule
  const answer = await loadShow(path, compileTimelines)
  if (!answer.ok) return told(path, answer.faults)
  const lights = answer.lights.flatMap(({ place, button }) =>
    button.dmx === null || button.dmx.error === null
      ? []
      : [{ place, message: button.dmx.error }],
  )
  const faults = [...lights, ...(await mediaFaults(answer.media))]
  if (faults.length > 0) return told(path, faults)
  const buttons = answer.show.playlists.reduce((sum, list) => sum + list.buttons.length, 0)
  const lists = answer.show.playlists.length
  say(`${path}: no fault in ${counted(buttons, 'button')} of ${counted(lists, 'playlist')}`)
  return EXIT.fine
}

const counted = (count: number, noun: string): string =>
  `${String(count)} ${noun}${count === 1 ? '' : 's'}`

const told = (path: string, faults: readonly Fault[]): number => {
  for (const fault of faults) say(faultText(fault))
  say(`${path}: ${counted(faults.length, 'fault')}`)
  return EXIT.failed
}

/** Each file is looked into once, however many buttons play it. */
const mediaFaults = async (references: readonly FileReference[]): Promise<readonly Fault[]> => {
  const paths = [...new Set(references.map((reference) => reference.path))]
  const facts = new Map<string, Facts>()
  const probePlace = '../io/probe.js'
  const { probeFile } = (await import(probePlace)) as ProbeModule
  const progress = startProgress('looking into media', paths.length)
  let next = 0
  const work = async (): Promise<void> => {
    for (; next < paths.length; ) {
      const path = paths[next]
      next += 1
      if (path === undefined) return
      facts.set(path, (await unreadable(path)) ?? (await probeFile(path)))
      progress.step()
    }
  }
  await Promise.all(Array.from({ length: PROBES }, work))
  progress.end()
  return references.flatMap((reference) => {
    const message = mediaFault(reference, facts.get(reference.path) ?? null)
    return message === null ? [] : [{ place: reference.place, message }]
  })
}

const unreadable = async (path: string): Promise<Facts | null> => {
  try {
    if (!(await stat(path)).isFile()) return { ok: false, message: `${path} is not a file` }
    await access(path, constants.R_OK)
    return null
  } catch (error) {
    return { ok: false, message: `${path} ${ioMessage(error)}` }
  }
}

/** What keeps this button from playing this file, or null. */
const mediaFault = ({ path, button }: FileReference, facts: Facts | null): string | null => {
  if (facts === null) return `${path} was not looked into`
  if (!facts.ok) return facts.message.includes(path) ? facts.message : `${path}: ${facts.message}`
  const { kind, startMs } = button
  if (kind === 'audio' && !facts.hasAudio) return `${path} has no sound`
  if (kind !== 'audio' && !facts.hasVideo) return `${path} has no picture`
  if (kind === 'image' || facts.durationFrames === 0) return null
  if (msToFrames(startMs) < facts.durationFrames) return null
  return `${path} ends before startMs (${String(startMs)})`
}
