// A share that can hang: a folder that is seen through a process, which can be made to stand still.
import { spawn, spawnSync, type ChildProcess } from 'node:child_process'
import { mkdirSync, readdirSync } from 'node:fs'
import { until } from './pulse.js'

const MOUNT_MS = 5_000

export class BindfsShare {
  private constructor(private readonly at: string, private readonly child: ChildProcess) {}

  /** A folder `at` with what is in `source`; null where bindfs is missing or may not mount. */
  static async mount(source: string, at: string): Promise<BindfsShare | null> {
    mkdirSync(at)
    const child = spawn('bindfs', ['-f', source, at], { stdio: 'ignore' })
    child.on('error', () => undefined)
    const isThere = await until(() => readdirSync(at).length > 0, MOUNT_MS)
    return isThere ? new BindfsShare(at, child) : null
  }

  get pid(): number {
    return this.child.pid ?? 0
  }

  hang(): void {
    this.child.kill('SIGSTOP')
  }

  answer(): void {
    this.child.kill('SIGCONT')
  }

  end(): void {
    this.answer()
    spawnSync('umount', ['-l', this.at])
    this.child.kill('SIGKILL')
  }
}
