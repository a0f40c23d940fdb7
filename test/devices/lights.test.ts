// Art-Net as receivers hear it that nobody here wrote: OLA's values, and every packet under tshark.
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { Network, Ola, Rig, ended, namespacesMay, pause, until } from './lights-network.js'

const FIRST_MS = 2_000
const TIMELINES = {
  lit: {
    format: 'dmx-timeline', version: 1, durationMs: 60_000,
    tracks: [
      { target: { universe: 1, channel: 1 }, keyframes: [[0, 10], [FIRST_MS, 200]] },
      { target: { universe: 2, channel: 512 }, keyframes: [[0, 77]] },
    ],
  },
  over: 'OLA Show\n1 ,55,66\n60000\n1 ,55,66\n',
}

let network: Network
let ola: Ola

beforeAll(async () => {
  const apart = namespacesMay()
  if (!apart) console.warn('no network namespace may be made: OLA listens on this host\'s loopback')
  network = new Network(apart ? `cartwall-ola-${String(process.pid)}` : null)
  ola = await Ola.start(network, [1, 2])
})

afterAll(async () => {
  await network.close()
})

const shows = (universe: number, slots: readonly number[]): Promise<true> =>
  until(`universe ${String(universe)} begins ${slots.join()}`, 3_000, () => {
    const seen = ola.slots(universe)
    return slots.every((value, slot) => seen[slot] === value) ? true : null
  })

it('OLA reads a playing button, its change, the merge, dark after stop and shutdown', async () => {
  const rig = new Rig(network, {
    host: '127.0.0.1', port: 6454, onStop: 'blackout', timelines: TIMELINES,
  })
  await rig.reaches('ok', 15_000)
  rig.say('start lit')
  await shows(1, [10])
  expect(ola.slots(2)[511]).toBe(77)
  await shows(1, [200])
  rig.say('start over')
  await shows(1, [0, 55, 66])
  rig.say('stop over')
  await shows(1, [200, 0, 0])
  rig.say('stop lit')
  await shows(1, [0])
  expect(ola.slots(2)[511]).toBe(0)
  rig.say('start lit')
  await shows(1, [10])
  await rig.close()
  await shows(1, [0])
  expect(ola.slots(2)).toHaveLength(512)
  expect(ola.slots(2)[511]).toBe(0)
  expect(rig.errors).toBe('')
})

it('with hold the lamps keep their look after a stop and after shutdown', async () => {
  const rig = new Rig(network, {
    host: '127.0.0.1', port: 6454, onStop: 'hold', timelines: TIMELINES,
  })
  await rig.reaches('ok', 15_000)
  rig.say('start lit')
  await shows(1, [10])
  rig.say('stop lit')
  await pause(300)
  await rig.close()
  expect(ola.slots(1)[0]).toBe(10)
  expect(ola.slots(2)[511]).toBe(77)
})

it('tshark finds no malformed packet; sequences, universes and rates are right', async () => {
  const file = join(network.folder(), 'lights.pcapng')
  const capture = network.spawn('dumpcap', '-q', '-i', 'lo', '-f', 'udp dst port 6454', '-w', file)
  let heard = ''
  capture.stderr?.on('data', (text: Buffer) => {
    heard += text.toString()
  })
  await until('dumpcap captures', 10_000, () => (heard.includes('File:') ? true : null))
  const rig = new Rig(network, {
    host: '127.0.0.1', port: 6454, onStop: 'blackout', timelines: TIMELINES,
  })
  await rig.reaches('ok', 15_000)
  await pause(1_500)
  rig.say('start lit')
  await pause(8_000)
  rig.say('stop lit')
  await pause(2_500)
  await rig.close()
  await pause(500)
  await ended(capture)
  const fields = [
    'frame.time_relative', 'artnet.output.universe', 'artnet.output.sequence',
    'artnet.output.length', 'udp.length',
  ].flatMap((field) => ['-e', field])
  expect(network.run('tshark', '-r', file, '-Y', '_ws.malformed')).toBe('')
  // OLA itself polls on this wire too: only lighting frames are counted.
  const frames = network.run('tshark', '-r', file, '-Y', 'artnet.output', '-T', 'fields', ...fields)
    .trim().split('\n').map((line) => line.split('\t').map(Number))
  for (const universe of [1, 2]) {
    const own = frames.filter((frame) => frame[1] === universe)
    expect(own.map((frame) => frame[2])).toEqual(own.map((_, index) => (index % 255) + 1))
    expect(own.every((frame) => frame[3] === 512 && frame[4] === 538)).toBe(true)
    // About 1.5 s idle, 8 s at 40 Hz, 2.5 s idle, three last frames.
    expect(own.length).toBeGreaterThan(310)
    expect(own.length).toBeLessThan(345)
  }
  expect(frames.every((frame) => frame[1] === 1 || frame[1] === 2)).toBe(true)
  expect(rig.errors).toBe('')
})
