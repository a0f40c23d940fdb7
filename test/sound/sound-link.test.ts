// The sound thread as the daemon holds it: what it says reaches those who wait for it.
import { EventEmitter } from 'node:events'
import type { Worker } from 'node:worker_threads'
import { expect, it } from 'vitest'
import { createTimeMemory, TimeWriter } from '../../src/clock/shared-time.js'
import { VirtualTimers } from '../../src/clock/virtual.js'
import { LIMITS } from '../../src/contract/limits.js'
import { Catalogue, type Playlist } from '../../src/engine/catalogue.js'
import { SoundLink } from '../../src/sound/sound-link.js'
import type { RecordedInput } from '../../src/recording/recording.js'
import type { FromSound, ToSound } from '../../src/sound/sound-messages.js'

/** In place of the thread: it says what a test says. */
class Thread extends EventEmitter {
  readonly told: ToSound[] = []
  terminations = 0

  postMessage(message: ToSound): void {
    this.told.push(message)
  }

  terminate(): Promise<void> {
    this.terminations += 1
    return Promise.resolve()
  }

  say(message: FromSound): void {
    this.emit('message', message)
  }
}

const linked = (failure: Error | null = null) => {
  const thread = new Thread()
  const latencies: number[] = []
  const deaths: string[] = []
  const replaced: string[] = []
  const recorded: RecordedInput[] = []
  const show = { title: 'a show', playlists: [] }
  const timers = new VirtualTimers(0)
  const time = createTimeMemory()
  const link = new SoundLink({
    timers,
    started: { worker: thread as unknown as Worker, failure: () => failure },
    setup: {
      sink: 'null', device: null, bufferMs: null, show, dmxAllowed: true,
      time, seed: 1, record: false,
    },
    around: () => ({
      version: 'test', showError: null, uptimeMs: 0, dmxEnabled: true, universes: 0,
      lights: { state: 'off', message: null }, log: { state: 'ok', message: null, lost: 0 },
    }),
    died: ({ message }) => deaths.push(message),
    recorded: (inputs) => recorded.push(...inputs),
    fileReplaced: (path) => replaced.push(path),
    filesSeen: (files) => replaced.push(...files.map(String)),
    changed: (player) => latencies.push(player.figures.latencyFrames),
  })
  const writer = new TimeWriter(time)
  return { thread, link, timers, writer, latencies, deaths, replaced, recorded }
}

const figures = (latencyFrames: number): FromSound => ({
  kind: 'figures', figures: { sink: 'speaker', latencyFrames, underruns: 0, armedHeads: 0 },
})

it('a latency that changes while nothing else happens is told: lights go by it', () => {
  const { thread, link, latencies } = linked()
  thread.say(news({}))
  thread.say(figures(960))
  expect(link.player.status().audio.latencyMs).toBe(20)
  thread.say(figures(1_920))
  expect(latencies).toEqual([0, 960, 1_920])
})

it('a thread that ends by itself is told, one that was stopped is not', async () => {
  const { thread, deaths } = linked()
  thread.emit('exit')
  expect(deaths).toEqual(['the sound thread ended'])
  const other = linked()
  const stopped = other.link.stop()
  expect(other.thread.told.at(-1)).toEqual({ kind: 'stop' })
  other.thread.say({ kind: 'stopped' })
  other.thread.emit('exit')
  await stopped
  expect(other.deaths).toEqual([])
})

/** A second of the daemon's own time after the other. */
const seconds = (timers: VirtualTimers, count: number, act: () => void = () => undefined): void => {
  for (let n = 0; n < count; n += 1) {
    timers.pass(1_000)
    act()
  }
}

it('a thread that hangs is told once: what it said last would be read for ever', () => {
  const { thread, timers, deaths } = linked()
  thread.say(figures(960))
  seconds(timers, 60, () => thread.say({ kind: 'pong' }))
  expect(deaths).toEqual([])
  seconds(timers, 10)
  expect(deaths).toEqual([])
  seconds(timers, 60)
  expect(deaths).toEqual(['the sound thread hangs'])
})

it('one that still loads, that answers late or that was stopped does not hang', async () => {
  const loading = linked()
  seconds(loading.timers, 60)
  const late = linked()
  for (let n = 0; n < 20; n += 1) {
    late.thread.say({ kind: 'pong' })
    seconds(late.timers, 9)
  }
  // The daemon itself stood still for a minute: that is one question.
  late.thread.say({ kind: 'pong' })
  late.timers.stall(60_000)
  const stopped = linked()
  stopped.thread.say({ kind: 'pong' })
  const stopping = stopped.link.stop()
  stopped.thread.say({ kind: 'stopped' })
  await stopping
  seconds(stopped.timers, 60)
  expect([loading.deaths, late.deaths, stopped.deaths]).toEqual([[], [], []])
})

const settled = async (): Promise<void> => {
  for (let n = 0; n < 5; n += 1) await Promise.resolve()
}

