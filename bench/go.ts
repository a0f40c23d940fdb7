// GO: from the request to the first sample handed over and to the first one heard, beside peers.
//
//   node --import tsx bench/go.ts [--trials N] [--rounds N] [--minutes N] [--where]    (built)
//
// Everything plays into PulseAudio's null sink and is heard through its monitor. Peers stand beside
// it where they are installed: mpv over its socket and behind a bare node:http (what HTTP in Node
// costs any player), and a paplay per GO. --minutes N then lets a bed sound for so long with a GO
// over it every second, and counts every frame that is not the next one. --where also tells where
// the time of a GO goes, from step to step.
import { spawn, spawnSync, type ChildProcess } from 'node:child_process'
import { mkdtempSync, utimesSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { button } from '../test/devices/daemon-rig.js'
import { type PulseServer, reap } from '../test/devices/pulse.js'
import { Capture } from './capture.js'
import { BenchDaemon, nowMs, type Steps } from './daemon.js'
import { type MpvOverHttp, startMpv, startMpvOverHttp } from './mpv.js'
import { conditions, ms, quantile, table } from './report.js'
import { writeShow } from './show.js'
import { writeBed, writeGo, writeHum, writeTone } from './sounds.js'
import { withPulse } from './with-pulse.js'

const { values } = parseArgs({
  options: {
    trials: { type: 'string', default: '15' },
    rounds: { type: 'string', default: '3' },
    minutes: { type: 'string', default: '1' },
    where: { type: 'boolean', default: false },
  },
})
const TRIALS = Number(values.trials)
const ROUNDS = Number(values.rounds)
const WITHIN_MS = 2_500
const SETTLED_MS = 300
/** A few periods of the device, which are 1.33 ms. */
const PERIODS_MS = 4
const VOICES = 8
const GO = VOICES + 1
const COLD = VOICES + 2
const TONE = VOICES + 3

interface Case {
  readonly name: string
  readonly aim: string
  readonly before: () => Promise<void>
  /** Sends the GO; may prepare something that does not count before it answers when it was sent. */
  readonly go: () => number
  readonly after: () => Promise<void>
  /** It is prepared before each trial, since none leaves things as they were. */
  readonly isAnew: boolean
  /** Whether the daemon's probe knows when it handed the sample over. */
  readonly isOurs: boolean
}

const nothing = async (): Promise<void> => undefined

/** When it was sent. */
const timed = (send: () => void): number => {
  const asked = nowMs()
  send()
  return asked
}

const folder = mkdtempSync(join(tmpdir(), 'cartwall-go-'))
const path = (name: string): string => join(folder, name)

const ourCases = (daemon: BenchDaemon): readonly Case[] => {
  const sounding = (voices: number) => async (): Promise<void> => {
    for (let n = 1; n <= voices; n += 1) await daemon.ask('POST', `/buttons/${button(n)}/play`)
    await sleep(1_000)
  }
  const go = (n: number) => (): number => timed(() => {
    void daemon.ask('POST', `/buttons/${button(n)}/play`)
  })
  const after = async (): Promise<void> => {
    await daemon.ask('POST', '/stop')
    await sleep(500)
  }
  const cold = (): number => {
    // Another time of change is another file: its head no longer holds.
    const stamp = new Date(Date.now() - Math.floor(Math.random() * 1e9))
    utimesSync(path('cold.wav'), stamp, stamp)
    return go(COLD)()
  }
  let run = ''
  const paused = async (): Promise<void> => {
    await after()
    run = JSON.stringify({ executionId: await daemon.play(button(TONE)) })
    await sleep(SETTLED_MS)
    await daemon.ask('POST', `/buttons/${button(TONE)}/pause`, run)
    await sleep(SETTLED_MS)
  }
  const resume = (): number => timed(() => {
    void daemon.ask('POST', `/buttons/${button(TONE)}/resume`, run)
  })
  const ours = { after, isOurs: true, isAnew: false }
  return [
    { ...ours, name: 'cartwall, from silence', aim: '6 ms', before: nothing, go: go(GO) },
    { ...ours, name: 'cartwall, over a bed', aim: '7 ms', before: sounding(1), go: go(GO) },
    {
      ...ours, name: 'cartwall, over 8 voices', aim: '7 ms', before: sounding(VOICES),
      go: go(GO),
    },
    { ...ours, name: 'cartwall, resume', aim: '', before: paused, go: resume, isAnew: true },
    { ...ours, name: 'cartwall, cold, from silence', aim: '', before: nothing, go: cold },
  ]
}

const installed = (program: string): boolean =>
  spawnSync(program, ['--version'], { stdio: 'ignore' }).status === 0

const mpvCases = (pulse: PulseServer): { cases: readonly Case[]; close: () => Promise<void> } => {
  if (!installed('mpv')) return { cases: [], close: nothing }
  const { tell, open, close } = startMpv(pulse, path('mpv'))
  const go = (): number => timed(() => tell('loadfile', path('go.wav'), 'replace'))
  const peer = { go, isOurs: false, isAnew: false, aim: '' }
  const stop = async (): Promise<void> => {
    tell('stop')
    await sleep(500)
  }
  const loaded = async (): Promise<void> => {
    await open()
    tell('loadfile', path('tone.wav'), 'replace')
    await sleep(SETTLED_MS)
    tell('set_property', 'pause', 'yes')
    await sleep(SETTLED_MS)
  }
  const unpause = (): number => timed(() => tell('set_property', 'pause', 'no'))
  let http: MpvOverHttp | null = null
  const loadedOverHttp = async (): Promise<void> => {
    await loaded()
    http ??= await startMpvOverHttp(path('mpv'))
  }
  const unpauseOverHttp = (): number => timed(() => http?.unpause())
  const bed = async (): Promise<void> => {
    await open()
    tell('loadfile', path('bed.wav'), 'replace')
    await sleep(1_000)
  }
  return {
    cases: [
      { ...peer, name: 'mpv (socket), from silence', before: open, after: nothing },
      {
        ...peer, name: 'mpv (socket), instead of a bed', before: bed, isAnew: true, after: stop,
      },
      {
        ...peer, name: 'mpv (socket), unpause of what is loaded', before: loaded, go: unpause,
        isAnew: true, after: stop,
      },
      {
        ...peer, name: 'mpv behind a bare node:http, the same', before: loadedOverHttp,
        go: unpauseOverHttp, isAnew: true, after: stop,
      },
    ],
    close: async () => {
      await http?.close()
      await close()
    },
  }
}

const paplayCases = (pulse: PulseServer): readonly Case[] => {
  if (!installed('paplay')) return []
  const children: ChildProcess[] = []
  return [{
    name: 'a paplay per GO, from silence', aim: '', before: nothing, isOurs: false, isAnew: false,
    go: () => timed(() => {
      const env = { ...process.env, ...pulse.environment }
      const args = ['--latency-msec=10', path('go.wav')]
      children.push(spawn('paplay', args, { env, stdio: 'ignore' }))
    }),
    after: async () => {
      for (const child of children.splice(0)) await reap(child, 'SIGKILL')
    },
  }]
}

interface Seen {
  readonly asked: number[]
  readonly heard: number[]
}

/** Woken by what is heard, a timer rings in step with the device's period: GOs must not. */
const outOfStep = (): void => {
  const until = nowMs() + Math.random() * PERIODS_MS
  while (nowMs() < until);
}

const trial = async (one: Case, capture: Capture, seen: Seen): Promise<void> => {
  await sleep(250 + Math.random() * 150)
  outOfStep()
  const heard = capture.onset(WITHIN_MS)
  const asked = one.go()
  seen.asked.push(asked)
  seen.heard.push((await heard) - asked)
  await sleep(250)
}

/** The moments of one GO, from the request on, in milliseconds after it. */
const WAY = [
  'the main thread has it', 'the sound thread has it', 'its sound is there',
  'its first block is rendered', 'it is heard',
] as const

const HANDED = 'its first block is rendered'

const wayOf = ({ requests, met, blocks }: Steps, asked: number, heard: number): number[] => {
  const loud = blocks.find(({ endedMs, peak }) => endedMs > asked && peak > 0.1)
  const rendered = loud?.endedMs ?? NaN
  const since = met.filter((at) => at > asked && at < rendered)
  const request = requests.find((at) => at > asked) ?? NaN
  return [
    request - asked, (since[0] ?? NaN) - asked, (since.at(-1) ?? NaN) - asked, rendered - asked,
    heard,
  ]
}

const compare = async (
  daemon: BenchDaemon, cases: readonly Case[], capture: Capture,
): Promise<void> => {
  const rows = new Map(cases.map((one) =>
    [one, { heard: [] as number[], ways: [] as number[][], dry: 0 }]))
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const [one, row] of rows) {
      const { underruns } = (await daemon.status()).audio
      await one.before()
      const seen: Seen = { asked: [], heard: [] }
      for (let n = 0; n < TRIALS; n += 1) {
        if (n > 0 && one.isAnew) await one.before()
        await trial(one, capture, seen)
      }
      await one.after()
      row.heard.push(...seen.heard)
      row.dry += (await daemon.status()).audio.underruns - underruns
      if (!one.isOurs) continue
      const steps = await daemon.steps()
      row.ways.push(...seen.asked.map((asked, n) => wayOf(steps, asked, seen.heard[n] ?? NaN)))
    }
  }
  const spread = (times: readonly number[]): string[] =>
    times.length === 0
      ? ['', '', '']
      : [quantile(times, 0.5), quantile(times, 0.95), quantile(times, 1)].map(ms)
  console.log(table(
    [
      'GO', 'handed over p50', 'p95', 'max', 'heard p50', 'p95', 'max', 'aim, heard p50',
      'not heard', 'underruns',
    ],
    [...rows].map(([one, row]) => [
      one.name, ...spread(row.ways.map((way) => way[WAY.indexOf(HANDED)] ?? NaN)),
      ...spread(row.heard.filter((each) => !Number.isNaN(each))), one.aim,
      String(row.heard.filter(Number.isNaN).length), one.isOurs ? String(row.dry) : '',
    ]),
  ))
  if (!values.where) return
  tellWhere(new Map([...rows].filter(([one]) => one.isOurs).map(([one, { ways }]) =>
    [one.name, ways])))
}

