// What /live is served from in the daemon: the player of the engine, and the look of the lamps.
import type { LiveSource, LiveTags } from '../api/live/source.js'
import { frame } from '../clock/frame.js'
import type { LightsLook } from '../io/lights/lights-look.js'
import type { RemotePlayer } from '../sound/remote-player.js'

export interface LiveSourceOptions {
  readonly version: string
  readonly player: RemotePlayer
  readonly lights: LightsLook
  readonly tags: () => LiveTags
}

export const liveSource = ({ version, player, lights, tags }: LiveSourceOptions): LiveSource => ({
  version,
  engine: player,
  tags,
  meter: (listener) => {
    player.meter(listener)
  },
  look: () => {
    const { frame: now, latency } = player.present()
    return { frame: now, universes: lights.at(frame(now), player.readModel.lamps, latency) }
  },
})
