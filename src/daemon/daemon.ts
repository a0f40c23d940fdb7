// The daemon: puts the show, the sound thread, the lights and the HTTP server together,
// and takes them apart again in order.
import { randomInt } from 'node:crypto'
import { basename } from 'node:path'
import type { FastifyInstance } from 'fastify'
import pino, { type Logger } from 'pino'
import { buildServer } from '../api/server.js'
import { closeServer } from '../api/shutdown.js'
import { version } from './package.js'
import { Catalogue } from '../engine/catalogue.js'
import type { CompiledTimeline } from '../engine/lighting/timeline.js'
import { hostsOf, isDmxAllowed, type Config } from '../io/config.js'
import { faultLine } from '../io/files/fault.js'
import type { Lights, LightsStatus } from '../io/lights/lights.js'
import { LightsLook } from '../io/lights/lights-look.js'
import { wavPath } from '../io/output/sink.js'
import type { Timers } from '../clock/timers.js'
import { settledWithin } from '../clock/waiting.js'
import { createTimeMemory } from '../clock/shared-time.js'
import type { LogLink } from '../io/log/log-link.js'
import type { Recorder } from '../recording/recorder.js'
import { ShowDisk } from '../io/show/show-disk.js'
import { loadShow, type LoadedShow } from '../io/show/show-file.js'
import { showMark, watchShow, type Watching } from '../io/show/show-watch.js'
import { timelineCompiler, type TimelineCompiler } from '../io/timeline/timeline-file.js'
import { exitProcess } from './process-exit.js'
import { listen, StartError } from './listen.js'
import { openLights } from './lights-start.js'
import { journal } from './journal.js'
import { liveSource } from './live-source.js'
import { MissingTimelines } from './missing-timelines.js'
import { createPages, type Pages } from './pages.js'
import { Probing } from './probing.js'
import { keptLine, recorderFor, recordingsFault } from './recordings.js'
import { refusedTimelines } from './refused-timelines.js'
import { ShowReload } from './show-reload.js'
import { SoundLink } from '../sound/sound-link.js'
import type { StartedSound } from '../sound/sound-start.js'

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
  /** Where it listens, as ip:port. */
  readonly authorities: readonly [string, ...string[]]
  stop(reason: string): Promise<void>
  reload(): Promise<void>
}

/** A disk that hangs must not hold up the end. */
const RECORDED_MS = 1_000
/** Open requests may end for so long while shutting down. */
const CLOSE_MS = 800

const NO_LIGHTS: LightsStatus = { state: 'off', message: null, universes: 0 }

export const startDaemon = async (options: DaemonOptions): Promise<Daemon> => {
  const log = pino({ level: options.logLevel, base: null }, options.output)
  const timelines = timelineCompiler(options.timers)
  const refuse = async (why: string): Promise<never> => {
    await options.sound.worker.terminate()
    throw new StartError(why)
  }
  const mark = await showMark(options.showPath)
  const answer = await loadShow(options.showPath, timelines.compile)
  if (!answer.ok) return refuse(faultLine('the show', options.showPath, answer.faults))
  const fault = await recordingsFault([options.record, wavPath(options.config.audio.sink)])
  if (fault !== null) return refuse(fault)
  const service = new Service(options, log, answer, timelines)
  try {
    await service.begin(mark)
  } catch (error) {
    await service.stop('it could not start')
    throw error
  }
  return service
}

class Service implements Daemon {
  readonly authorities: readonly [string, ...string[]]
  readonly #sound: SoundLink
  /** Null until the port is ours: lamps may be another daemon's. */
  #lights: Lights | null = null
  readonly #time = createTimeMemory()
  readonly #look: LightsLook
  readonly #pages: Pages
  readonly #app: FastifyInstance
  readonly #probing: Probing
  readonly #startedAt: number
  readonly #version = version()
  readonly #recorder: Recorder | null
  #watching: Watching | null = null
  readonly #reload: ShowReload<LoadedShow>
  readonly #missing: MissingTimelines
  readonly #tellRefused: (timelines: LoadedShow['timelines']) => void
  /** Why the show file as it is now is not the one that plays; null: it is. */
  #showError: string | null = null
  /** The port is ours; before that a failure is told in one line, by whoever started this. */
  #isServing = false
  #shuttingDown = false
  #stopped: Promise<void> | null = null

