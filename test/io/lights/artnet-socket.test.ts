// The socket to the lamps: what breaks is opened again, and what is on its way is waited for.
import { EventEmitter } from 'node:events'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { VirtualTimers } from '../../../src/clock/virtual.js'
import { ArtnetSocket } from '../../../src/io/lights/artnet-socket.js'

// Other files of this process may have loaded what is made up here.
vi.hoisted(() => vi.resetModules())

type Taken = (error: Error | null) => void

/** In place of a UDP socket: bound and emptied by hand. */
class Socket extends EventEmitter {
  readonly packets: { readonly to: string; readonly taken: Taken }[] = []
  bound: () => void = () => undefined
  isClosed = false
  isBroadcast = false
  throws: Error | null = null

  bind(_port: number, bound: () => void): void {
    this.bound = bound
  }

  setBroadcast(isAllowed: boolean): void {
    this.isBroadcast = isAllowed
  }

  send(_bytes: Buffer, _at: number, length: number, port: number, host: string, taken: Taken) {
    if (this.throws !== null) throw this.throws
    this.packets.push({ to: `${length} to ${host}:${port}`, taken })
  }

  close(): void {
    if (this.isClosed) throw new Error('Not running')
    this.isClosed = true
  }
}

const sockets: Socket[] = []
vi.mock('node:dgram', () => ({
  default: {
    createSocket: () => {
      const socket = new Socket()
      sockets.push(socket)
      return socket
    },
  },
}))

let timers: VirtualTimers
let told: string[]
let socket: ArtnetSocket
beforeEach(() => {
  sockets.length = 0
  timers = new VirtualTimers(0)
  told = []
  socket = new ArtnetSocket(
    timers, (error) => told.push(error?.message ?? 'ok'), () => told.push('opened'))
})

const send = (bytes = 530): void => socket.send(Buffer.alloc(bytes), 6_454, '10.0.0.9')
const settled = async (): Promise<void> => {
  for (let n = 0; n < 5; n += 1) await Promise.resolve()
}

const flushing = (deadlineMs: number) => {
  const state = { isOver: false }
  void socket.flush(deadlineMs).then(() => (state.isOver = true))
  return state
}

describe('the socket', () => {
  it('sends from the moment at which it is bound, and tells of each packet', () => {
    send()
    sockets[0]!.bound()
    // A node's address may end as one of a whole network does.
    expect(sockets[0]!.isBroadcast).toBe(true)
    send()
    send(18)
    expect(sockets[0]!.packets.map(({ to }) => to))
      .toEqual(['530 to 10.0.0.9:6454', '18 to 10.0.0.9:6454'])
    sockets[0]!.packets[0]!.taken(null)
    sockets[0]!.packets[1]!.taken(new Error('ENETUNREACH'))
    sockets[0]!.throws = new Error('ERR_SOCKET_BAD_PORT')
    send()
    expect(told).toEqual(['opened', 'ok', 'ENETUNREACH', 'ERR_SOCKET_BAD_PORT'])
  })

  it('that broke is opened again after a second, again and again, and nothing sent between', () => {
    for (let turn = 0; turn < 3; turn += 1) {
      sockets[turn]!.bound()
      sockets[turn]!.emit('error', new Error('ENOBUFS'))
      expect(sockets[turn]!.isClosed).toBe(true)
      // What an old one says concerns nobody.
      sockets[turn]!.emit('error', new Error('late'))
      send()
      timers.pass(999)
      expect(sockets).toHaveLength(turn + 1)
      timers.pass(1)
      send()
      expect(sockets).toHaveLength(turn + 2)
    }
    expect(sockets.flatMap(({ packets }) => packets)).toEqual([])
    sockets[3]!.bound()
    send()
    expect(sockets[3]!.packets).toHaveLength(1)
    const turn = ['opened', 'ENOBUFS', 'late']
    expect(told).toEqual([...turn, ...turn, ...turn, 'opened'])
  })

  it('drops what the system does not take any more, and says so', () => {
    sockets[0]!.bound()
    for (let n = 0; n < 4_100; n += 1) send()
    expect(sockets[0]!.packets).toHaveLength(4_096)
    expect(told.slice(1)).toEqual(Array(4).fill('the network takes no more packets'))
    sockets[0]!.packets[0]!.taken(null)
    send()
    expect(sockets[0]!.packets).toHaveLength(4_097)
  })

  it('that is closed stays so', () => {
    sockets[0]!.bound()
    socket.close()
    expect(sockets[0]!.isClosed).toBe(true)
    send()
    sockets[0]!.emit('error', new Error('late'))
    timers.pass(10_000)
    expect([sockets.length, sockets[0]!.packets]).toEqual([1, []])
  })

  it('that is closed while it is to be opened again stays so', async () => {
    sockets[0]!.bound()
    sockets[0]!.emit('error', new Error('ENOBUFS'))
    socket.close()
    timers.pass(10_000)
    send()
    expect(sockets).toHaveLength(1)
    // Nothing is on its way, and nothing will be.
    const flush = flushing(250)
    await settled()
    expect(flush.isOver).toBe(true)
  })
})

describe('what is on its way', () => {
  it('is waited for to its last packet', async () => {
    sockets[0]!.bound()
    send()
    send()
    const flush = flushing(250)
    await settled()
    sockets[0]!.packets[0]!.taken(null)
    await settled()
    expect(flush.isOver).toBe(false)
    sockets[0]!.packets[1]!.taken(new Error('ENETUNREACH'))
    await settled()
    expect(flush.isOver).toBe(true)
    const empty = flushing(250)
    await settled()
    expect(empty.isOver).toBe(true)
  })

  it('is waited for no longer where the socket is closed, or breaks', async () => {
    sockets[0]!.bound()
    send()
    const stuck = flushing(250)
    sockets[0]!.emit('error', new Error('ENOBUFS'))
    await settled()
    expect(stuck.isOver).toBe(false)
    socket.close()
    const after = flushing(250)
    await settled()
    expect([stuck.isOver, sockets[0]!.isClosed]).toEqual([true, true])
    sockets[0]!.packets[0]!.taken(null)
    await settled()
    expect(after.isOver).toBe(true)
  })

  it('and for as long as was said, where it does not leave or the socket is not open', async () => {
    const unbound = flushing(250)
    timers.pass(249)
    await settled()
    expect(unbound.isOver).toBe(false)
    sockets[0]!.bound()
    await settled()
    expect(unbound.isOver).toBe(true)
    send()
    const stuck = flushing(250)
    timers.pass(249)
    await settled()
    expect(stuck.isOver).toBe(false)
    timers.pass(1)
    await settled()
    expect(stuck.isOver).toBe(true)
  })
})
