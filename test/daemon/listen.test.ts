// Taking the port: on every address or on none, with one sentence about what is in the way.
import { createServer, type AddressInfo, type Server } from 'node:net'
import { networkInterfaces, type NetworkInterfaceInfo } from 'node:os'
import fastify, { type FastifyInstance } from 'fastify'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { VirtualTimers } from '../../src/clock/virtual.js'
import { listen, StartError } from '../../src/daemon/listen.js'

vi.mock('node:os', async (original) => {
  const os = await original<object & { networkInterfaces: typeof networkInterfaces }>()
  return { ...os, networkInterfaces: vi.fn(os.networkInterfaces) }
})

const HERE = '127.0.0.1'
const TABLET = '127.0.0.2'
/** Set apart for documentation: no machine has it. */
const ELSEWHERE = '192.0.2.1'

let app: FastifyInstance
let timers: VirtualTimers
const held: Server[] = []
beforeEach(() => {
  app = fastify()
  app.get('/', () => ({ fine: true }))
  timers = new VirtualTimers(0)
})
afterEach(async () => {
  await app.close()
  vi.mocked(networkInterfaces).mockReset()
  for (const server of held.splice(0)) server.close()
})

const address = (family: 'IPv4' | 'IPv6', text: string) =>
  ({ family, address: text }) as NetworkInterfaceInfo
const taken = (host: string, port: number): Promise<number> => new Promise((resolve) => {
  const server = createServer((socket) => socket.destroy()).listen(port, host, () => {
    resolve((server.address() as AddressInfo).port)
  })
  held.push(server)
})
const freePort = async (): Promise<number> => {
  const port = await taken(HERE, 0)
  await new Promise((closed) => held.pop()!.close(closed))
  return port
}
/** Lets virtual time pass for as long as it is tried. */
const outcome = async (hosts: readonly [string, ...string[]], port: number) => {
  const over: (Error | null)[] = []
  listen(app, hosts, port, timers).then(
    () => over.push(null), (error: unknown) => over.push(error as Error))
  while (over.length === 0) {
    timers.pass(50)
    await new Promise((turn) => setImmediate(turn))
  }
  const [error = null] = over
  if (error !== null) expect(error).toBeInstanceOf(StartError)
  return { message: error?.message ?? null, tookMs: timers.nowMs() }
}

describe('an address that is none of this machine', () => {
  it.each([[[ELSEWHERE]], [[HERE, ELSEWHERE]]] as const)('is told at once: %j', async (hosts) => {
    const { message, tookMs } = await outcome(hosts as readonly [string, ...string[]],
      await freePort())
    expect(message).toMatch(
      /^192\.0\.2\.1 is no address of this machine: give one of its own \(.*127\.0\.0\.1.*\)$/)
    expect(tookMs).toBeLessThan(3_000)
  })

  it('is told with those that it has now, e.g. after the router gave out another', async () => {
    vi.mocked(networkInterfaces).mockReturnValue({
      lo: [address('IPv4', HERE), address('IPv6', '::1')],
      wlan0: [address('IPv4', '192.168.0.17'), address('IPv6', 'fe80::1')],
    })
    const { message } = await outcome([ELSEWHERE], await freePort())
    expect(message).toBe(
      `${ELSEWHERE} is no address of this machine: `
      + 'give one of its own (127.0.0.1, 192.168.0.17)')
  })

  it('is told alone where the system tells none', async () => {
    vi.mocked(networkInterfaces).mockImplementation(() => { throw new Error('EPERM') })
    const { message } = await outcome([ELSEWHERE], await freePort())
    expect(message).toBe(`${ELSEWHERE} is no address of this machine: give one of its own`)
  })
})

it('a port that is none is told at once, and as what it is', async () => {
  const { message, tookMs } = await outcome([HERE], 70_000)
  expect(message).toMatch(/^cannot listen on 127\.0\.0\.1:70000: .*65536/)
  expect(tookMs).toBeLessThan(3_000)
})

describe('a port that is taken', () => {
  it.each([HERE, TABLET])('on %s is tried for 3 s, then told', async (host) => {
    const warnings: string[] = []
    const warned = (warning: Error): number => warnings.push(warning.name)
    process.on('warning', warned)
    const port = await taken(host, 0)
    const { message, tookMs } = await outcome([HERE, TABLET], port)
    expect(message).toMatch(new RegExp(`^${host}:${port} is taken: another program listens there`))
    expect(tookMs).toBeGreaterThanOrEqual(3_000)
    expect(tookMs).toBeLessThan(10_000)
    // All that a person reads is that one line.
    await new Promise((turn) => setImmediate(turn))
    process.off('warning', warned)
    expect(warnings).toEqual([])
  })
})

it('is there on each address, and gone with the first', async () => {
  const port = await freePort()
  expect(await outcome([HERE, TABLET], port)).toMatchObject({ message: null })
  for (const host of [HERE, TABLET]) {
    expect(await (await fetch(`http://${host}:${port}/`)).json()).toEqual({ fine: true })
  }
  await app.close()
  for (const host of [HERE, TABLET]) {
    await expect(fetch(`http://${host}:${port}/`)).rejects.toThrow()
  }
})
