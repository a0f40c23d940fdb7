// The network goes away: lights say so, go on, and come back by themselves.
import { afterEach, expect, it } from 'vitest'
import type { ChildProcess } from 'node:child_process'
import { Network, Rig, namespacesMay, until } from './lights-network.js'

const MAY = namespacesMay()
if (!MAY) {
  console.warn('NOT TRIED: no network namespace may be made here, so no network fault was planted')
}
const fault = it.skipIf(!MAY)

const TIMELINES = {
  lit: {
    format: 'dmx-timeline', version: 1, durationMs: 60_000,
    tracks: [{ target: { universe: 0, channel: 1 }, keyframes: [[0, 42]] }],
  },
}

const networks: Network[] = []
const newNetwork = (word: string): Network => {
  const network = new Network(`cartwall-${word}-${String(process.pid)}`)
  networks.push(network)
  return network
}

afterEach(async () => {
  for (const network of networks.splice(0)) await network.close()
})

/** Takes the Art-Net port for itself and tells the first slot of every frame. */
const RECEIVER = `
const socket = require('dgram').createSocket('udp4')
socket.on('message', (m) => { if (m.readUInt16LE(8) === 0x5000) console.log(m[18]) })
socket.bind(6454, () => console.log('ready'))
`

const receive = async (network: Network): Promise<{ heard: string[]; child: ChildProcess }> => {
  const child = network.spawn(process.execPath, '-e', RECEIVER)
  const heard: string[] = []
  child.stdout?.on('data', (text: Buffer) => heard.push(...text.toString().trim().split('\n')))
  await until('the receiver is ready', 10_000, () => (heard.includes('ready') ? true : null))
  heard.length = 0
  return { heard, child }
}

const lit = (heard: string[], withinMs: number): Promise<true> =>
  until('the lamp is lit', withinMs, () => (heard.includes('42') ? true : null))

/** A cable between two networks. */
const cable = (here: Network, there: Network): void => {
  here.run('ip', 'link', 'add', 'near', 'type', 'veth', 'peer', 'name', 'far',
    'netns', there.name ?? '')
  here.run('ip', 'addr', 'add', '10.77.0.1/24', 'brd', '+', 'dev', 'near')
  there.run('ip', 'addr', 'add', '10.77.0.2/24', 'brd', '+', 'dev', 'far')
  there.run('ip', 'link', 'set', 'far', 'up')
  here.run('ip', 'link', 'set', 'near', 'up')
}

const rigIn = (network: Network, host: string): Rig =>
  new Rig(network, { host, port: 6454, onStop: 'blackout', timelines: TIMELINES })

fault('no route: said, survived, and lit when the route is there', async () => {
  const here = newNetwork('near')
  const there = newNetwork('far')
  const rig = rigIn(here, '10.77.0.2')
  rig.say('start lit')
  const status = await rig.reaches('failing', 15_000)
  expect(status.message).toMatch(/^10\.77\.0\.2: .*ENETUNREACH/)
  const { heard } = await receive(there)
  cable(here, there)
  await lit(heard, 5_000)
  expect(await rig.reaches('ok', 2_000)).toMatchObject({ message: null })
  await rig.close()
  expect(rig.errors).toBe('')
})

fault('link down in mid-show: said, survived, and lit again when it is up', async () => {
  const here = newNetwork('near')
  const there = newNetwork('far')
  cable(here, there)
  const { heard } = await receive(there)
  const rig = rigIn(here, '10.77.0.2')
  await rig.reaches('ok', 15_000)
  rig.say('start lit')
  await lit(heard, 5_000)
  here.run('ip', 'link', 'set', 'near', 'down')
  await rig.reaches('failing', 3_000)
  heard.length = 0
  here.run('ip', 'link', 'set', 'near', 'up')
  await rig.reaches('ok', 3_000)
  await lit(heard, 5_000)
  // While idle too: the dark that could not be sent arrives when it can.
  here.run('ip', 'link', 'set', 'near', 'down')
  await rig.reaches('failing', 3_000)
  rig.say('stop lit')
  heard.length = 0
  here.run('ip', 'link', 'set', 'near', 'up')
  await until('the lamp is dark', 5_000, () => (heard.at(-1) === '0' ? true : null))
  await rig.close()
  expect(rig.errors).toBe('')
})

fault('broadcast refused: said, survived, and lit when it is allowed', async () => {
  const here = newNetwork('near')
  const there = newNetwork('far')
  const { heard } = await receive(there)
  cable(here, there)
  here.run('ip', 'route', 'add', 'prohibit', '255.255.255.255/32')
  const rig = rigIn(here, '255.255.255.255')
  rig.say('start lit')
  const status = await rig.reaches('failing', 15_000)
  expect(status.message).toMatch(/EACCES|ENETUNREACH/)
  here.run('ip', 'route', 'del', 'prohibit', '255.255.255.255/32')
  here.run('ip', 'route', 'add', 'default', 'dev', 'near')
  await rig.reaches('ok', 3_000)
  await lit(heard, 5_000)
  await rig.close()
  expect(rig.errors).toBe('')
})

fault('a network\'s own broadcast address works', async () => {
  const here = newNetwork('near')
  const there = newNetwork('far')
  const { heard } = await receive(there)
  cable(here, there)
  const rig = rigIn(here, '10.77.0.255')
  rig.say('start lit')
  await lit(heard, 15_000)
  await rig.close()
  expect(rig.errors).toBe('')
})

fault('port 6454 taken by a receiver on this host: both work', async () => {
  const here = newNetwork('near')
  const { heard, child } = await receive(here)
  const rig = rigIn(here, '127.0.0.1')
  rig.say('start lit')
  await lit(heard, 15_000)
  expect(await rig.status()).toMatchObject({ state: 'ok', message: null })
  // Nor does the sender take the port once it is free.
  child.kill()
  await until('the receiver is gone', 3_000, () => (child.signalCode === null ? null : true))
  const next = await receive(here)
  await lit(next.heard, 3_000)
  await rig.close()
  expect(rig.errors).toBe('')
})
