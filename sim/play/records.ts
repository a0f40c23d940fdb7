// What is recorded of a play, as text that is the same in every variation: events, answers, errors.
import { ERRORS } from '../../src/contract/errors.js'
import type { Reply } from '../../src/engine/commands/commands.js'
import type { EngineEvent } from '../../src/engine/events.js'
import type { Ticket } from '../oracle/model/commands/command-queue.js'

/** Every variation counts its buttons and runs alike: the number stands at the end of an id. */
const counted = (letter: string) => (id: string | null): string =>
  id === null ? '-' : `${letter}${Number.parseInt(id.slice(-12), 16)}`

export const buttonTitle = counted('b')
const runTitle = counted('x')

export const LEGEND = '# frame what who run state reason position/duration cause; or: command ' +
  'answer; or: left right'

export const eventText = (event: EngineEvent, origin: number): string => {
  const who = 'buttonId' in event ? `${buttonTitle(event.buttonId)} ` : ''
  return `${event.at - origin} ${event.kind} ${who}${detailsOf(event)}`
}

const detailsOf = (event: EngineEvent): string => {
  switch (event.kind) {
    case 'run':
      return `${runTitle(event.executionId)} ${event.state} ${String(event.endReason)} ` +
        `${event.positionMs}/${event.durationMs} ${event.cause} ${event.message ?? ''}`
    case 'dmx':
      return `${runTitle(event.dmxExecutionId)} ${event.change} ${event.positionMs}`
    case 'wrap':
      return `${runTitle(event.executionId)} ${event.positionMs} ${event.passes}`
    case 'duration': {
      const { executionId, durationMs, startMs, endMs } = event
      return `${runTitle(executionId)} ${durationMs} ${startMs}-${endMs ?? ''}`
    }
    case 'image':
      return String(event.shown)
    case 'output':
      return String(event.available)
    case 'catalogue':
      return event.change
    case 'notice':
      return event.message
  }
}

export const replyText = (reply: Reply): string => {
  if (!reply.ok) return reply.refusal.code
  return `${reply.status} ` + Object.entries(reply.body).map(([key, value]) => {
    if (key === 'id' || key === 'buttonId') return buttonTitle(value as string)
    return key.endsWith('xecutionId') ? runTitle(value as string | null) : String(value)
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
