// A player on virtual time for the tests: a small show, media of any length, sound as arrays.
import { frame } from '../src/clock/frame.js'
import type { Execution } from '../src/contract/schemas.js'
import { Catalogue, type Button, type Playlist } from '../src/engine/catalogue.js'
import {
  NO_OPTIONS, type Command, type Reply, type RunOptions,
} from '../src/engine/commands/commands.js'
import { DEFAULT_ENGINE, type EngineOptions } from '../src/engine/engine.js'
import type { EngineEvent } from '../src/engine/events.js'
import { stereo } from '../src/engine/sound/mixer.js'
import type { StereoBlock } from '../src/engine/ports.js'
import { createPrng } from '../src/engine/prng.js'
import { DirectPlayer } from '../src/testing/direct-player.js'
import { VirtualMedia, virtualFile, type VirtualFile } from '../src/testing/media.js'

export const ms = (value: number): number => value * 48

/** A GUID that a person can read in a failing test: the name's number in its last digits. */
export const guid = (n: number): string =>
  `00000000-0000-4000-8000-${n.toString(16).padStart(12, '0')}`

export interface ButtonSpec extends Partial<Button> {
  /** Length of the media in milliseconds; 10 s where nothing is said. */
  readonly mediaMs?: number
  readonly file?: Partial<VirtualFile>
}

export interface ListSpec extends Partial<Omit<Playlist, 'buttons'>> {
  readonly buttons: readonly ButtonSpec[]
}

let made = 0

const buttonOf = (spec: ButtonSpec, playlistId: string): Button => {
  made += 1
  const settings: Partial<Button> = spec
  const id = spec.id ?? guid(made)
  return {
    id, title: `button ${id.slice(-3)}`, kind: 'audio', playlistId, media: `/media/${id}`,
    startMs: 0, endMs: null, fadeInMs: 0, fadeOutMs: 0, fadeOutAtEnd: false, isLoopEnabled: false,
    pauseWhenReplaced: false, allowOverlap: false, gainDb: 0, dmx: null, own: null,
    ...settings,
  }
}

/** The media are registered by path; each list is one playlist, manual unless it says otherwise. */
export const showOf = (
  lists: readonly ListSpec[], media: VirtualMedia,
): Catalogue => {
  const playlists = lists.map((spec): Playlist => {
    made += 1
    const id = spec.id ?? guid(made)
    const buttons = spec.buttons.map((item) => {
      const button = buttonOf(item, id)
      if (button.media !== null && !media.files.has(button.media)) {
        media.files.set(button.media, virtualFile(ms(item.mediaMs ?? 10_000), item.file))
      }
      return button
    })
    return {
      title: 'list', mode: 'manual', wrap: false, mixOnTransition: false, crossfadeMs: 0,
      crossfadeCurve: 'linear', ...spec, id, buttons,
    }
  })
  return new Catalogue({ title: 'test show', playlists })
}

export type Rig = ReturnType<typeof rig>

/** A player over virtual media, and the ways to talk to it; what a test says is built upon it. */
export const rig = (lists: readonly ListSpec[], options: Partial<EngineOptions> = {}) => {
  const base = foundation(lists, options)
  return { ...base, ...requests(base), ...readings(base), ...changes(base) }
}

type Base = ReturnType<typeof foundation>

const foundation = (lists: readonly ListSpec[], options: Partial<EngineOptions>) => {
  const media = new VirtualMedia()
  const catalogue = showOf(lists, media)
  let id = 0xe000
  const player = new DirectPlayer(
    {
      ...DEFAULT_ENGINE, media, catalogue, dmxAllowed: true, prng: createPrng(1),
      ids: { next: () => guid((id += 1)) }, ...options,
    },
    () => ({
      version: 'test', showError: null, uptimeMs: 0, dmxEnabled: true, universes: 0,
      audio: { sink: 'virtual', latencyMs: 0, underruns: 0, armedHeads: 0 },
      lights: { state: 'off', message: null },
      log: { state: 'ok', message: null, lost: 0 },
    }),
  )
  const { engine } = player
  media.attach((fact, at) => {
    engine.post(fact, at)
  }, () => engine.now)
  const buttons = catalogue.playlists.flatMap((list) => list.buttons)
  const idOf = (n: number): string => {
    const button = buttons[n]
    if (button === undefined) throw new Error(`no button ${String(n)}`)
    return button.id
  }
  return { media, player, engine, buttons, catalogue, idOf, events: player.events as Events }
}

type Events = readonly EngineEvent[]

