// Daemons for the tests of a file: what a test made is ended, and its folder gone, after it.
import { afterEach } from 'vitest'
import { Daemon, type ListJson } from './daemon-rig.js'

/** Answers what makes one. `lists` is its show; null: its test writes one. */
export const daemonForEach = (lists: readonly ListJson[] | null): (() => Daemon) => {
  const daemons: Daemon[] = []
  afterEach(async () => {
    for (const daemon of daemons.splice(0)) await daemon.clean()
  })
  return () => {
    const daemon = new Daemon()
    daemons.push(daemon)
    if (lists !== null) daemon.writeShow(lists)
    return daemon
  }
}