  constructor(
    private readonly options: DaemonOptions,
    private readonly log: Logger,
    private show: LoadedShow,
    private readonly timelines: TimelineCompiler,
  ) {
    this.#startedAt = options.timers.nowMs()
    const reload = (): void => void this.reload()
    this.#reload = this.#reloader()
    this.#tellRefused = refusedTimelines(log)
    this.#missing = new MissingTimelines(options.timers, timelines.isAnyMended, reload)
    const { config } = options
    const seed = randomInt(2 ** 47)
    const dmxAllowed = isDmxAllowed(config)
    this.#recorder = recorderFor(options, { seed, dmxAllowed, show: show.show }, log)
    const [host, ...others] = hostsOf(config)
    const at = (one: string): string => `${one}:${String(config.api.port)}`
    this.authorities = [at(host), ...others.map(at)]
    this.#sound = new SoundLink({
      timers: options.timers,
      started: options.sound,
      setup: {
        show: show.show,
        dmxAllowed,
        ...config.audio,
        time: this.#time,
        seed,
        record: options.record !== null,
      },
      around: () => this.#around(),
      died: (error) => {
        log.fatal({ err: error }, 'the sound thread does not go on')
        process.exitCode = 1
        // Whoever supervises the daemon starts it again; without sound it is no use to anyone.
        void this.stop('the sound thread does not go on')
          .finally(() => options.output.close())
          .finally(() => exitProcess(1, this.#sound.isStuck))
      },
      recorded: (inputs, events) => {
        this.#recorder?.write(inputs, events)
      },
      fileReplaced: (path) => {
        this.#probing.again(path)
      },
      filesSeen: (files) => {
        this.#probing.compare(files)
      },
      changed: (player) => {
        this.#lights?.update(player.readModel.lamps, player.figures.latencyFrames)
      },
    })
    this.#look = new LightsLook(config.dmx)
    const { player, files } = this.#sound
    this.#pages = createPages(options.timers, config, this.show, player, files.waves)
    player.subscribe(journal(log, () => player.catalogue))
    this.#app = this.#serve(log)
    this.#probing = new Probing({
      timers: options.timers, files, player, pages: this.#pages, log,
    })
  }

  #serve(logger: Logger): FastifyInstance {
    const { config } = this.options
    const { player } = this.#sound
    return buildServer({
      timers: this.options.timers,
      player,
      authority: this.authorities,
      entitled: () => config.entitlements.api,
      logger,
      checksAnswers: false,
      shuttingDown: () => this.#shuttingDown,
      origins: config.api.origins,
      live: liveSource({
        version: this.#version, player, lights: this.#look,
        tags: () => this.#pages.tags(),
      }),
      pages: this.#pages.source,
    })
  }

  /** `mark`: what the show file was before it was loaded. */
  async begin(mark: string | null): Promise<void> {
    // A second daemon ends here, and must not have touched what the first one holds: its files,
    // its lamps. The device is tried before, which disturbs nobody.
    const wav = wavPath(this.options.config.audio.sink)
    if (wav === null) this.#sound.begin()
    const { config, timers } = this.options
    await listen(this.#app, hostsOf(config), config.api.port, timers)
    this.#isServing = true
    if (wav !== null) this.#sound.begin()
    this.#openLights()
    this.#watching = watchShow(this.options.showPath, mark, timers, {
      changed: () => void this.reload(),
      gone: () => this.#reload.gone(),
    })
    const [note, record] = await Promise.all([this.#sound.ready, this.#recorder?.begin() ?? null])
    const heard = wavPath(this.#sound.player.figures.sink)
    for (const line of [note, keptLine(this.options.record, record), keptLine(wav, heard)]) {
      if (line !== null) this.log.warn(line)
    }
    this.log.info({ show: this.show.show.title, file: this.show.file }, 'serving')
    this.#probing.begin(this.show.media)
  }

  #openLights(): void {
    const { player } = this.#sound
    this.#lights = openLights(this.options, this.#time, this.log)
    this.#setTimelines()
    this.#lights.update(player.readModel.lamps, player.figures.latencyFrames)
  }

  /** Validates and swaps the show whole while things play; a bad file changes nothing. */
  reload(): Promise<void> {
    return this.#reload.request()
  }

  #reloader(): ShowReload<LoadedShow> {
    const { timelines, options: { showPath, timers } } = this
    const disk = new ShowDisk(showPath, timers, () => void this.reload())
    return new ShowReload<LoadedShow>({
      timers,
      file: showPath,
      answers: () => disk.answers(),
      load: () => loadShow(showPath, timelines.compile),
      busy: () => this.#sound.player.tell({ kind: 'catalogue_busy' }),
      kept: ({ message, why, error }) => {
        this.#keepShow(message)
        this.log.error(error === undefined ? {} : { err: error }, `not reloaded: ${why}`)
      },
      gone: () => this.#showIsGone(),
      replaced: (show) => {
        this.#showError = null
        this.show = show
        this.#pages.setShow(show)
        this.#setTimelines()
        this.#sound.player.replaceCatalogue(new Catalogue(show.show))
        this.#probing.begin(show.media)
      },
    })
  }

  #showIsGone(): void {
    const { showPath } = this.options
    this.#keepShow(`the show file is gone: ${basename(showPath)}`)
    this.log.error(`the show file is gone: ${showPath}; the show plays on as it was`)
  }

  /** Apps are told why, without the paths of this machine. */
  #keepShow(message: string): void {
    this.#showError = message
    this.#sound.player.tell({ kind: 'catalogue_kept', message })
  }

  #setTimelines(): void {
    const timelines = timelinesOf(this.show)
    this.#lights?.setTimelines(timelines)
    this.#look.setTimelines(timelines)
    this.#tellRefused(this.show.timelines)
    this.#missing.begin()
  }

  #around() {
    const { state, message, universes } = this.#lights?.status() ?? NO_LIGHTS
    const { config } = this.options
    return {
      version: this.#version,
      showError: this.#showError,
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
    this.#reload.close()
    this.#missing.close()
    this.#pages.close()
    this.#sound.player.tell({ kind: 'shutdown' })
    const closed = closeServer(this.#app, this.options.timers, CLOSE_MS)
    await Promise.all([closed, this.#sound.stop(), this.#probing.close()])
    await this.#lights?.close()
    const recorded = this.#recorder?.close(this.#sound.player.now) ?? Promise.resolve()
    if (!await settledWithin(this.options.timers, recorded, RECORDED_MS)) {
      this.log.error('the disk of the flight recorder hangs: its last lines are left')
    }
    if (this.#isServing) this.log.info('stopped')
  }
}

const timelinesOf = (show: LoadedShow): ReadonlyMap<string, CompiledTimeline> => {
  const timelines = new Map<string, CompiledTimeline>()
  for (const [id, answer] of show.timelines) if (answer.ok) timelines.set(id, answer.timeline)
  return timelines
}
