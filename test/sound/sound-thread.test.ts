// The sound thread from its port on: what it arms, what it tells and when, how it ends.
import { EventEmitter } from 'node:events'
import { beforeEach, expect, it, vi } from 'vitest'
import { createTimeMemory, SharedEngineTime } from '../../src/clock/shared-time.js'
import { VirtualTimers } from '../../src/clock/virtual.js'
import type { Show } from '../../src/engine/catalogue.js'
import { NO_OPTIONS } from '../../src/engine/commands/commands.js'
import type { Fact, MediaStream, OpenRequest } from '../../src/engine/ports.js'
import { MASTER_LOOK_AHEAD } from '../../src/engine/sound/master.js'
import { builtShow } from '../../src/io/show/show-file.js'
import { parseShape } from '../../src/io/show/show-shape.js'
import type { Inquiring } from '../../src/io/media/decoder/decoder-messages.js'
import type { ArmedButton } from '../../src/io/media/preroll-entry.js'
import type { FromSound, SoundSetup, ToSound } from '../../src/sound/sound-messages.js'
import type { SoundProcessListener } from '../../src/io/speaker/speaker-wire.js'
import { ShowSender } from '../../src/sound/show-transfer.js'

/** The thread's world: its port, its time, its media; and what came of them. */
class World extends EventEmitter {
  readonly timers = new VirtualTimers(0)
  readonly told: FromSound[] = []
  readonly wanted: (readonly ArmedButton[])[] = []
  readonly images: (readonly string[])[] = []
  armedHeads = 0
  readonly waves: string[] = []
  isPortClosed = false
  /** Whether its warm-up is to go on; null: it has none. */
  isWarmUpWanted: (() => boolean) | null = null
  isMediaClosed = false
  /** What the sound process says to whoever started it. */
  device: SoundProcessListener | null = null
  post: (fact: Fact) => void = () => undefined
  replaced: (path: string) => void = () => undefined
  firstSeen: (path: string, stamp: string | null) => void = () => undefined
  armed: (key: string, isArmed: boolean) => void = () => undefined

  postMessage(message: FromSound): void {
    this.told.push(structuredClone(message))
  }

  close(): void {
    this.isPortClosed = true
  }

  say(message: ToSound): void {
    this.emit('message', structuredClone(message))
  }

  /** What of a kind was told since it was asked for last. */
  take<K extends FromSound['kind']>(kind: K): Extract<FromSound, { kind: K }>[] {
    const found = this.told.filter((each) => each.kind === kind)
    this.told.splice(0, this.told.length, ...this.told.filter((each) => each.kind !== kind))
    return found as Extract<FromSound, { kind: K }>[]
  }
}

type Told = Pick<World, 'post' | 'replaced' | 'firstSeen' | 'armed'>
let world: World
vi.mock('node:worker_threads', () => ({ get parentPort() { return world } }))
vi.mock('../../src/sound/warm-up.js', () => ({
  warmUpInTurns: (isWanted: () => boolean) => {
    world.isWarmUpWanted = isWanted
  },
}))
vi.mock('../../src/clock/real.js', () => ({ realTimers: () => world.timers }))
vi.mock('../../src/io/speaker/speaker-child.js', () => ({
  startSpeakerProcess: (_wanted: unknown, listener: SoundProcessListener) => {
    world.device = listener
    return { pid: () => 1, send: () => undefined, end: () => undefined, kill: () => undefined }
  },
}))
vi.mock('../../src/io/media/media-port.js', () => ({
  MEDIA_DEFAULTS: {},
  FfmpegMedia: class {
    constructor({ post, replaced, firstSeen, armed }: Told) {
      Object.assign(world, { post, replaced, firstSeen, armed })
    }

    get armedHeads(): number {
      return world.armedHeads
    }

    setArmed(list: Iterable<ArmedButton>): void {
      world.wanted.push([...list])
    }

    setImages(paths: Iterable<string>): void {
      world.images.push([...paths])
    }

    check(ticket: number): void {
      world.post({ kind: 'checked', ticket, found: true })
    }

    open({ stream, from, to }: OpenRequest): MediaStream {
      world.post({ kind: 'supplied', stream, until: to ?? from })
      return {
        read: (_at, { left, right }, offset, count) => {
          for (const side of [left, right]) side.fill(0.5, offset, offset + count)
        },
        passed: () => undefined, keepAhead: () => undefined, close: () => undefined,
      }
    }

    readonly files: Inquiring = {
      look: async (path) => ({ kind: 'missing', message: path }),
      probe: async (path) => ({ ok: false, message: path }),
      waves: {
        ask: async () => ({ kind: 'away' }),
        hold: (holds) => world.waves.push(`hold ${holds}`), rest: () => world.waves.push('rest'),
      },
    }

    closeAll(): Promise<void> {
      world.isMediaClosed = true
      return Promise.resolve()
    }
  },
}))