const requests = ({ player, idOf }: Base) => {
  /** Sends without waiting: the box fills when the answer comes. */
  const ask = (command: Command): { reply: Reply | null } => {
    const box: { reply: Reply | null } = { reply: null }
    player.submit(command, (reply) => {
      box.reply = reply
    })
    return box
  }
  const send = (command: Command): Reply => {
    const { reply } = ask(command)
    if (reply === null) throw new Error('no answer within the step')
    return reply
  }
  const body = (reply: Reply): Record<string, unknown> => {
    if (!reply.ok) throw new Error(`${reply.refusal.code}: ${reply.refusal.message}`)
    return reply.body
  }
  const start = (
    n: number, options: Partial<RunOptions> = {}, kind: 'play' | 'restart' = 'play',
  ): string => {
    const all: RunOptions = { ...NO_OPTIONS, ...options }
    return body(send({ kind, buttonId: idOf(n), options: all }))['executionId'] as string
  }
  return {
    ask, send, body, start,
    /** Sends, and answers the refusal's code or the result. */
    code: (command: Command): string => {
      const reply = send(command)
      if (!reply.ok) return reply.refusal.code
      const answer = reply.body as { result?: string; state?: string }
      return answer.result ?? answer.state ?? ''
    },
    pause: (n: number, executionId: string, fadeOutMs: number | null = null) =>
      body(send({ kind: 'pause', buttonId: idOf(n), executionId, fadeOutMs })),
    resume: (n: number, executionId: string, fadeInMs: number | null = null) =>
      body(send({ kind: 'resume', buttonId: idOf(n), executionId, fadeInMs })),
    stop: (n: number, executionId: string | null = null, fadeOutMs: number | null = null) =>
      body(send({ kind: 'stop', buttonId: idOf(n), executionId, fadeOutMs })),
  }
}

const readings = ({ player, buttons, idOf }: Base) => ({
  run: (executionId: string): Execution => {
    const found = player.execution(executionId)
    if (found === null) throw new Error(`no execution ${executionId}`)
    return found
  },
  starvations: (): number => player.status().audio.starvations,
  state: (executionId: string): string => player.execution(executionId)?.state ?? 'unknown',
  live: (n: number): string | null => player.readModel.liveOf(idOf(n))?.executionId ?? null,
  advance: (frames: number): void => {
    player.advance(frames)
  },
  /** Renders so many frames, cut into blocks as told. */
  render: (frames: number, cut: (left: number) => number = (left) => left): StereoBlock => {
    const block = stereo(frames)
    for (let at = 0; at < frames; ) {
      const size = Math.max(1, Math.min(frames - at, cut(frames - at)))
      player.render(block, at, size)
      at += size
    }
    return block
  },
  /** Every event of runs so far, short: button number, state, reason. */
  story: (): string[] =>
    player.events.flatMap((event) => {
      if (event.kind !== 'run') return []
      const n = buttons.findIndex((button) => button.id === event.buttonId)
      return [`${String(n)} ${event.endReason ?? event.state}`]
    }),
})

const changes = ({ media, player, buttons, idOf }: Base) => {
  const swap = (change: (playlist: Playlist, index: number) => Playlist): void => {
    const show = { title: 'changed', playlists: player.engine.catalogue.playlists.map(change) }
    player.post({ kind: 'catalogue', catalogue: new Catalogue(show) })
  }
  return {
    /** Replaces the show by one in which a button's settings differ, or in which it is gone. */
    change: (n: number, settings: Partial<Button>): void => {
      swap((list) => ({
        ...list,
        buttons: list.buttons.map((it) => (it.id === idOf(n) ? { ...it, ...settings } : it)),
      }))
    },
    changeList: (n: number, settings: Partial<Omit<Playlist, 'id' | 'buttons'>>): void => {
      swap((list, index) => (index === n ? { ...list, ...settings } : list))
    },
    vanish: (n: number): void => {
      swap((list) => ({ ...list, buttons: list.buttons.filter((it) => it.id !== idOf(n)) }))
    },
    file: (n: number, faults: Partial<VirtualFile>): void => {
      const path = buttons[n]?.media ?? ''
      const file = media.files.get(path)
      if (file === undefined) throw new Error(`no file of button ${String(n)}`)
      media.files.set(path, { ...file, ...faults })
    },
  }
}

/** A constant: the sound at a frame is its gain. */
export const constant = (level = 1): Partial<VirtualFile> => ({ sample: () => [level, level] })

/** A source that is silent so long after it was opened. */
export const slow = (afterMs: number): Partial<VirtualFile> => ({ readyAfter: frame(ms(afterMs)) })

/** Which buttons began to play, by their places in the show and in that order. */
export const played = (r: Rig): string[] =>
  r.story().filter((line) => line.endsWith('playing')).map((line) => line.split(' ')[0]!)