/** Medians of what is spent between one moment and the next. */
const tellWhere = (ways: ReadonlyMap<string, readonly number[][]>): void => {
  const spent = (way: readonly number[], n: number): number =>
    (way[n] ?? NaN) - (n === 0 ? 0 : way[n - 1] ?? NaN)
  const known = (times: readonly number[]): readonly number[] =>
    times.filter((each) => !Number.isNaN(each))
  console.log(table(
    ['until', ...ways.keys()],
    WAY.map((moment, n) => [
      moment,
      ...[...ways.values()].map((all) => ms(quantile(known(all.map((way) => spent(way, n))), 0.5))),
    ]),
  ))
}

const endurance = async (
  daemon: BenchDaemon, capture: Capture, minutes: number,
): Promise<void> => {
  const before = (await daemon.status()).audio.underruns
  await daemon.ask('POST', `/buttons/${button(1)}/play`)
  await sleep(1_000)
  capture.watching = true
  const from = capture.frames
  const until = nowMs() + minutes * 60_000
  while (nowMs() < until) {
    await daemon.ask('POST', `/buttons/${button(GO)}/play`)
    await sleep(1_000)
  }
  capture.watching = false
  const { audio } = await daemon.status()
  console.log(
    `a bed for ${((capture.frames - from) / 48_000 / 60).toFixed(1)} minutes, a GO a second:`
    + ` ${capture.silent} frames of silence in it, ${capture.leaps} leaps,`
    + ` ${audio.underruns - before} underruns, latency ${audio.latencyMs.toFixed(1)} ms`,
  )
  await daemon.ask('POST', '/stop')
}