const idOf = (n: number): string => `00000000-0000-4000-8000-${`${n}`.padStart(12, '0')}`
const showOf = (...buttons: readonly object[]): Show => {
  const playlists = [{ id: idOf(100), title: 'P', buttons: buttons.map((button, n) =>
    ({ id: idOf(n + 1), title: `${n + 1}`, ...button })) }]
  const { shape, faults } = parseShape({ title: 'T', playlists })
  if (shape === null) throw new Error(JSON.stringify(faults))
  return builtShow(shape, '/show', new Map()).show
}

const BED = { kind: 'audio', media: 'bed.wav', startMs: 100, endMs: 1_100 }
const SHOW = showOf(
  BED, { kind: 'image', media: 'logo.png' }, { kind: 'video', media: 'film.mp4' },
  { kind: 'dmx', dmx: { timeline: 'lights.json' } }, { kind: 'navigation', target: idOf(100) },
)
const OPENING = { sink: 'null', device: null, bufferMs: null } as const
const time = createTimeMemory()
const SETUP: SoundSetup = {
  ...OPENING, show: SHOW, dmxAllowed: true, time, seed: 1, record: false,
}

beforeEach(async () => {
  world = new World()
  vi.resetModules()
  await import('../../src/sound/sound-thread.js')
})

const change = (show: Show): void => {
  const sender = new ShowSender((part) => world.say({ kind: 'show_part', part }))
  sender.begin(show)
  for (let n = 0; n < 10 && sender.isSending; n += 1) sender.taken(1)
}

/** Opened and set up; a moment later the output is there. */
const begin = (changes: Partial<SoundSetup> = {}): void => {
  world.say({ kind: 'open', opening: OPENING })
  world.say({ kind: 'setup', setup: { ...SETUP, ...changes } })
  world.timers.pass(1)
}

const play = (id: number, button: number): ToSound => ({
  kind: 'command', id,
  command: { kind: 'play', buttonId: idOf(button), options: NO_OPTIONS },
})

it('what the daemon asks about files it asks on, each answer for its question', async () => {
  begin()
  const wave = { path: '/c', makes: true, ranges: [], picturesEnd: 0 }
  world.say({ kind: 'file_question', id: 1, question: { asks: 'look', path: '/a' } })
  world.say({ kind: 'file_question', id: 2, question: { asks: 'probe', path: '/b' } })
  world.say({ kind: 'file_question', id: 3, question: { asks: 'wave', wave } })
  for (const are of ['held', 'free', 'made'] as const) world.say({ kind: 'waves', are })
  await Promise.resolve()
  const told = world.take('file_answer').map(({ id, answer }) => [id, answer])
  const missing = { kind: 'missing', message: '/a' }
  expect(told).toEqual([[1, missing], [2, { ok: false, message: '/b' }], [3, { kind: 'away' }]])
  expect(world.waves).toEqual(['hold true', 'hold false', 'rest'])
})

