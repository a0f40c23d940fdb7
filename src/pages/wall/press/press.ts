// What a press does (docs/pages.md, "Pressing"): pure, from what the button is.
import type { ShowButton } from '../../../contract/show-page.js'
import type { Look } from '../look.js'

/** The body of a play or a restart, as api.md 2.3 has it. */
export interface RunOptions {
  readonly loop?: boolean
  readonly loopCrossfadeMs?: number
  readonly allowOverlap?: boolean
  readonly pauseWhenReplaced?: boolean
  readonly externalSequencing?: boolean
}

/** A command as it is sent; `null` leaves a fade to what is saved. */
export type Command =
  | { readonly kind: 'play'; readonly buttonId: string; readonly options: RunOptions | null }
  | { readonly kind: 'restart'; readonly buttonId: string; readonly options: RunOptions | null }
  | {
      readonly kind: 'pause'
      readonly buttonId: string
      readonly executionId: string
      readonly fadeMs: number | null
    }
  | {
      readonly kind: 'resume'
      readonly buttonId: string
      readonly executionId: string
      readonly fadeMs: number | null
    }
  | {
      readonly kind: 'stop'
      readonly buttonId: string
      readonly executionId: string | null
      readonly fadeMs: number | null
    }

export type PauseOrResume = Extract<Command, { readonly kind: 'pause' | 'resume' }>

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
      return send({ kind: 'stop', buttonId, executionId: null, fadeMs: null })
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
  switch (look.kind) {
    case 'idle':
    case 'missing':
      return NOTHING
    case 'shown':
    case 'lit':
      return send({ kind: 'stop', buttonId: button.id, executionId: null, fadeMs: null })
    case 'starting':
    case 'playing':
    case 'pausing':
    case 'paused':
    case 'fading_out':
      return send({
        kind: 'stop', buttonId: button.id, executionId: look.run.executionId, fadeMs: null,
      })
  }
}

/** The request that a command is: path below /api/v1, and its body, null for none. */
export const requestOf = (command: Command): { readonly path: string; readonly body: unknown } => {
  const path = `/buttons/${command.buttonId}/${command.kind}`
  switch (command.kind) {
    case 'play':
    case 'restart':
      return { path, body: command.options }
    case 'pause':
      return { path, body: withFade({ executionId: command.executionId }, 'fadeOutMs', command) }
    case 'resume':
      return { path, body: withFade({ executionId: command.executionId }, 'fadeInMs', command) }
    case 'stop': {
      const named = command.executionId === null ? {} : { executionId: command.executionId }
      return { path, body: withFade(named, 'fadeOutMs', command) }
    }
  }
}

const withFade = (
  body: object, name: string, { fadeMs }: { readonly fadeMs: number | null },
): object => (fadeMs === null ? body : { ...body, [name]: fadeMs })