/** Stops one that cannot be ended; so much time passes then. */
const stopped = async (thread: Thread, link: SoundLink, timers: VirtualTimers, ms: number) => {
  thread.terminate = () => new Promise(() => undefined)
  let isOver = false
  void link.stop().then(() => (isOver = true))
  thread.say({ kind: 'stopped' })
  await settled()
  timers.pass(ms)
  return settled().then(() => ({ isOver, isStuck: link.isStuck }))
}

it('the end of one that hung waits for nothing that the system keeps, and says so', async () => {
  const { thread, link, timers } = linked()
  thread.say(figures(960))   // and hangs before it was asked anything
  seconds(timers, 11)
  expect(await stopped(thread, link, timers, 500)).toEqual({ isOver: true, isStuck: true })
})

it('any other end takes as long as it takes: an exit would wait for the thread, too', async () => {
  const { thread, link, timers } = linked()
  thread.say({ kind: 'pong' })
  expect(await stopped(thread, link, timers, 60_000)).toEqual({ isOver: false, isStuck: false })
})

it('a file that was replaced is told on, so that it is looked into again', () => {
  const { thread, replaced } = linked()
  thread.say({ kind: 'file_replaced', path: '/media/bed.wav' })
  expect(replaced).toEqual(['/media/bed.wav'])
})

it('how files were at the first look at them is told on, to be compared with what is known', () => {
  const { thread, replaced } = linked()
  const files = [['/media/bed.wav', 'stamp'], ['/media/gone.wav', null]] as const
  thread.say({ kind: 'files_seen', files })
  expect(replaced).toEqual(['/media/bed.wav,stamp', '/media/gone.wav,'])
})

const news = (change: Partial<Extract<FromSound, { kind: 'news' }>>): FromSound =>
  ({ kind: 'news', frame: 0, changes: [], events: [], replies: [], inputs: [], ...change })

it('a command has the answer that names it; a thread that gives none has failed', async () => {
  const { thread, link, timers } = linked()
  const panic = { kind: 'panic', fadeOutMs: null } as const
  const answers = [1, 2, 3].map(() => link.player.execute(panic).then(
    (reply) => reply.ok ? reply.status : 'refused', (error: unknown) => String(error)))
  const ids = thread.told.map((each) => each.kind === 'command' ? each.id : 0)
  expect(new Set(ids).size).toBe(3)
  const reply = (id: number | undefined, status: 200 | 202) =>
    ({ id: id ?? 0, reply: { ok: true, status, body: {} } as never })
  thread.say(news({ replies: [reply(ids[2], 202), reply(ids[0], 200)] }))
  timers.pass(LIMITS.commandLinkMs)
  expect(await Promise.all(answers)).toEqual([200, 'Error: the sound thread does not answer', 202])
  // One that comes all the same is nobody's.
  thread.say(news({ replies: [reply(ids[1], 200)] }))
})

it('time does not go by a change that was not heard of yet, e.g. a pause', () => {
  const { thread, link, writer } = linked()
  const read: number[] = []
  const look = (): number => read.push(link.player.now)
  writer.write(480, 0)
  look()
  // Paused at 518, and told so; the sound has gone on to 960 and to 1440 before it is heard.
  writer.write(960, 1)
  look()
  writer.write(1_440, 2)
  thread.say(news({ frame: 518 }))
  look()
  thread.say(news({ frame: 1_200 }))
  look()
  writer.write(1_920, 2)
  look()
  expect(read).toEqual([480, 480, 518, 1_440, 1_920])
})

it('a changed show is read from the moment at which the engine took it', () => {
  const { thread, link } = linked()
  const next = { title: 'another', playlists: [] } as unknown as Catalogue
  const change = (what: 'busy' | 'replaced' | 'kept'): FromSound => news({ events: [
    { kind: 'catalogue', at: 0, change: what, message: null } as never,
  ] })
  link.player.replaceCatalogue(next)
  expect(thread.told.at(-1)).toEqual({
    kind: 'show_part', part: { show: 1, playlist: null, buttons: [], title: 'another' },
  })
  for (const what of ['busy', 'kept'] as const) {
    thread.say(change(what))
    expect(link.player.catalogue.title).toBe('a show')
  }
  const seen: string[] = []
  link.player.subscribe(() => seen.push(link.player.catalogue.title))
  thread.say(change('replaced'))
  expect(seen).toEqual(['another'])
})

const playlist = (id: string, count: number) => ({
  id, buttons: Array.from({ length: count }, (_, n) => ({ id: `${id}${n}` })),
}) as unknown as Playlist
const LONG = new Catalogue({ title: 'long', playlists: [playlist('a', 250)] })
const replaced = news({ events: [
  { kind: 'catalogue', at: 0, change: 'replaced', message: null } as never,
] })
const parts = (told: readonly ToSound[]): readonly (number | string)[] => told.map((each) =>
  each.kind === 'show_part' ? each.part.title ?? each.part.buttons.length : each.kind)