it('once its output is there it says so, and arms what can sound, in the show’s order', () => {
  world.say({ kind: 'open', opening: OPENING })
  world.say({ kind: 'setup', setup: SETUP })
  expect([world.wanted, world.images, world.told]).toEqual([[], [], []])
  world.timers.pass(1)
  expect(world.take('ready')).toEqual([{ kind: 'ready', note: null }])
  const armed = [
    { buttonId: idOf(1), path: '/show/bed.wav', from: 4_800, to: 52_800 },
    { buttonId: idOf(3), path: '/show/film.mp4', from: 0, to: null },
  ]
  expect(world.wanted).toEqual([armed])
  expect(world.images).toEqual([['/show/logo.png']])
  const show = showOf({ ...BED, endMs: null }, { kind: 'image', media: 'scores.png' })
  world.say({ kind: 'facts', facts: [{ kind: 'catalogue_busy' }] })
  change(show)
  expect(world.wanted[1]).toEqual([
    { buttonId: idOf(1), path: '/show/bed.wav', from: 4_800, to: null },
  ])
  expect(world.images[1]).toEqual(['/show/scores.png'])
})

it.each<[SoundSetup['sink'], boolean]>([
  ['speaker', true], [null, true], ['null', false], ['wav:out.wav', false],
])('warms up where somebody would hear a gap: with the sink %s %s', (sink, warms) => {
  begin({ sink })
  expect(world.isWarmUpWanted?.() ?? false).toBe(warms)
})

it('leaves off warming up for a press, and not for what it is told', () => {
  begin({ sink: 'speaker' })
  world.say({ kind: 'ping' })
  world.say({ kind: 'facts', facts: [] })
  expect(world.isWarmUpWanted?.()).toBe(true)
  world.say(play(1, 1))
  expect(world.isWarmUpWanted?.()).toBe(false)
})

it('a show that comes before its output is there is armed with that', () => {
  world.say({ kind: 'open', opening: OPENING })
  world.say({ kind: 'setup', setup: SETUP })
  change(showOf(BED))
  expect(world.wanted).toEqual([])
  world.timers.pass(1)
  expect(world.wanted.map((list) => list.length)).toEqual([1])
})

it('tells figures where they changed: of its own delay, of the output, of what is armed', () => {
  begin()
  const figures = (armedHeads: number) => ({
    kind: 'figures',
    figures: { sink: 'null', latencyFrames: MASTER_LOOK_AHEAD, underruns: 0, armedHeads },
  })
  expect(world.take('figures')).toEqual([figures(0)])
  world.timers.pass(5_000)
  expect(world.take('figures')).toEqual([])
  world.armedHeads = 40
  world.timers.pass(250)
  expect(world.take('figures')).toEqual([figures(40)])
})

it('tells which buttons are armed, also where as many are as before', () => {
  begin()
  world.armedHeads = 1
  world.armed('0::bed.wav', true)
  world.timers.pass(250)
  world.armed('0::bed.wav', false)
  world.armed('0::sting.wav', true)
  world.timers.pass(250)
  expect(world.take('armed').map(({ changes }) => changes)).toEqual([
    [['0::bed.wav', true]], [['0::bed.wav', false], ['0::sting.wav', true]],
  ])
  world.timers.pass(5_000)
  expect(world.take('armed')).toEqual([])
})

it('answers a command with what it did, at once, also one that came before the show', async () => {
  world.say(play(7, 2))
  expect(world.told).toEqual([])
  begin()
  await Promise.resolve()
  const early = world.take('news').flatMap(({ replies }) => replies)
  expect(early).toMatchObject([{ id: 7, reply: { ok: true, status: 202 } }])
  world.say(play(8, 99))
  const [news] = world.take('news')
  expect(news?.replies).toMatchObject([
    { id: 8, reply: { ok: false, refusal: { code: 'button_not_found' } } },
  ])
  world.say({ kind: 'command', id: 9, command: { kind: 'panic', fadeOutMs: null } })
  const [after] = world.take('news')
  expect(after?.replies).toMatchObject([{ id: 9, reply: { ok: true, status: 200 } }])
  expect(after?.events).toMatchObject([{ kind: 'image', buttonId: idOf(2), shown: false }])
  expect(after?.changes.length).toBeGreaterThan(0)
})

