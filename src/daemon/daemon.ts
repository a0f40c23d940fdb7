// The daemon: puts the show, the sound thread, the lights and the HTTP server together,
// and takes them apart again in order.
import { randomInt } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import pino, { type Logger } from 'pino'
import { buildServer } from '../api/server.js'
import { closeServer } from '../api/shutdown.js'
import { version } from './package.js'
import { Catalogue } from '../engine/catalogue.js'
import type { CompiledTimeline } from '../engine/lighting/timeline.js'
import { isDmxAllowed, type Config } from '../io/config.js'
import { faultLine } from '../io/files/fault.js'
import type { Lights, LightsStatus } from '../io/lights/lights.js'
import { LightsLook } from '../io/lights/lights-look.js'
import type { Cancel, Timers } from '../clock/timers.js'
import { settledWithin } from '../clock/waiting.js'
import { createTimeMemory } from '../clock/shared-time.js'
import type { LogLink } from '../io/log/log-link.js'
import { defaultCacheFile } from '../io/media/probe-cache.js'
import { Prober } from '../io/media/probe.js'
import type { Recorder } from '../recording/recorder.js'
import { imagePaths, loadShow, type LoadedShow } from '../io/show/show-file.js'
import { watchShow, type Watching } from '../io/show/show-watch.js'
import { timelineCompiler } from '../io/timeline/timeline-file.js'
import { listen, StartError } from './listen.js'
import { openLights } from './lights-start.js'
import { journal } from './log.js'
import { liveSource } from './live-source.js'
import { createPages, type Pages } from './pages.js'
import { keptLine, recorderFor, recordingFault } from './recordings.js'
import type { MainFact } from '../sound/sound-messages.js'
import { SoundLink } from '../sound/sound-link.js'
import { wavPath, type StartedSound } from '../sound/sound-start.js'

export interface DaemonOptions {
  /** The time of the main thread. */
  readonly timers: Timers
  readonly showPath: string
  readonly config: Config
  readonly logLevel: string
  /** Where the flight recorder writes; null: nowhere. */
  readonly record: string | null
  /** The sound thread, begun before this was loaded. */
  readonly sound: StartedSound
  /** Where lines go: neither a full pipe nor a full disk behind it holds up whoever writes. */
  readonly output: LogLink
}

export interface Daemon {
  readonly authority: string
  stop(reason: string): Promise<void>
  reload(): Promise<void>
}

/** A disk that hangs must not hold up the end. */
const RECORDED_MS = 1_000
/** Open requests may end for so long while shutting down. */
const CLOSE_MS = 800
/** Media that were not there, e.g. on a disk that was not plugged in, are looked for again. */
const MISSING_MS = 10_000
/** Facts go to the sound thread in batches, so that a large show does not flood it. */
const FACTS_PER_BATCH = 100

const NO_LIGHTS: LightsStatus = { state: 'off', message: null, universes: 0 }

type Loaded = LoadedShow<CompiledTimeline>

export const startDaemon = async (options: DaemonOptions): Promise<Daemon> => {
  const log = pino({ level: options.logLevel, base: null }, options.output)
  const compile = timelineCompiler()
  const refuse = async (why: string): Promise<never> => {
    await options.sound.worker.terminate()
    throw new StartError(why)
  }
  const answer = await loadShow<CompiledTimeline>(options.showPath, compile)
  if (!answer.ok) return refuse(faultLine('the show', options.showPath, answer.faults))
  const fault = await recordingFault([options.record, wavPath(options.config.audio.sink)])
  if (fault !== null) return refuse(fault)
  const service = new Service(options, log, answer, compile)
  try {
    await service.begin()
  } catch (error) {
    await service.stop('it could not start')
    throw error
  }
  return service
}

class Service implements Daemon {
  readonly authority: string
  readonly #sound: SoundLink
  /** Null until the port is ours: lamps may be another daemon's. */
  #lights: Lights | null = null
  readonly #time = createTimeMemory()
  readonly #look: LightsLook
  readonly #pages: Pages
  /** Files that were not there are looked for again. */
  #missing: Cancel | null = null
  readonly #app: FastifyInstance
  readonly #prober: Prober
  readonly #startedAt: number
  readonly #version = version()
  readonly #recorder: Recorder | null
  #watching: Watching | null = null
  /** The port is ours; before that a failure is told in one line, by whoever started this. */
  #isServing = false
  #shuttingDown = false
  #stopped: Promise<void> | null = null
  /** Reloads follow one another; a change during one asks for one more. */
  #reloading: Promise<void> | null = null
  #again = false

