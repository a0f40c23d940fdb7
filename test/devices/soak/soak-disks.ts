// The disks of a soak: a share that can hang, and a small one, for the flight recorder and the
// cache, that can be full. Both need a mount; where that is not allowed the faults are left out.
import { spawn, spawnSync, type ChildProcess } from 'node:child_process'
import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { delay } from '../daemon-rig.js'
import { writeFloatWav } from '../media-files.js'

const SMALL_MIB = 48
const MOUNT_MS = 3_000

export class SoakDisks {
  /** Where the small disk is, and whether the share is one that can hang. */
  readonly small: string
  hasSmall = false
  share: ChildProcess | null = null
  readonly #source: string
  readonly #share: string

  constructor(folder: string) {
    this.small = join(folder, 'small')
    this.#source = join(folder, 'source')
    this.#share = join(folder, 'share')
  }

  async begin(): Promise<void> {
    for (const folder of [this.small, this.#source, this.#share]) mkdirSync(folder)
    writeFloatWav(join(this.#source, 'away.wav'), 96_000, () => [0, 0])
    const size = `size=${SMALL_MIB}m`
    this.hasSmall = spawnSync('mount', ['-t', 'tmpfs', '-o', size, 'none', this.small]).status === 0
    const share = spawn('bindfs', ['-f', this.#source, this.#share], { stdio: 'ignore' })
    share.on('error', () => undefined)
    for (let ms = 0; ms < MOUNT_MS && readdirSync(this.#share).length === 0; ms += 50) {
      await delay(50)
    }
    if (readdirSync(this.#share).length > 0) this.share = share
  }

  /** Nothing more fits. */
  fill(): void {
    for (let mib = SMALL_MIB; mib > 0; mib -= 1) {
      try {
        writeFileSync(join(this.small, 'filler'), Buffer.alloc(2 ** 20), { flag: 'a' })
      } catch {
        return
      }
    }
  }

  empty(): void {
    rmSync(join(this.small, 'filler'), { force: true })
  }

  end(): void {
    this.share?.kill('SIGCONT')
    for (const mounted of [this.#share, this.small]) spawnSync('umount', ['-l', mounted])
    this.share?.kill('SIGKILL')
  }
}
