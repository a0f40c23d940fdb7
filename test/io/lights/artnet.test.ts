// Art-Net packets, byte by byte, for every kind of universe; and what is told of their fate.
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { VirtualTimers } from '../../../src/clock/virtual.js'
import { ArtnetOutput, type ArtnetState } from '../../../src/io/lights/artnet.js'

// Other files of this process may have loaded what is made up here.
vi.hoisted(() => vi.resetModules())

/** In place of the socket: what it was given, and whether the system takes it. */
const packets: { readonly bytes: Buffer; readonly port: number; readonly host: string }[] = []
let told: (error: Error | null) => void
let opened: () => void
vi.mock('../../../src/io/lights/artnet-socket.js', () => ({
  ArtnetSocket: class {
    constructor(_timers: unknown, onTold: typeof told, onOpened: () => void) {
      told = onTold
      opened = onOpened
    }

    send(bytes: Buffer, port: number, host: string): void {
      packets.push({ bytes: Buffer.from(bytes), port, host })
    }
  },
}))

let output: ArtnetOutput
let states: ArtnetState[]
let openings: number
beforeEach(() => {
  packets.length = 0
  states = []
  openings = 0
  output = new ArtnetOutput(
    { host: '10.0.0.9', port: 6_454 }, new VirtualTimers(0), (state) => states.push(state),
    () => (openings += 1))
})

const HEAD_BYTES = 18
const slotsOf = (first: number, last: number): Uint8Array => {
  const slots = new Uint8Array(512)
  slots[0] = first
  slots[511] = last
  return slots
}

describe('a packet', () => {
  it.each([0, 1, 15, 16, 17, 255, 256, 4_095, 4_096, 32_767])(
    'of universe %i has its address, its number in order and all slots', (universe) => {
      output.send(universe, slotsOf(7, 200))
      output.send(universe, slotsOf(0, 1))
      const [first, second] = packets
      expect(packets.map(({ port, host }) => [port, host]))
        .toEqual([[6_454, '10.0.0.9'], [6_454, '10.0.0.9']])
      const { bytes } = first!
      expect(bytes.toString('latin1', 0, 8)).toBe('Art-Net\0')
      // ArtDmx of version 14; the port address of 15 bits comes low byte first, the length last.
      expect([bytes.readUInt16LE(8), bytes.readUInt16BE(10)]).toEqual([0x5000, 14])
      expect([bytes.readUInt16LE(14), bytes.readUInt16BE(16)]).toEqual([universe, 512])
      expect(bytes.subarray(HEAD_BYTES)).toEqual(Buffer.from(slotsOf(7, 200)))
      expect(second!.bytes.subarray(HEAD_BYTES)).toEqual(Buffer.from(slotsOf(0, 1)))
      expect([bytes[12], second!.bytes[12]]).toEqual([1, 2])
    })

  it('of one universe counts for itself and holds nothing of another', () => {
    output.send(1, slotsOf(1, 1))
    output.send(17, slotsOf(2, 2))
    output.send(1, slotsOf(3, 3))
    const seen = packets.map(({ bytes }) => [bytes.readUInt16LE(14), bytes[12], bytes[HEAD_BYTES]])
    expect(seen).toEqual([[1, 1, 1], [17, 1, 2], [1, 2, 3]])
  })
})

it('what becomes of packets is told where it changes, with the reason', () => {
  const ok: ArtnetState = { state: 'ok', message: null }
  const failing = (why: string): ArtnetState => ({ state: 'failing', message: `10.0.0.9: ${why}` })
  for (const error of [null, 'no route', 'no route', 'not permitted', null, null]) {
    told(error === null ? null : new Error(error))
  }
  expect(states).toEqual([failing('no route'), failing('not permitted'), ok])
  expect(output.state).toEqual(ok)
  opened()
  expect(openings).toBe(1)
})

const NO_NETWORK =
  'no network of this machine leads there: see to its Wi-Fi or cable, and to its own address'

it.each([
  ['ENETUNREACH', NO_NETWORK],
  ['ENETDOWN', NO_NETWORK],
  ['EHOSTUNREACH', 'nobody is found there: see to the node, and to dmx.host'],
  ['EPERM', 'a firewall or a route of this machine lets nothing there'],
  ['EACCES', 'a firewall or a route of this machine lets nothing there'],
])('what the system said is told in words: %s', (code, words) => {
  const said = `send ${code} 10.0.0.9:6454`
  told(Object.assign(new Error(said), { code, syscall: 'send' }))
  expect(output.state.message).toBe(`10.0.0.9: ${words} (${code})`)
})

it('what has no words is told as the system said it, without the address once more', () => {
  const said = 'send ENOBUFS 10.0.0.9:6454'
  told(Object.assign(new Error(said), { code: 'ENOBUFS', syscall: 'send' }))
  expect(output.state.message).toBe('10.0.0.9: send ENOBUFS')
})
