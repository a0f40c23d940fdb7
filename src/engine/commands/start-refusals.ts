// Why a start is refused before anything happens: a navigation button (1), a media file that is
// missing, a timeline that is none (7).
import { withoutFolder } from '../../contract/errors.js'
import type { Button } from '../catalogue.js'
import { no } from './command-parts.js'
import type { QueuedCommand } from './command-queue.js'
import type { Reply } from './commands.js'

/** A button that opens a playlist; null: it can be played. */
export const navigationRefusal = (button: Button): Reply | null =>
  button.kind === 'navigation'
    ? no('invalid_playback_request', `${button.title} is a navigation button: it cannot be played`)
    : null

/** Null where the look at its file found one; else `trouble` says what it found instead. */
export const missingMedia = (
  button: Button, { path, found, trouble }: NonNullable<QueuedCommand['looked']>,
): Reply | null => {
  if (found) return null
  const reason = withoutFolder(`${trouble ?? 'no readable file is there'}: ${path}`, path)
  return no('media_file_missing', `${button.title}: ${reason}`)
}

/** A lights button whose timeline could not be read, e.g. since its file is gone. */
export const missingTimeline = (
  button: Button, timeline: NonNullable<Button['dmx']>,
): Reply | null =>
  timeline.durationFrames === null
    ? no('media_file_missing', `${button.title}: ${timeline.error ?? 'no timeline'}`)
    : null
