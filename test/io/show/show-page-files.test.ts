// The show as pages hear it, from a show file on the disk: its media come, change and go.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { frame } from '../../../src/clock/frame.js'
import { buildTimeline } from '../../../src/engine/lighting/timeline-build.js'
import type { MediaFacts } from '../../../src/io/media/probe/probe-file.js'
import { loadShow } from '../../../src/io/show/show-file.js'
import { ShowBody } from '../../../src/io/show/show-page-body.js'

const settings = { panicFadeMs: 300, guardMs: 1_000, stageOffsetMs: 0 }
const look = (version: string) => ({ version, type: 'audio/flac' })

describe('the whole of it', () => {
  const [LIST, FILM, LAMPS] = [1, 2, 3].map((n) => `00000000-0000-4000-8000-00000000000${n}`)
  const VIDEO = {
    codec: 'prores', pixelFormat: 'yuv422p10le', width: 640, height: 360, framesPerSecond: 25,
    beginsMs: 0, keyframesMs: 40,
  }
  const AUDIO = { codec: 'aac', channels: 2, sampleRate: 44_100 }
  const plain = {
    startMs: 0, endMs: null, fadeInMs: 0, fadeOutMs: 0, fadeOutAtEnd: false, isLoopEnabled: false,
    pauseWhenReplaced: false, allowOverlap: false, gainDb: 0, color: null, hotkey: null,
    pressAgain: 'pause', fit: 'contain', dissolveMs: 0, target: null,
  }
  const set = {
    startMs: 500, endMs: 30_000, fadeInMs: 10, fadeOutMs: 20, fadeOutAtEnd: true,
    isLoopEnabled: true, pauseWhenReplaced: true, allowOverlap: true, gainDb: -3, color: 'teal',
    hotkey: 'KeyQ', pressAgain: 'restart', fit: 'cover', dissolveMs: 250,
  }
  const MODE = {
    mode: 'sequence', wrap: true, mixOnTransition: true, crossfadeMs: 700,
    crossfadeCurve: 'linear', columns: 4,
  }

  it('is what pages need of a show and of its files, and no path of the machine', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'cartwall-body-'))
    onTestFinished(() => rmSync(folder, { recursive: true }))
    const file = join(folder, 'show.json')
    writeFileSync(file, JSON.stringify({
      version: 1, title: 'Night', playlists: [{
        id: LIST, title: 'Films', ...MODE, buttons: [
          { id: FILM, title: 'Film', kind: 'video', media: 'film.mov', ...set },
          { id: LAMPS, title: 'Lamps', kind: 'dmx', dmx: { timeline: 'lamps.json', loop: true } },
        ],
      }],
    }))
    const timeline = { ok: true, timeline: buildTimeline(frame(96_000), []) } as const
    const show = await loadShow(file, (paths) =>
      Promise.resolve(new Map(paths.map((path) => [path, timeline]))))
    if (!show.ok) throw new Error('the show does not load')
    const body = new ShowBody({ version: '1', settings }, show)
    const path = join(folder, 'film.mov')
    const page = (): unknown => JSON.parse(body.body().bytes.toString())
    const told = (durationMs: number, media: object): unknown => ({
      title: 'Night', version: '1', settings, playlists: [{
        id: LIST, title: 'Films', ...MODE, buttons: [
          {
            id: FILM, title: 'Film', kind: 'video', ...plain, ...set, dmx: null, durationMs,
            media: {
              missing: null, version: null, type: null, notShown: null, video: null, audio: null,
              ...media,
            },
          },
          {
            id: LAMPS, title: 'Lamps', kind: 'dmx', ...plain, dmx: { loop: true, error: null },
            durationMs: 2_000, media: null,
          },
        ],
      }],
    })
    expect(page()).toEqual(told(0, {}))
    body.looked(path, look('1'))
    expect(page()).toEqual(told(0, { version: '1', type: 'audio/flac' }))
    const facts = { container: 'mov', duration: 48_000, video: VIDEO, audio: AUDIO }
    body.learn(path, facts as unknown as MediaFacts)
    const learnt = {
      type: 'audio/flac', video: VIDEO, audio: AUDIO, notShown: 'a browser does not show prores',
    }
    expect(page()).toEqual(told(1_000, { version: '1', ...learnt }))
    // Another file in its place is nothing that is known.
    body.looked(path, look('2'))
    expect(page()).toEqual(told(0, { version: '2', type: 'audio/flac' }))
    body.miss(path, `${path} does not exist`, null)
    expect(page()).toEqual(told(0, { missing: 'film.mov does not exist' }))
    expect(body.body().bytes.toString()).not.toContain(folder)
  })
})
