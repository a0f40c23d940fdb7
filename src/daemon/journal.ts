// The log of a night: each change of a run, with its button and its reason.
import type { Logger } from 'pino'
import type { Catalogue } from '../engine/catalogue.js'
import type { EngineEvent } from '../engine/events.js'

export const journal = (
  log: Logger, catalogue: () => Catalogue,
): ((event: EngineEvent) => void) => {
  // What plays on when its button leaves the show is told by the name that it was told by before.
  const titles = new Map<string, string>()
  const titleOf = (buttonId: string): string => {
    const title = catalogue().button(buttonId)?.title ?? titles.get(buttonId) ?? buttonId
    titles.set(buttonId, title)
    return title
  }
  return (event) => {
    switch (event.kind) {
      case 'run': {
        const { executionId, buttonId, state, endReason, cause, positionMs, message } = event
        const line = `${titleOf(buttonId)}: ${state}${endReason === null ? '' : ` (${endReason})`}`
        const facts = {
          run: executionId, button: buttonId, state, reason: endReason, cause, positionMs,
          ...(message === null ? {} : { detail: message }),
        }
        if (state === 'failed') log.warn(facts, line)
        else log.info(facts, line)
        return
      }
      case 'image':
        log.info(
          { button: event.buttonId },
          `${titleOf(event.buttonId)}: ${event.shown ? 'shown' : 'hidden'}`,
        )
        return
      case 'dmx': {
        const { dmxExecutionId, buttonId, change, positionMs } = event
        const level = change === 'corrected' ? 'debug' : 'info'
        const facts = { dmx: dmxExecutionId, button: buttonId, positionMs }
        log[level](facts, `${titleOf(buttonId)}: lights ${change}`)
        return
      }
      case 'output':
        if (event.available) log.info('sound output is back')
        else log.error({ detail: event.message }, 'sound output lost')
        return
      case 'catalogue':
        log.info(`show ${event.change}`)
        return
      case 'wrap': {
        const { executionId: run, buttonId: button, passes } = event
        log.debug({ run, button, passes }, `${titleOf(button)}: comes round`)
        return
      }
      case 'duration': {
        const { executionId: run, buttonId: button, durationMs, endMs } = event
        log.debug({ run, button, durationMs, endMs }, `${titleOf(button)}: its length is known`)
        return
      }
      case 'notice':
        log.warn({ run: event.executionId, button: event.buttonId }, event.message)
        return
    }
  }
}
