// The pages as the daemon holds them: what /show and /waves tell, and where the built files are.
import { fileURLToPath } from 'node:url'
import type { LiveTags } from '../api/live/source.js'
import type { PagesSource } from '../api/pages/source.js'
import { writeArmed } from '../contract/armed-bits.js'
import { msToFrames } from '../clock/frame.js'
import type { Timers } from '../clock/timers.js'
import type { RunView } from '../engine/runs/run-view.js'
import type { Config } from '../io/config.js'
import { readPages } from '../io/files/page-files.js'
import { armedRange, keyOf } from '../io/media/preroll-entry.js'
import type { LookedAt } from '../io/media/probe/prober.js'
import type { MediaFacts } from '../io/media/probe/probe-file.js'
import { ShowBody, type ShownShow } from '../io/show/show-page-body.js'
import { defaultWaveFolder, WaveCache } from '../io/waves/wave-cache.js'
import type { WaveLink } from '../io/waves/wave-messages.js'
import { Waves, type WavedButton } from '../io/waves/waves.js'
import type { RemotePlayer } from '../sound/remote-player.js'
import { version } from './package.js'
import { ShownMedia } from './shown-media.js'

export interface Pages {
  /** Null where the configuration has no pages. */
  readonly source: PagesSource | null
  /** The ETags of /show and /waves, and who is armed; null where there are no pages. */
  tags(): LiveTags
  setShow(show: ShownShow): void
  /** A file is there, as it is now. */
  looked(path: string, look: LookedAt): void
  /** A file was looked into. */
  learn(path: string, facts: MediaFacts): void
  /** A file is not there, or nothing that plays; false where that was known. */
  miss(path: string, message: string, version: string | null): boolean
  close(): void
}

/** Heads are being armed as long as one was armed so lately. */
const ARMING_MS = 1_000

export const createPages = (
  timers: Timers, config: Config, first: ShownShow, player: RemotePlayer, link: WaveLink,
): Pages => {
  const { enabled, panicFadeMs, guardMs } = config.pages
  const settings = { panicFadeMs, guardMs, stageOffsetMs: config.stage.offsetMs }
  const show = new ShowBody({ version: version(), settings }, first)
  const waves = enabled ? createWaves(timers, player, link) : null
  waves?.setButtons(wavedButtons(first))
  const media = new ShownMedia(player)
  let heads = headKeys(first)
  return {
    source: waves === null ? null : sourceOf(show, waves, media),
    tags: () => waves === null ? { show: null, waves: null, armed: null } : {
      show: show.body().etag, waves: waves.body().etag,
      armed: writeArmed(heads.map((key) => key !== null && player.armed.has(key))),
    },
    setShow: (next) => {
      media.showLeaves()
      show.setShow(next)
      heads = headKeys(next)
      waves?.setButtons(wavedButtons(next))
    },
    looked: (path, look) => show.looked(path, look),
    learn: (path, facts) => {
      show.learn(path, facts)
      if (facts.audio !== null) waves?.learn(path, facts.picturesEnd ?? 0)
      else waves?.miss(path)
    },
    miss: (path, message, version) => {
      waves?.miss(path)
      return show.miss(path, message, version)
    },
    close: () => waves?.close(),
  }
}

const sourceOf = (show: ShowBody, waves: Waves, media: ShownMedia): PagesSource => {
  const files = readPages(fileURLToPath(new URL('../pages/', import.meta.url)))
  return {
    file: async (path) => (await files).get(path) ?? null,
    show: () => show.body(),
    waves: () => waves.body(),
    wave: (buttonId) => waves.whole(buttonId),
    media: (buttonId) => media.of(buttonId),
  }
}

const createWaves = (timers: Timers, player: RemotePlayer, link: WaveLink): Waves => {
  let armed = 0
  let armedAt = timers.nowMs()
  const isBusy = (): boolean => {
    const { armedHeads } = player.figures
    if (armedHeads > armed) armedAt = timers.nowMs()
    armed = armedHeads
    const isArming = timers.nowMs() - armedAt < ARMING_MS
    return isArming || player.readModel.live().some(needsDecoder)
  }
  const cache = new WaveCache(defaultWaveFolder(process.env))
  return new Waves({ timers, link, cache, isBusy })
}

const needsDecoder = ({ state, starving }: RunView): boolean => state === 'starting' || starving

/** The head of each button, in the order of /show; null: it sounds by none. */
const headKeys = ({ show }: ShownShow): readonly (string | null)[] =>
  show.playlists.flatMap(({ buttons }) => buttons).map((button) => {
    const range = armedRange(button)
    return range === null ? null : keyOf(range.path, range.from, range.to)
  })

const wavedButtons = ({ show }: ShownShow): readonly WavedButton[] =>
  show.playlists.flatMap(({ buttons }) => buttons).flatMap((button) => {
    const { id, kind, media: path, startMs, endMs } = button
    if (path === null || kind === 'image') return []
    const to = endMs === null ? null : msToFrames(endMs)
    return [{ id, path, from: msToFrames(startMs), to }]
  })
