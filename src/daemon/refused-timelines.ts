// Timelines that cannot be used are told when they are read, and not only when somebody presses.
import { basename } from 'node:path'
import type { Logger } from 'pino'
import type { TimelineAnswer } from '../io/timeline/timeline-file.js'

type Answers = ReadonlyMap<string, TimelineAnswer>

/** What it answers is to hear of the timelines of each show that was read; each is said once. */
export const refusedTimelines = (log: Logger): ((timelines: Answers) => void) => {
  let told: ReadonlyMap<string, string> = new Map()
  return (timelines) => {
    const refused = new Map<string, string>()
    for (const [path, answer] of timelines) {
      if (answer.ok) continue
      refused.set(path, answer.message)
      if (told.get(path) === answer.message) continue
      log.warn({ path }, `${basename(path)}: no lights: ${answer.message}`)
    }
    told = refused
  }
}
