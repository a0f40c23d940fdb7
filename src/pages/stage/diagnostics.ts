// What `D` shows: how well the stage is in step, and which element shows what.
import type { Figures } from './figures.js'
import type { Renderer } from './renderer.js'
import type { StageTime } from './timing.js'

export const diagnosticsText = (
  renderer: Renderer, figures: Figures, time: StageTime, connection: string, name: string,
): string => {
  const told = (share: number): string => figures.percentile(share)?.toFixed(1) ?? '-'
  const decks = renderer.decks.map(({ part, key, rate, element }, n) => {
    const state = `${part} ready ${element.readyState} at ${element.currentTime.toFixed(3)}`
    return `  ${n} ${state} rate ${rate.toFixed(3)} ${key ?? ''}`
  })
  return [
    `${name}: ${connection}`,
    `error p50 ${told(0.5)} ms, p95 ${told(0.95)} ms`,
    `latency ${time.latencyMs.toFixed(1)} ms, offset ${time.offsetMs} ms`,
    `refresh ${time.refreshMs.toFixed(2)} ms, lead ${time.leadMs.toFixed(1)} ms`,
    `on ${renderer.on.map(({ key }) => key).join(' < ') || 'black'}`,
    ...decks,
    ...renderer.errors.map(({ buttonId, message }) => `${buttonId}: ${message}`),
  ].join('\n')
}
