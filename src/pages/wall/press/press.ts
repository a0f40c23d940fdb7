// What a press does (docs/pages.md, "Pressing"): pure, from what the button is.
import type { RunOptionsBody } from '../../../contract/schemas.js'
import type { ShowButton } from '../../../contract/show-page.js'
import { runOf, type Look } from '../look.js'

/** A command as it is sent; `null` leaves a fade to what is saved. */
export type Command =
  | {
      readonly kind: 'play' | 'restart'
      readonly buttonId: string
      readonly options: RunOptionsBody | null
    }
  | PauseOrResume
  | {
      readonly kind: 'stop'
      readonly buttonId: string
      readonly executionId: string | null
      readonly fadeMs: number | null
    }

export interface PauseOrResume {
  readonly kind: 'pause' | 'resume'
  readonly buttonId: string
  readonly executionId: string
  readonly fadeMs: number | null
}

export type Press =
  | { readonly kind: 'send'; readonly command: Command }
  | { readonly kind: 'open'; readonly playlistId: string }
  | { readonly kind: 'tell'; readonly message: string }
  | { readonly kind: 'nothing' }

const NOTHING: Press = { kind: 'nothing' }
const send = (command: Command): Press => ({ kind: 'send', command })

export const pressOf = (button: ShowButton, look: Look): Press => {
  const buttonId = button.id
  if (button.kind === 'navigation') {
    return button.target === null ? NOTHING : { kind: 'open', playlistId: button.target }
  }
  switch (look.kind) {
    case 'idle':
      return send({ kind: 'play', buttonId, options: null })
    case 'starting':
      return NOTHING
    case 'playing':
      return again(button, look.run.executionId)
    case 'pausing':
    case 'paused':
      // By its id: a run that is gone is not started anew by a press that meant to resume it.
      return send({ kind: 'resume', buttonId, executionId: look.run.executionId, fadeMs: null })
    case 'fading_out':
      return send({ kind: 'restart', buttonId, options: null })
    case 'shown':
    case 'lit':
      return stopOf(button, look)
    case 'missing':
      return { kind: 'tell', message: look.reason }
  }
}

const again = ({ id: buttonId, pressAgain }: ShowButton, executionId: string): Press => {
  switch (pressAgain) {
    case 'pause':
      return send({ kind: 'pause', buttonId, executionId, fadeMs: null })
    case 'stop':
      return send({ kind: 'stop', buttonId, executionId, fadeMs: null })
    case 'restart':
      return send({ kind: 'restart', buttonId, options: null })
  }
}

/** With Shift: stops with the saved fade, whatever a press would do. */
export const stopOf = (button: ShowButton, look: Look): Press => {
  if (look.kind === 'idle' || look.kind === 'missing') return NOTHING
  const executionId = runOf(look)?.executionId ?? null
  return send({ kind: 'stop', buttonId: button.id, executionId, fadeMs: null })
}

/** The request that a command is: path below /api/v1, and its body, null for none. */
export const requestOf = (command: Command): { readonly path: string; readonly body: unknown } => {
  const { kind, buttonId } = command
  const path = `/buttons/${buttonId}/${kind}`
  if ('options' in command) return { path, body: command.options }
  const { executionId, fadeMs } = command
  const named = executionId === null ? {} : { executionId }
  const fade = kind === 'resume' ? { fadeInMs: fadeMs } : { fadeOutMs: fadeMs }
  return { path, body: fadeMs === null ? named : { ...named, ...fade } }
}
