// What GET /buttons answers (2.1), made from the catalogue and the read model.
import { framesToWholeMs, ZERO } from '../clock/frame.js'
import type { ButtonEntry, ButtonsAnswer } from '../contract/schemas.js'
import { makesRuns } from '../contract/vocabulary.js'
import {
  effectiveEnd, endFrame, startFrame, type Button, type Catalogue, type Playlist,
} from './catalogue.js'
import type { ReadModel } from './read-model.js'
import type { RunView } from './runs/run-view.js'

export const buttonsBody = (catalogue: Catalogue, model: ReadModel): ButtonsAnswer => ({
  buttons: catalogue.playlists.flatMap((playlist) =>
    playlist.buttons.map((button) => buttonEntry(button, playlist, model)),
  ),
})

const buttonEntry = (button: Button, playlist: Playlist, model: ReadModel): ButtonEntry => {
  const run = model.liveOf(button.id)
  const lights = model.dmxOf(button.id)
  const shown = model.image === button.id
  const lit = button.kind === 'dmx' && lights !== null
  const durationMs = durationOf(button, run, model)
  const entry: ButtonEntry = {
    id: button.id,
    title: button.title,
    kind: button.kind,
    playlistId: playlist.id,
    playlistTitle: playlist.title,
    isPlaying: (run !== null && run.state !== 'paused') || shown || lit,
    isPaused: run?.state === 'paused',
    isLoopEnabled: button.isLoopEnabled,
    hasDmxTimeline: button.dmx !== null,
    durationMs,
    executionId: run?.executionId ?? null,
    dmxExecutionId: lights?.dmxExecutionId ?? null,
    startMs: makesRuns(button.kind) ? framesToWholeMs(startFrame(button)) : 0,
    endMs: makesRuns(button.kind) ? endMsOf(button, durationMs) : null,
    fadeInMs: button.fadeInMs,
    fadeOutMs: button.fadeOutMs,
  }
  return button.own === null ? entry : Object.assign(entry, button.own)
}

const endMsOf = (button: Button, durationMs: number): number | null => {
  const end = endFrame(button)
  const endMs = end === null ? null : framesToWholeMs(end)
  return effectiveEnd(endMs, durationMs > 0 ? durationMs : null)
}

/** Of the medium that a start would play. A run of that one has met its true end, perhaps. */
const durationOf = (button: Button, run: RunView | null, model: ReadModel): number => {
  const own = run?.path === button.media ? framesToWholeMs(run.duration ?? ZERO) : 0
  if (own > 0) return own
  const lights = button.dmx?.durationFrames ?? null
  const frames = button.media === null ? lights : model.duration(button.media)
  return frames === null ? 0 : framesToWholeMs(frames)
}
