// An event of the engine as a reader gets it: its name, and its data as the contract has it (6).
import { cutText } from '../../contract/cut-text.js'
import { LIMITS } from '../../contract/limits.js'
import type { EventBody, EventName } from '../../contract/schemas.js'
import type { EngineEvent } from '../../engine/events.js'

/** One event of the stream; each pair of name and data is one of the contract. */
export type Told = {
  readonly [Name in EventName]: { readonly name: Name; readonly data: EventBody[Name] }
}[EventName]

/** A decoder may complain at any length; the log has all of it. */
const cut = (message: string): string => cutText(message, LIMITS.eventMessageCharacters)
const cutOrNull = (message: string | null): string | null =>
  message === null ? null : cut(message)

export const told = (event: EngineEvent): Told => {
  switch (event.kind) {
    case 'run': {
      const { executionId, buttonId, state, positionMs, durationMs, endReason, cause } = event
      const { startMs, endMs } = event
      const message = cutOrNull(event.message)
      return {
        name: 'run',
        data: {
          executionId, buttonId, state, positionMs, durationMs, endReason, startMs, endMs, cause,
          message,
        },
      }
    }
    case 'wrap': {
      const { executionId, buttonId, positionMs, passes } = event
      return { name: 'wrap', data: { executionId, buttonId, positionMs, passes } }
    }
    case 'duration': {
      const { executionId, buttonId, durationMs, startMs, endMs } = event
      return { name: 'duration', data: { executionId, buttonId, durationMs, startMs, endMs } }
    }
    case 'image':
      return { name: 'image', data: { buttonId: event.buttonId, isShown: event.shown } }
    case 'dmx': {
      const { dmxExecutionId, buttonId, change, positionMs } = event
      return { name: 'dmx', data: { dmxExecutionId, buttonId, change, positionMs } }
    }
    case 'output': {
      const state = event.available ? 'ok' : 'unavailable'
      return { name: 'audio', data: { state, message: cutOrNull(event.message) } }
    }
    case 'catalogue':
      return {
        name: 'catalogue', data: { change: event.change, message: cutOrNull(event.message) },
      }
    case 'notice': {
      const { buttonId, executionId, message } = event
      return { name: 'notice', data: { buttonId, executionId, message: cut(message) } }
    }
  }
}

/** JSON has no line ends of its own, so the data is one line. */
export const eventText = (id: string, { name, data }: Told): Buffer =>
  Buffer.from(`id: ${id}\nevent: ${name}\ndata: ${JSON.stringify(data)}\n\n`)
