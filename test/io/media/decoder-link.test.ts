// The daemon's end of the decoding process, with one that does what a test wants.
import { EventEmitter } from 'node:events'
import { beforeEach, expect, test, vi } from 'vitest'
import { VirtualTimers } from '../../../src/clock/virtual.js'
import { DecoderLink } from '../../../src/io/media/decoder/decoder-link.js'
import type { ToHost } from '../../../src/io/media/decoder/decoder-messages.js'

class Host extends EventEmitter {
  connected = true
  readonly told: ToHost[] = []

  send(message: ToHost): void {
    this.told.push(message)
  }
}

const hosts: Host[] = []
vi.mock('../../../src/io/programs.js', () => ({
  forkAlike: () => {
    const host = new Host()
    hosts.push(host)
    return host
  },
}))

beforeEach(() => {
  hosts.length = 0
})

test('what is asked of a process that is about to be gone is asked of the next one', async () => {
  const timers = new VirtualTimers(0)
  const link = new DecoderLink({ timers, env: {} })
  link.warm()
  timers.pass(5_000)
  const [first] = hosts
  // Its channel closes first; that it is gone is told a moment later.
  first!.connected = false
  const look = link.look('/media/bed.wav')
  first!.emit('exit', 1, null)
  timers.pass(1_000)
  const [, second] = hosts
  const asked = second?.told.find(({ kind }) => kind === 'look')
  expect(asked).toMatchObject({ path: '/media/bed.wav' })
  const answer = { kind: 'missing', message: 'the file is missing' }
  const { job } = asked as { readonly job: number }
  second!.emit('message', { kind: 'looked', job, look: answer })
  expect(await look).toEqual(answer)
})
