// How many connections there may be at once: the one that is idle longest gives way to another.
import { EventEmitter } from 'node:events'
import type { Socket } from 'node:net'
import { beforeEach, describe, expect, it } from 'vitest'
import { Connections } from '../../src/api/wire/connections.js'

class FakeSocket extends EventEmitter {
  isBusy = false
  isGone = false

  constructor(readonly name: string, readonly remoteAddress: string) {
    super()
  }

  destroy(): void {
    this.isGone = true
    this.emit('close')
  }
}

const asSocket = (socket: FakeSocket): Socket => socket as unknown as Socket

let connections: Connections
let all: FakeSocket[]
beforeEach(() => {
  connections = new Connections(3, (socket) => !(socket as unknown as FakeSocket).isBusy)
  all = []
})
const open = (name: string, isBusy = false, address = '10.0.0.1'): FakeSocket => {
  const socket = new FakeSocket(name, address)
  socket.isBusy = isBusy
  all.push(socket)
  connections.opened(asSocket(socket))
  return socket
}
const there = (): string[] => all.filter(({ isGone }) => !isGone).map(({ name }) => name)

describe('one more than there may be', () => {
  it('takes the place of the one that said nothing for longest', () => {
    const poller = open('poller')
    open('silent')
    open('another')
    // The oldest asks again and again: it is not idle.
    connections.used(asSocket(poller))
    open('new')
    expect(there()).toEqual(['poller', 'another', 'new'])
    open('newer')
    expect(there()).toEqual(['poller', 'new', 'newer'])
  })

  it('never that of one which waits for an answer', () => {
    open('asked', true)
    open('silent')
    open('asked too', true)
    open('new')
    expect(there()).toEqual(['asked', 'asked too', 'new'])
  })

  it('goes again itself where all wait for an answer', () => {
    for (const name of ['a', 'b', 'c']) open(name, true)
    open('new')
    expect(there()).toEqual(['a', 'b', 'c'])
    all[0]!.isBusy = false
    open('newer')
    expect(there()).toEqual(['b', 'c', 'newer'])
  })

  it('needs no place of one that closed, or that speaks another protocol by now', () => {
    const socket = open('page')
    const gone = open('gone')
    open('silent')
    connections.left(asSocket(socket))
    gone.destroy()
    open('new')
    open('newer')
    expect(there()).toEqual(['page', 'silent', 'new', 'newer'])
  })

  it('is none that comes anew on its own connection, after an offer of another protocol', () => {
    const java = open('java')
    open('silent')
    open('busy', true)
    for (let n = 0; n < 20; n += 1) connections.opened(asSocket(java))
    expect(java.listenerCount('close')).toBe(1)
    expect(there()).toEqual(['java', 'silent', 'busy'])
  })

  it('takes, where all are busy, the oldest place of the address that holds the most', () => {
    // Downloads that a guest never reads.
    for (const name of ['a', 'b', 'c', 'd']) open(name, true, '10.0.0.66')
    expect(there()).toEqual(['a', 'b', 'c'])
    open('press', true, '10.0.0.1')
    expect(there()).toEqual(['b', 'c', 'press'])
    // Now it would be the other way round: nobody is better off.
    open('another', true, '10.0.0.1')
    expect(there()).toEqual(['b', 'c', 'press'])
  })

  it('is of the address that holds the most, where several hold more', () => {
    connections = new Connections(5, () => false)
    for (const name of ['a', 'b']) open(name, true, '10.0.0.65')
    for (const name of ['c', 'd', 'e']) open(name, true, '10.0.0.66')
    open('press', true, '10.0.0.1')
    expect(there()).toEqual(['a', 'b', 'd', 'e', 'press'])
  })

  it('is of the address that holds more, though one of another has said nothing yet', () => {
    for (const name of ['a', 'b', 'c']) open(name, true, '10.0.0.66')
    // Two presses at the same moment, of a laptop and of a tablet: neither has been read yet.
    open('laptop', false, '10.0.0.1')
    open('tablet', false, '10.0.0.2')
    expect(there()).toEqual(['c', 'laptop', 'tablet'])
  })
})
