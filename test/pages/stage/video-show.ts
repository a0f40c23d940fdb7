// A show of videos, for tests of what the stage takes from a show.
import type { ShowButton, ShowMedia, ShowPage } from '../../../src/contract/show-page.js'
import { ShowLook } from '../../../src/pages/stage/show-look.js'
import { aButton } from '../wall/show-parts.js'

const MEDIA: ShowMedia = {
  missing: null, version: 'v1', type: 'video/mp4', notShown: null, video: null, audio: null,
}

export const video = (id: string, startMs: number, media: Partial<ShowMedia>): ShowButton =>
  aButton({ id, title: id, kind: 'video', startMs, media: { ...MEDIA, ...media } })

/** One that begins at 0; null: the daemon has not looked into its file yet. */
export const film = (id: string, framesPerSecond: number | null): ShowButton => video(id, 0, {
  video: framesPerSecond === null ? null : {
    codec: 'h264', pixelFormat: 'yuv420p', width: 640, height: 360, framesPerSecond,
    beginsMs: 0, keyframesMs: 1_000,
  },
})

/** One manual playlist of these. */
export const showOf = (...buttons: readonly ShowButton[]): ShowPage => ({
  title: '', version: '1', settings: { panicFadeMs: 0, guardMs: 0, stageOffsetMs: 0 },
  playlists: [{
    id: 'p', title: '', mode: 'manual', wrap: false, mixOnTransition: false, crossfadeMs: 0,
    crossfadeCurve: 'linear', columns: null, buttons,
  }],
})

export const lookAt = (...buttons: readonly ShowButton[]): ShowLook =>
  new ShowLook(showOf(...buttons), null)