  constructor(
    private readonly options: DaemonOptions,
    private readonly log: Logger,
    private show: Loaded,
    private readonly compile: ReturnType<typeof timelineCompiler>,
  ) {
    this.#startedAt = options.timers.nowMs()
    const { config } = options
    const seed = randomInt(2 ** 47)
    const dmxAllowed = isDmxAllowed(config)
    this.#recorder = recorderFor(options, { seed, dmxAllowed, show: show.show }, log)
    this.authority = `${config.api.host}:${String(config.api.port)}`
    this.#sound = new SoundLink({
      timers: options.timers,
      started: options.sound,
      show: show.show,
      setup: {
        show: show.show,
        dmxAllowed,
        sink: config.audio.sink,
        device: config.audio.device,
        time: this.#time,
        seed,
        record: options.record !== null,
      },
      around: () => this.#around(),
      died: (error) => {
        log.fatal({ err: error }, 'the sound thread died')
        process.exitCode = 1
        // Whoever supervises the daemon starts it again; without sound it is no use to anyone.
        void this.stop('the sound thread died')
          .finally(() => options.output.close())
          .finally(() => process.exit(1))
      },
      recorded: (inputs, events) => {
        this.#recorder?.write(inputs, events)
      },
      changed: (player) => {
        this.#lights?.update(player.readModel.dmx, player.figures.latencyFrames)
      },
    })
    this.#look = new LightsLook(config.dmx)
    const { player } = this.#sound
    this.#pages = createPages(options.timers, config, this.show, player)
    player.subscribe(journal(log, () => player.catalogue))
    this.#app = this.#serve(log)
    this.#prober = new Prober({
      timers: options.timers,
      cacheFile: defaultCacheFile(process.env), concurrency: 1, env: process.env,
    })
  }

  #serve(logger: Logger): FastifyInstance {
    const { config } = this.options
    const { player } = this.#sound
    return buildServer({
      timers: this.options.timers,
      player,
      authority: this.authority,
      entitled: () => config.entitlements.api,
      logger,
      shuttingDown: () => this.#shuttingDown,
      origins: config.api.origins,
      live: liveSource({
        version: this.#version, player, lights: this.#look,
        tags: () => this.#pages.tags(),
      }),
      pages: this.#pages.source,
    })
  }

  async begin(): Promise<void> {
    const { host, port } = this.options.config.api
    // A second daemon ends here, and must not have touched what the first one holds: its files,
    // its lamps. The device is tried before, which disturbs nobody.
    const wav = wavPath(this.options.config.audio.sink)
    if (wav === null) this.#sound.begin()
    await listen(this.#app, host, port)
    this.#isServing = true
    if (wav !== null) this.#sound.begin()
    this.#openLights()
    this.#watching = watchShow(this.options.showPath, this.options.timers, () => {
      void this.reload()
    })
    const [note, record] = await Promise.all([this.#sound.ready, this.#recorder?.begin() ?? null])
    if (note !== null) this.#say(note)
    const heard = this.#sound.player.figures.sink.slice('wav:'.length)
    for (const line of [keptLine(this.options.record, record), keptLine(wav, heard)]) {
      if (line !== null) this.#say(line)
    }
    this.log.info({ show: this.show.show.title, file: this.show.file }, 'serving')
    this.#probe()
  }

  #openLights(): void {
    const { player } = this.#sound
    this.#lights = openLights(this.options, this.#time, this.log)
    this.#setTimelines()
    this.#lights.update(player.readModel.dmx, player.figures.latencyFrames)
  }

  #say(line: string): void {
    this.options.output.write(`cartwall: ${line}\n`)
  }

  /** Validates and swaps the show whole while things play; a bad file changes nothing. */
  reload(): Promise<void> {
    if (this.#shuttingDown) return Promise.resolve()
    if (this.#reloading !== null) {
      this.#again = true
      return this.#reloading
    }
    this.#reloading = this.#reloadOnce().finally(() => {
      this.#reloading = null
      if (!this.#again) return
      this.#again = false
      void this.reload()
    })
    return this.#reloading
  }

  async #reloadOnce(): Promise<void> {
    const { player } = this.#sound
    player.tell({ kind: 'catalogue_busy' })
    try {
      const answer = await loadShow<CompiledTimeline>(this.options.showPath, this.compile)
      if (!answer.ok) {
        player.tell({ kind: 'catalogue_kept' })
        const why = faultLine('the show', this.options.showPath, answer.faults)
        this.log.error(`not reloaded: ${why}`)
        return
      }
      this.show = answer
      this.#pages.setShow(answer)
      this.#setTimelines()
      player.replaceCatalogue(new Catalogue(answer.show))
      this.#probe()
    } catch (error) {
      player.tell({ kind: 'catalogue_kept' })
      this.log.error({ err: error }, 'not reloaded')
    }
  }

  #setTimelines(): void {
    const timelines = timelinesOf(this.show)
    this.#lights?.setTimelines(timelines)
    this.#look.setTimelines(timelines)
  }

  /** Durations in the background: from the cache, or one file looked into at a time. */
  #probe(): void {
    this.#probeAll(this.show.media.map(({ path }) => path))
  }

  #probeAll(paths: readonly string[]): void {
    const { player } = this.#sound
    this.#missing?.()
    const missing: string[] = []
    let batch: MainFact[] = []
    const flush = (): void => {
      if (batch.length > 0) player.tell(...batch)
      batch = []
    }
    const done = this.#prober.probe(paths, imagePaths(this.show.media), {
      looked: (path, look) => this.#pages.looked(path, look),
      facts: (path, facts) => {
        this.#pages.learn(path, facts)
        const { duration } = facts
        if (duration > 0) batch.push({ kind: 'probed', path, duration })
        if (batch.length >= FACTS_PER_BATCH) flush()
      },
      fault: (path, message) => {
        missing.push(path)
        // Said once: it is looked for again as long as it is not there.
        if (!this.#pages.miss(path, message)) return
        this.log.warn({ path }, message)
      },
      progress: (count, total) => {
        if (count === total || count % 20 === 0) flush()
        if (count % 500 !== 0) return
        this.log.info(`looked into ${String(count)} of ${String(total)} files`)
      },
    })
    done.then(() => {
      flush()
      if (missing.length === 0 || this.#shuttingDown) return
      this.#missing = this.options.timers.background.after(MISSING_MS, () => {
        this.#probeAll(missing)
      })
    }, (error: unknown) => {
      this.log.error({ err: error }, 'durations could not be read')
    })
  }

  #around() {
    const { state, message, universes } = this.#lights?.status() ?? NO_LIGHTS
    const { config } = this.options
    return {
      version: this.#version,
      uptimeMs: Math.floor(this.options.timers.nowMs() - this.#startedAt),
      dmxEnabled: isDmxAllowed(config),
      universes,
      lights: { state, message },
      log: this.options.output.status(),
    }
  }

  stop(reason: string): Promise<void> {
    this.#stopped ??= this.#stop(reason)
    return this.#stopped
  }

  /** Commands are refused at once, every run ends, the last look of the lights leaves. */
  async #stop(reason: string): Promise<void> {
    this.#shuttingDown = true
    if (this.#isServing) this.log.info({ reason }, 'shutting down')
    this.#watching?.close()
    this.#pages.close()
    this.#sound.player.tell({ kind: 'shutdown' })
    const closed = closeServer(this.#app, this.options.timers, CLOSE_MS)
    await Promise.all([closed, this.#sound.stop(), this.#prober.close()])
    await this.#lights?.close()
    const recorded = this.#recorder?.close(this.#sound.player.now) ?? Promise.resolve()
    if (!await settledWithin(this.options.timers, recorded, RECORDED_MS)) {
      this.log.error('the disk of the flight recorder hangs: its last lines are left')
    }
    if (this.#isServing) this.log.info('stopped')
  }
}

const timelinesOf = (show: Loaded): ReadonlyMap<string, CompiledTimeline> => {
  const timelines = new Map<string, CompiledTimeline>()
  for (const [id, answer] of show.timelines) if (answer.ok) timelines.set(id, answer.timeline)
  return timelines
}