it('a large show goes over part by part, commands between them and facts behind them', () => {
  const { thread, link } = linked()
  link.player.replaceCatalogue(LONG)
  link.player.tell({ kind: 'probed', path: '/bed.wav', duration: 1 as never })
  void link.player.execute({ kind: 'panic', fadeOutMs: null })
  expect(parts(thread.told)).toEqual([100, 'command'])
  for (let n = 0; n < 5; n += 1) thread.say({ kind: 'show_part_taken', show: 1 })
  expect(parts(thread.told)).toEqual([100, 'command', 100, 50, 'long', 'facts'])
  thread.say(replaced)
  expect(link.player.catalogue).toBe(LONG)
})

it('a show that is changed again on its way gives way to the newer one', () => {
  const { thread, link } = linked()
  link.player.replaceCatalogue(LONG)
  const next = new Catalogue({ title: 'next', playlists: [] })
  link.player.replaceCatalogue(next)
  thread.say({ kind: 'show_part_taken', show: 1 })
  thread.say({ kind: 'show_part_taken', show: 2 })
  expect(parts(thread.told)).toEqual([100, 'next'])
  thread.say(replaced)
  expect(link.player.catalogue).toBe(next)
})

it('of two shows each is read from the moment at which the engine took it', () => {
  const { thread, link } = linked()
  for (const title of ['first', 'second']) {
    link.player.replaceCatalogue(new Catalogue({ title, playlists: [] }))
  }
  const titles = [1, 2].map(() => {
    thread.say(replaced)
    return link.player.catalogue.title
  })
  expect(titles).toEqual(['first', 'second'])
})

it('the end of the service waits for no show', () => {
  const { thread, link } = linked()
  link.player.replaceCatalogue(LONG)
  link.player.tell({ kind: 'shutdown' })
  thread.say({ kind: 'show_part_taken', show: 1 })
  expect(parts(thread.told)).toEqual([100, 'facts'])
})

it('a recording has the show itself, which the thread names by its number', () => {
  const { thread, link, recorded } = linked()
  link.player.replaceCatalogue(LONG)
  for (let n = 0; n < 3; n += 1) thread.say({ kind: 'show_part_taken', show: 1 })
  thread.say(news({ inputs: [
    { at: 5, fact: { kind: 'catalogue', show: 1 } }, { at: 6, fact: { kind: 'shutdown' } },
  ] }))
  expect(recorded).toEqual([
    { at: 5, fact: { kind: 'catalogue', show: { title: 'long', playlists: LONG.playlists } } },
    { at: 6, fact: { kind: 'shutdown' } },
  ])
})

it('figures, levels and news reach those who asked, and nobody who left', () => {
  const { thread, link } = linked()
  const heard: string[] = []
  const leave = [
    link.player.subscribe(({ kind }) => heard.push(kind)),
    link.player.follow(({ events }) => heard.push(`follows ${events.length}`)),
  ]
  link.player.meter(() => heard.push('levels'))
  const levels = { kind: 'levels', levels: {} as never } as const
  const told = news({ events: [{ kind: 'image', at: 0 } as never] })
  for (const message of [figures(1), levels, told]) thread.say(message)
  expect(heard.splice(0)).toEqual(['follows 0', 'levels', 'image', 'follows 1'])
  link.player.meter(null)
  for (const end of leave) end()
  for (const message of [figures(2), levels, told]) thread.say(message)
  expect(heard).toEqual([])
  expect(thread.told).toEqual([{ kind: 'meter', wanted: true }, { kind: 'meter', wanted: false }])
})

it('a thread that does not stop is ended; one that was stopped is waited for', async () => {
  const { thread, link, timers } = linked()
  let isOver = false
  void link.stop().then(() => (isOver = true))
  timers.pass(1_199)
  await settled()
  expect([thread.terminations, isOver]).toEqual([0, false])
  timers.pass(1)
  await settled()
  expect([thread.terminations, isOver]).toEqual([1, true])
})

it('one that ended before anybody held it is told, and its end is not waited for', async () => {
  const { link, deaths } = linked(new Error('out of memory'))
  await new Promise((turn) => setImmediate(turn))
  expect(deaths).toEqual(['out of memory'])
  await link.stop()
})

it('what an operator should read of the output is told once it is there', async () => {
  const { thread, link } = linked()
  thread.say({ kind: 'ready', note: 'no sound device' })
  expect(await link.ready).toBe('no sound device')
  link.begin()
  expect(thread.told).toMatchObject([{ kind: 'setup', setup: { sink: 'null', seed: 1 } }])
})

it('the figures of the output are told alike wherever they are read', () => {
  const { thread, link } = linked()
  expect(link.player.status().audio)
    .toMatchObject({ sink: 'none', latencyMs: 0, underruns: 0, armedHeads: 0 })
  const told = { sink: 'speaker', latencyFrames: 1_176, underruns: 3, armedHeads: 40 }
  thread.say({ kind: 'figures', figures: told })
  expect(link.player.status().audio)
    .toMatchObject({ sink: 'speaker', latencyMs: 24.5, underruns: 3, armedHeads: 40 })
  expect(link.player.parts().output)
    .toMatchObject({ sink: 'speaker', latency: 1_176, underruns: 3, armedHeads: 40 })
  expect(link.player.present().latency).toBe(1_176)
})
