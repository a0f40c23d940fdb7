// What is recorded of a play, as text that is the same in every variation: events, answers, errors.
import { ERRORS } from '../../src/contract/errors.js'
import type { Reply } from '../../src/engine/commands/commands.js'
import type { EngineEvent } from '../../src/engine/events.js'
import type { Ticket } from '../oracle/model/commands/command-queue.js'

/** What a run is called in every variation. */
export type NameOf = (id: string | null) => string

export const buttonTitle = (id: string | null): string =>
  id === null ? '-' : `b${Number.parseInt(id.slice(-12), 16)}`

export const LEGEND = '# frame what who run state reason position/duration cause; or: command ' +
  'answer; or: left right'

export const eventText = (
  event: EngineEvent, origin: number, nameOf: NameOf, titleOf: NameOf = buttonTitle,
): string => {
  const at = event.at - origin
  switch (event.kind) {
    case 'run':
      return `${at} run ${titleOf(event.buttonId)} ${nameOf(event.executionId)} ` +
        `${event.state} ${String(event.endReason)} ${event.positionMs}/${event.durationMs} ` +
        `${event.cause} ${event.message ?? ''}`
    case 'dmx':
      return `${at} dmx ${titleOf(event.buttonId)} ${nameOf(event.dmxExecutionId)} ` +
        `${event.change} ${event.positionMs}`
    case 'wrap':
      return `${at} wrap ${titleOf(event.buttonId)} ${nameOf(event.executionId)} ` +
        `${event.positionMs} ${event.passes}`
    case 'duration':
      return `${at} duration ${titleOf(event.buttonId)} ${nameOf(event.executionId)} ` +
        `${event.durationMs} ${event.startMs}-${event.endMs ?? ''}`
    case 'image':
      return `${at} image ${titleOf(event.buttonId)} ${String(event.shown)}`
    case 'output':
      return `${at} output ${String(event.available)}`
    case 'catalogue':
      return `${at} catalogue ${event.change}`
    case 'notice':
      return `${at} notice ${titleOf(event.buttonId)} ${event.message}`
  }
}

export const replyText = (reply: Reply, nameOf: NameOf): string => {
  if (!reply.ok) return reply.refusal.code
  const body = reply.body as unknown as Record<string, unknown>
  return `${reply.status} ` + Object.entries(body).map(([key, value]) => {
    if (key === 'id' || key === 'buttonId') return buttonTitle(value as string)
    const isRun = key.endsWith('xecutionId')
    return isRun ? nameOf(value as string | null) : String(value)
  }).join(' ')
}

/** A reply as the wire tells it, without words for people. */
export const answerOf = (reply: Reply): NonNullable<Ticket['got']> => reply.ok
  ? { status: reply.status, body: { ...reply.body } }
  : { status: ERRORS[reply.refusal.code], body: { error: reply.refusal.code } }

export const messageOf = (error: unknown): string => {
  if (!(error instanceof Error)) return String(error)
  const place = error.stack?.split('\n').find((line) => line.includes(' at ')) ?? ''
  return `${error.message} ${place.trim()}`
}
