// The output that is heard, over sound processes that speak when they are told to.
import { resolve } from 'node:path'
import { expect, it } from 'vitest'
import { VirtualTimers } from '../../../src/clock/virtual.js'
import { SPEAKER_OPTIONS, SpeakerOutput } from '../../../src/io/speaker/speaker-output.js'
import type { Report, SoundProcessListener } from '../../../src/io/speaker/speaker-wire.js'
import { CountingRenderer, Journal } from '../../devices/output-sound.js'

const SCRIPT = resolve(import.meta.dirname, '../../../scripts/patch-speaker.mjs')

const SILENT: Report = {
  taken: 0, fill: 0, kept: 0, delay: 0, target: 720, underruns: 0, late: 0,
}

const started = () => {
  const [timers, journal] = [new VirtualTimers(0), new Journal()]
  const processes: SoundProcessListener[] = []
  const output = new SpeakerOutput(
    new CountingRenderer(), SPEAKER_OPTIONS, timers, (_wanted, listener) => {
      processes.push(listener)
      return {
        pid: () => 1, send: () => undefined, end: () => undefined, kill: () => undefined,
      }
    })
  output.start(journal)
  const hear = (line: object): void => processes.at(-1)!.heard(`${JSON.stringify(line)}\n`)
  const open = (): void =>
    hear({ kind: 'opened', mode: 'live', takesBack: false, target: 720 })
  const report = (change: Partial<Report>): void => hear({ ...SILENT, ...change })
  const die = (): void => {
    processes.at(-1)!.ended('SIGKILL')
    timers.pass(1_000)
  }
  return { timers, output, journal, hear, open, report, die }
}

it('counts the gaps of all the processes that it has had', () => {
  const { output, journal, open, report, die } = started()
  open()
  report({ underruns: 2 })
  expect(output.stats().underruns).toBe(2)
  die()
  expect(output.stats().underruns).toBe(2)
  open()
  expect(output.stats().underruns).toBe(2)
  report({ underruns: 1 })
  die()
  open()
  report({ underruns: 4 })
  expect(output.stats().underruns).toBe(7)
  expect(journal.kinds()).toEqual(['back', 'lost', 'back', 'lost', 'back'])
})

it('tells what came too late for the device, of each process for itself', () => {
  const { journal, open, report, die } = started()
  open()
  report({ late: 48 })
  report({ late: 48 })
  die()
  open()
  report({ late: 24 })
  expect(journal.notices.map((notice) => notice.split(' ms')[0])).toEqual(['1.0', '0.5'])
})

it('tells once that this user may not have real-time scheduling, and plays', () => {
  const { journal, hear, open, die } = started()
  for (let n = 0; n < 2; n += 1) {
    hear({ kind: 'started' })
    hear({ kind: 'not_realtime' })
    open()
    if (n === 0) die()
  }
  expect(journal.notices).toEqual([expect.stringContaining('real-time scheduling')])
  expect(journal.kinds().filter((kind) => kind !== 'notice')).toEqual(['back', 'lost', 'back'])
})

it('tells once that the addon is of another version, and plays', () => {
  const { journal, hear, open, die } = started()
  for (let n = 0; n < 2; n += 1) {
    hear({ kind: 'other_patch' })
    open()
    if (n === 0) die()
  }
  expect(journal.notices).toEqual([expect.stringMatching(/another version .*patch-speaker/)])
})

it('a device of which nothing is heard is told as away within five seconds, once', () => {
  const { timers, output, journal, open } = started()
  timers.pass(4_400)
  expect(journal.events).toEqual([])
  timers.pass(600)
  expect(journal.told()).toEqual(['lost the device takes too long to open'])
  timers.pass(10_000)
  expect([journal.events.length, output.stats().state]).toEqual([1, 'lost'])
  open()
  expect(journal.kinds()).toEqual(['lost', 'back'])
})

it('a device that will not open is absent, also where it took long to say so', () => {
  const refused = { kind: 'closed', message: 'Connection refused' }
  const quick = started()
  quick.hear(refused)
  expect(quick.journal.told()).toEqual(['absent Connection refused'])

  const slow = started()
  slow.timers.pass(6_000)
  slow.hear({ kind: 'started' })
  slow.hear(refused)
  slow.die()
  slow.hear(refused)
  expect(slow.journal.told()).toEqual([
    'lost the device takes too long to open', 'absent Connection refused',
  ])
  slow.die()
  slow.open()
  slow.hear(refused)
  expect(slow.journal.told().slice(2)).toEqual(['back', 'lost Connection refused'])
})

// A sound server that hangs while it starts is there, and so may its device be.
it('a device that hangs while it opens is not absent', () => {
  const { timers, journal, hear, open, die } = started()
  hear({ kind: 'started' })
  timers.pass(3_500)
  die()
  expect(journal.told()).toEqual(['lost the device hangs while it opens'])
  open()
  expect(journal.kinds()).toEqual(['lost', 'back'])
})

it('an addon that is not ours is named as such, and said to be late', () => {
  const { output, journal, hear, open, die } = started()
  expect(output.stats().sinkName).toBe('speaker')
  hear({ kind: 'opened', mode: 'plain', takesBack: false, target: 720 })
  expect([output.stats().sinkName, journal.notices]).toEqual([
    'speaker (unpatched)',
    [`the sound addon is not patched: sound comes half a second late; \`node '${SCRIPT}'\` builds `
      + 'it or says what it lacks'],
  ])
  die()
  open()
  expect([output.stats().sinkName, journal.notices.length]).toEqual(['speaker', 1])
})

it('tells the delay of the device that is open, and none of one before it', () => {
  const { output, open, report, die } = started()
  open()
  expect(output.stats().latencyFrames).toBe(720)
  report({ taken: 960, fill: 960, delay: 2_960, target: 480 })
  expect(output.stats().latencyFrames).toBe(480 + 2_000)
  die()
  open()
  expect(output.stats().latencyFrames).toBe(720)
})
