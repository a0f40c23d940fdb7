// The disks of a soak: a share that can hang, and a small one, for the flight recorder and the
// cache, that can be full. Both need a mount; where that is not allowed the faults are left out.
import { spawnSync } from 'node:child_process'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { BindfsShare } from '../bindfs-share.js'
import { writeFloatWav } from '../media-files.js'

const SMALL_MIB = 48

export class SoakDisks {
  /** Where the small disk is, and whether it is one. */
  readonly small: string
  hasSmall = false
  /** Null where nothing can be made to hang. */
  share: BindfsShare | null = null
  readonly #source: string
  readonly #share: string

  constructor(folder: string) {
    this.small = join(folder, 'small')
    this.#source = join(folder, 'source')
    this.#share = join(folder, 'share')
  }

  async begin(): Promise<void> {
    for (const folder of [this.small, this.#source]) mkdirSync(folder)
    writeFloatWav(join(this.#source, 'away.wav'), 96_000, () => [0, 0])
    const size = `size=${SMALL_MIB}m`
    this.hasSmall = spawnSync('mount', ['-t', 'tmpfs', '-o', size, 'none', this.small]).status === 0
    this.share = await BindfsShare.mount(this.#source, this.#share)
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
    this.share?.end()
    spawnSync('umount', ['-l', this.small])
  }
}