const main = async (pulse: PulseServer): Promise<void> => {
  writeBed(path('bed.wav'), 30)
  writeHum(path('hum.wav'), 30)
  for (const name of ['go.wav', 'cold.wav']) writeGo(path(name))
  writeTone(path('tone.wav'), 30)
  const bed = (media: string) => ({ media, isLoopEnabled: true, allowOverlap: true })
  const hums = Array.from({ length: VOICES - 1 }, () => bed('hum.wav'))
  const gos = ['go.wav', 'cold.wav'].map((media) => ({ media, allowOverlap: true }))
  const show = writeShow(folder, [bed('bed.wav'), ...hums, ...gos, { media: 'tone.wav' }])
  const daemon = await BenchDaemon.start({
    folder, show, sink: 'speaker', port: 47_711, environment: pulse.environment,
  })
  const capture = new Capture(pulse.environment)
  const mpv = mpvCases(pulse)
  try {
    await daemon.armed(TONE)
    await capture.start()
    console.log(conditions())
    await compare(daemon, [...ourCases(daemon), ...mpv.cases, ...paplayCases(pulse)], capture)
    if (Number(values.minutes) > 0) await endurance(daemon, capture, Number(values.minutes))
    console.log(conditions())
  } finally {
    await mpv.close()
    await capture.stop()
    await daemon.stop()
  }
}

await withPulse(folder, main)
