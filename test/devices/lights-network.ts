// A network for lights tests: namespaces, OLA as a receiver, the rig, and how to wait.
import { execFileSync, spawn, spawnSync, type ChildProcess } from 'node:child_process'
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import type { LightsStatus } from '../../src/io/lights/lights.js'
import type { RigSetup } from './lights-rig.js'

/** Where commands run: in a network of their own, or on this host where none may be made. */
export class Network {
  readonly name: string | null
  readonly #children: ChildProcess[] = []
  readonly #folders: string[] = []

  /** A namespace with its loopback up; `name` null stays on the host. */
  constructor(name: string | null) {
    this.name = name
    if (name === null) return
    execFileSync('ip', ['netns', 'add', name])
    this.run('ip', 'link', 'set', 'lo', 'up')
  }

  run(...command: string[]): string {
    const [file = '', ...args] = this.#within(command)
    return execFileSync(file, args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] })
  }

  spawn(...command: string[]): ChildProcess {
    const [file = '', ...args] = this.#within(command)
    const child = spawn(file, args, { stdio: ['pipe', 'pipe', 'pipe'] })
    this.#children.push(child)
    return child
  }

  folder(): string {
    const folder = mkdtempSync(join(tmpdir(), 'cartwall-lights-'))
    chmodSync(folder, 0o777)
    this.#folders.push(folder)
    return folder
  }

  /** Ends what it started, and its network. */
  async close(): Promise<void> {
    await Promise.all(this.#children.map(ended))
    for (const folder of this.#folders) rmSync(folder, { recursive: true, force: true })
    if (this.name !== null) execFileSync('ip', ['netns', 'del', this.name])
  }

  #within(command: readonly string[]): string[] {
    return this.name === null ? [...command] : ['ip', 'netns', 'exec', this.name, ...command]
  }
}

/** Ends a child by its id, kindly first. */
export const ended = async (child: ChildProcess): Promise<void> => {
  if (child.exitCode !== null || child.signalCode !== null) return
  const gone = new Promise((resolve) => child.once('exit', resolve))
  child.kill('SIGTERM')
  const hard = setTimeout(() => child.kill('SIGKILL'), 3_000)
  await gone
  clearTimeout(hard)
}

/** Whether this user may make network namespaces. */
export const namespacesMay = (): boolean => {
  const name = `cartwall-may-${String(process.pid)}`
  if (spawnSync('ip', ['netns', 'add', name]).status !== 0) return false
  const up = spawnSync('ip', ['netns', 'exec', name, 'ip', 'link', 'set', 'lo', 'up']).status === 0
  spawnSync('ip', ['netns', 'del', name])
  return up
}

export const pause = (ms: number): Promise<void> =>
  new Promise((resolve) => setTimeout(resolve, ms))

/** Tries until `probe` gives a value; at the end of the time, says what it last saw. */
export const until = async <T>(
  what: string, withinMs: number, probe: () => T | null | Promise<T | null>,
): Promise<T> => {
  const deadline = performance.now() + withinMs
  for (;;) {
    const value = await probe()
    if (value !== null) return value
    if (performance.now() > deadline) throw new Error(`not within ${String(withinMs)} ms: ${what}`)
    await pause(20)
  }
}

const PLUGINS = [
  'dummy', 'e131', 'espnet', 'ftdidmx', 'gpio', 'karate', 'kinet', 'milinst', 'nanoleaf', 'opendmx',
  'openpixelcontrol', 'osc', 'pathport', 'renard', 'sandnet', 'shownet', 'spi', 'stageprofi',
  'uartdmx', 'usbdmx', 'usbpro', 'usbserial',
]

/** OLA with nothing but Art-Net, listening on the loopback; it refuses to run as root. */
export class Ola {
  readonly #network: Network

  private constructor(network: Network) {
    this.#network = network
  }

  static async start(network: Network, universes: readonly number[]): Promise<Ola> {
    const folder = network.folder()
    writeFileSync(join(folder, 'ola-artnet.conf'), [
      'enabled = true', 'ip = 127.0.0.1', 'use_loopback = true', 'net = 0', 'subnet = 0', '',
    ].join('\n'))
    for (const plugin of PLUGINS) {
      writeFileSync(join(folder, `ola-${plugin}.conf`), 'enabled = false\n')
    }
    execFileSync('chmod', ['-R', 'a+rwX', folder])
    const plain = process.getuid?.() === 0
      ? ['setpriv', '--reuid=65534', '--regid=65534', '--clear-groups'] : []
    network.spawn(...plain, 'olad', '-c', folder, '-l', '1')
    const ola = new Ola(network)
    for (const [port, universe] of universes.entries()) {
      await until(`OLA patches universe ${String(universe)}`, 15_000, () => {
        try {
          network.run('ola_patch', '-d', '1', '-p', String(port), '-i', '-u', String(universe))
          return true
        } catch {
          return null
        }
      })
    }
    return ola
  }

  /** What OLA holds of a universe: slots from 0. */
  slots(universe: number): readonly number[] {
    const url = `http://127.0.0.1:9090/get_dmx?u=${String(universe)}`
    return (JSON.parse(this.#network.run('curl', '-s', url)) as { dmx: number[] }).dmx
  }
}

/** The lights under test, in a process of their own within a network. */
export class Rig {
  readonly #child: ChildProcess
  readonly states: LightsStatus[] = []
  errors = ''
  closed = false

  constructor(network: Network, setup: RigSetup) {
    const file = fileURLToPath(new URL('./lights-rig.ts', import.meta.url))
    this.#child = network.spawn(process.execPath, '--import', 'tsx', file, JSON.stringify(setup))
    this.#child.stderr?.on('data', (text: Buffer) => {
      this.errors += text.toString()
    })
    if (this.#child.stdout === null) throw new Error('a rig has an output')
    createInterface({ input: this.#child.stdout }).on('line', (line) => {
      const told = JSON.parse(line) as LightsStatus | 'closed'
      if (told === 'closed') this.closed = true
      else this.states.push(told)
    })
  }

  say(line: string): void {
    this.#child.stdin?.write(`${line}\n`)
  }

  get alive(): boolean {
    return this.#child.exitCode === null && this.#child.signalCode === null
  }

  /** Its state as it is now. */
  async status(): Promise<LightsStatus> {
    const before = this.states.length
    this.say('status')
    return until('the rig answers', 10_000, () => this.states[before] ?? null)
  }

  async reaches(state: LightsStatus['state'], withinMs: number): Promise<LightsStatus> {
    return until(`lights ${state} ${this.errors}`, withinMs, async () => {
      const status = await this.status()
      return status.state === state ? status : null
    })
  }

  /** Shuts down as a daemon does on SIGTERM: the last look has left when it resolves. */
  async close(): Promise<void> {
    this.say('close')
    await until('the rig closes', 5_000, () => (this.closed && !this.alive ? true : null))
  }
}
