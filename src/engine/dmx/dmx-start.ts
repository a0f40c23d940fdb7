// A start of lights (decisions 5): one DMX run for a button with a timeline, where allowed.
import type { Button } from '../catalogue.js'
import type { RunParts } from '../runs/run-parts.js'

export const startDmx = (
  { context, dmx }: RunParts, button: Button, follows: 'media' | 'itself',
): void => {
  const { dmx: timeline, title } = button
  // A show that was replaced may have given a lit button another kind: one timeline at most.
  dmx.end(context.now, button.id)
  if (!context.dmxAllowed || timeline === null) return
  if (timeline.durationFrames === null) {
    context.notice(null, `${title}: no lights: ${timeline.error ?? 'timeline not loaded'}`)
    return
  }
  const dmxExecutionId = context.ids.next()
  dmx.start(context.now, { dmxExecutionId, button, timeline, follows })
}
