// Whether the sound process lives, as its owner judges it: by what it says, not by its own sleep.
import { beforeEach, describe, expect, it } from 'vitest'
import { VirtualTimers } from '../../../src/clock/virtual.js'
import { TARGET_LIMITS } from '../../../src/io/speaker/speaker-target.js'
import { SpeakerLink } from '../../../src/io/speaker/speaker-link.js'
import {
  HEARTBEAT_MS, type SoundProcessListener,
} from '../../../src/io/speaker/speaker-wire.js'

let timers: VirtualTimers
let link: SpeakerLink
let process: SoundProcessListener
let kills: number
let starts: number
let told: string[]
let noticed: string[]
beforeEach(() => {
  timers = new VirtualTimers(0)
  kills = 0
  starts = 0
  told = []
  noticed = []
  const wanted = {
    device: null, bufferFrames: 960, periodFrames: 64, urgentThreads: [], target: TARGET_LIMITS,
    learned: null,
  }
  const listener = {
    opened: () => told.push('opened'), report: () => undefined,
    notice: (message: string) => {
      told.push('notice')
      noticed.push(message)
    },
    lost: (message: string) => told.push(message),
    killed: (message: string) => told.push(message),
  }
  const asked = (isDoubted: boolean) => ({ ...wanted, isDoubted })
  link = new SpeakerLink(asked, listener, timers, ({ isDoubted }, heard) => {
    if (isDoubted) told.push('doubted')
    process = heard
    starts += 1
    return {
      pid: () => 1, send: () => undefined, end: () => undefined,
      kill: () => {
        kills += 1
        process.ended('SIGKILL')
      },
    }
  })
  link.start()
  process.heard('{"kind":"opened","mode":"live"}\n')
})

/** Reports for so long, of a device that took all but `fill` frames. */
const lives = (ms: number, fill = 0): void => {
  for (let gone = 0; gone < ms; gone += HEARTBEAT_MS) {
    timers.pass(HEARTBEAT_MS)
    const report = { taken: 960, fill, kept: 0, delay: 0, target: 480, underruns: 0, late: 0 }
    process.heard(`${JSON.stringify(report)}\n`)
  }
}

describe('a sound process', () => {
  it('that reports is left alone', () => {
    lives(10_000)
    expect([kills, told]).toEqual([0, ['opened']])
  })

  it('that says nothing for five seconds is killed, and another one started', () => {
    lives(1_000)
    timers.pass(4_500)
    expect([kills, told]).toEqual([0, ['opened', 'notice']])
    timers.pass(1_500)
    expect(told.slice(2, 3)).toEqual(['the sound process hangs'])
    expect([kills, starts]).toEqual([1, 2])
  })

  it('whose device takes nothing for five seconds is replaced, and the next one doubted', () => {
    for (const pause of [4_000, 4_500]) {
      told.length = 0
      lives(pause, 480)
      expect([kills, told]).toEqual([0, ['notice']])
      lives(1_000)
    }
    told.length = 0
    lives(5_500, 480)
    expect(told.splice(0).slice(0, 2)).toEqual(['notice', 'the device stopped taking sound'])
    timers.pass(1_500)
    expect([kills, starts, told]).toEqual([1, 2, ['doubted']])
  })

  it('that speaks without ever ending a line is killed, and another one started', () => {
    process.heard('x'.repeat(65_536))
    expect([kills, told]).toEqual([0, ['opened']])
    process.heard('x')
    expect([kills, told.at(-1)]).toEqual([1, 'the sound process speaks out of turn'])
    timers.pass(200)
    process.heard('{"kind":"opened","mode":"live"}\n')
    expect([kills, starts, told.at(-1)]).toEqual([1, 2, 'opened'])
  })

  it('that is slow to load is waited for; one that is up and does not open in 3 s is not', () => {
    process.ended('SIGKILL')
    timers.pass(200)
    expect(starts).toBe(2)
    timers.pass(15_000)
    expect([kills, starts]).toEqual([0, 2])
    process.heard('{"kind":"started"}\n')
    timers.pass(2_500)
    expect(kills).toBe(0)
    timers.pass(1_500)
    expect([kills, starts, told.at(-1)]).toEqual([1, 3, 'the device hangs while it opens'])
    timers.pass(25_000)
    expect([kills, told.at(-1)]).toEqual([2, 'the sound process does not start'])
  })

  it('is not blamed where its owner stood still, e.g. while the machine slept', () => {
    for (const ms of [1_200, 5_000, 3_600_000]) {
      lives(1_000)
      timers.stall(ms)
      expect([ms, kills, told]).toEqual([ms, 0, ['opened']])
    }
    lives(2_000)
    expect([kills, starts]).toEqual([0, 1])
  })
})