it.each([true, false])('what goes into the engine is told where it is recorded: %s', (record) => {
  begin({ record })
  change(showOf(BED))
  world.say({ kind: 'command', id: 1, command: { kind: 'panic', fadeOutMs: 0 } })
  world.timers.pass(10)
  const inputs = world.take('news').flatMap((news) => news.inputs)
  const told = inputs.map((each) =>
    'fact' in each ? each.fact.kind : 'command' in each ? each.command.kind : 'other')
  expect(told).toEqual(record ? ['output_back', 'catalogue', 'panic'] : [])
  const shows = inputs.flatMap((each) =>
    'fact' in each && each.fact.kind === 'catalogue' ? [each.fact.show] : [])
  expect(shows).toEqual(record ? [1] : [])
})

it('what the output has to say is told at once, also while it takes no sound', () => {
  world.say({ kind: 'open', opening: { ...OPENING, sink: 'speaker' } })
  world.say({ kind: 'setup', setup: SETUP })
  const hear = (line: object): void => world.device?.heard(`${JSON.stringify(line)}\n`)
  hear({ kind: 'opened', mode: 'live', takesBack: false, target: 480 })
  world.say(play(1, 1))
  world.take('news')
  for (let n = 0; n < 6; n += 1) {
    world.timers.pass(250)
    hear({ taken: 960, fill: 960, kept: 0, delay: 0, target: 480, underruns: 0, late: 0 })
  }
  expect(world.take('news').flatMap(({ events }) => events)).toMatchObject([
    { kind: 'notice', message: 'the device takes no sound; what sounds is held for 5 s' },
  ])
})

it('moves the time that others read, and tells levels while these are wanted', () => {
  begin()
  world.timers.pass(1_000)
  const { frame, news } = new SharedEngineTime(time).written()
  expect(frame).toBeGreaterThan(47_000)
  expect(news).toBe(world.take('news').length)
  world.say({ kind: 'command', id: 1, command: { kind: 'panic', fadeOutMs: null } })
  world.timers.pass(20)
  const more = world.take('news').length
  expect([new SharedEngineTime(time).written().news, more > 0]).toEqual([news + more, true])
  expect(world.take('levels')).toEqual([])
  world.say({ kind: 'meter', wanted: true })
  world.timers.pass(1_000)
  expect(Math.abs(world.take('levels').length - 25)).toBeLessThanOrEqual(1)
  world.say({ kind: 'meter', wanted: false })
  world.timers.pass(1_000)
  expect(world.take('levels')).toEqual([])
})

it('a file in whose place another one stands is told', () => {
  begin()
  world.replaced('/show/bed.wav')
  expect(world.take('file_replaced')).toEqual([{ kind: 'file_replaced', path: '/show/bed.wav' }])
})

it('how files are at the first look is told four times a second, all of them at once', () => {
  begin()
  world.firstSeen('/show/bed.wav', 'stamp')
  world.firstSeen('/show/gone.wav', null)
  world.timers.pass(500)
  const files = [['/show/bed.wav', 'stamp'], ['/show/gone.wav', null]]
  expect(world.take('files_seen')).toEqual([{ kind: 'files_seen', files }])
})

it.each([
  ['set up', () => begin()],
  ['opened only', () => world.say({ kind: 'open', opening: OPENING })],
  ['not even opened', () => undefined],
])('ends when it is told to: %s', async (what, act) => {
  act()
  world.say({ kind: 'stop' })
  await new Promise((turn) => setImmediate(turn))
  expect(world.told.at(-1)).toEqual({ kind: 'stopped' })
  expect([world.isPortClosed, world.isMediaClosed]).toEqual([true, what === 'set up'])
  world.told.length = 0
  world.timers.pass(5_000)
  expect(world.told).toEqual([])
})