describe('the next sound process', () => {
  const report = (taken: number): string =>
    `${JSON.stringify({ taken, fill: 0, kept: 0, delay: 0, target: 480, underruns: 0, late: 0 })}\n`
  const opened = '{"kind":"opened","mode":"live"}\n'

  it('is heard from its first word on, wherever the one before it was cut off', () => {
    process.heard(report(48).slice(0, 20))
    process.ended('SIGKILL')
    timers.pass(200)
    process.heard(`{"kind":"started"}\n${opened}`)
    expect([starts, told.at(-1)]).toEqual([2, 'opened'])
  })

  it('has a reason of its own', () => {
    process.complained('ALSA lib pcm.c: no such device\n')
    process.ended('code 1')
    expect(told.splice(0)).toEqual(['opened', 'ALSA lib pcm.c: no such device'])
    timers.pass(200)
    process.ended('SIGKILL')
    expect(told).toEqual(['the sound process ended (SIGKILL)'])
  })

  it.each([
    ['complained', (): void => {
      process.complained("Error: Cannot find module 'speaker-process.js'\n\nNode.js v20.20.2\n")
    }, "Error: Cannot find module 'speaker-process.js'"],
    ['told', (): void => {
      process.heard('{"kind":"ended","message":"the sound addon does not load"}\n')
    }, 'the sound addon does not load'],
  ])('that does not load, e.g. after an upgrade, and %s why, is told once more', (_, says, why) => {
    process.ended('SIGKILL')
    for (let tries = 0; tries < 3; tries += 1) {
      timers.pass(1_000)
      says()
      process.ended('code 1')
    }
    expect(noticed).toEqual([`the sound process does not load: ${why}`])
    timers.pass(1_000)
    process.heard(opened)
    process.ended('SIGKILL')
    timers.pass(1_000)
    says()
    process.ended('code 1')
    expect(noticed).toHaveLength(2)
  })

  it('that opened after all, and is killed later, ends by that and not by what it met', () => {
    process.ended('SIGKILL')
    timers.pass(200)
    process.heard('{"kind":"closed","message":"Connection refused"}\n')
    process.complained('ALSA lib pulse.c: Unable to connect: Connection refused\n')
    expect(told.at(-1)).toBe('Connection refused')
    process.heard(opened)
    lives(10_000)
    process.ended('SIGKILL')
    expect(told.at(-1)).toBe('the sound process ended (SIGKILL)')
  })

  it.each([
    ['TypeError: device.take is not a function\n    at look (speaker-process.js:90:5)\n',
      'TypeError: device.take is not a function'],
    ["Error: gone\n    at look (speaker-process.js:90:5) {\n  code: 'EIO'\n}\n", 'Error: gone'],
    ['a text that was thrown\n', 'the sound process ended (code 1)'],
  ])('that crashed is told by its error, not by the version of Node: %j', (printed, reason) => {
    process.complained(`speaker-process.js:90\n    throw\n    ^\n\n${printed}\nNode.js v20.20.2\n`)
    process.ended('code 1')
    expect(told.at(-1)).toBe(reason)
  })

  it('is doubted until one took sound, and no longer', () => {
    lives(5_500, 480)
    timers.pass(1_500)
    expect(told.splice(0).at(-1)).toBe('doubted')
    process.ended('SIGKILL')
    timers.pass(1_500)
    expect(told.splice(0).at(-1)).toBe('doubted')
    process.heard(opened)
    process.ended('SIGKILL')
    timers.pass(1_500)
    expect([starts, told]).toEqual([4, ['opened', 'the sound process ended (SIGKILL)']])
  })

  it('comes sooner after one that lived than after several that did not', () => {
    const pauses: number[] = []
    const dies = (): void => {
      process.ended('code 1')
      const before = starts
      let ms = 0
      for (; starts === before && ms < 5_000; ms += 100) timers.pass(100)
      pauses.push(ms)
    }
    for (let n = 0; n < 6; n += 1) dies()
    process.heard(opened)
    lives(6_000)
    dies()
    expect(pauses).toEqual([100, 200, 400, 800, 1_000, 1_000, 100])
  })
})
