// The signals of `cartwall serve`, also those that come before there is anything to reload.
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { Signals } from '../../src/command/signals.js'

/** Who hears of each signal; this process itself gets none. */
const heard = new Map<string, () => void>()
let signals: Signals
let reloads: number
beforeEach(() => {
  heard.clear()
  vi.spyOn(process, 'on').mockImplementation((name, listener) => {
    heard.set(String(name), listener as () => void)
    return process
  })
  signals = new Signals()
  reloads = 0
})
afterEach(() => {
  vi.restoreAllMocks()
})
const send = (...names: readonly string[]): void => {
  for (const name of names) heard.get(name)!()
}
const reload = (): void => {
  reloads += 1
}

it.each([
  [['SIGINT'], 'SIGINT'], [['SIGTERM'], 'SIGTERM'], [['SIGTERM', 'SIGINT', 'SIGINT'], 'SIGTERM'],
  [['SIGUSR1', 'SIGUSR2', 'SIGHUP', 'SIGINT'], 'SIGINT'],
])('after %j it ends for %s', async (names, reason) => {
  send(...names)
  expect(await signals.ended).toBe(reason)
})

it('SIGHUP reloads each time; however often it came before, that is one', () => {
  send('SIGHUP', 'SIGHUP', 'SIGHUP')
  expect(reloads).toBe(0)
  signals.onReload(reload)
  expect(reloads).toBe(1)
  send('SIGHUP', 'SIGHUP')
  expect(reloads).toBe(3)
})

it('nothing is reloaded where nobody asked for it', () => {
  send('SIGUSR1', 'SIGUSR2')
  signals.onReload(reload)
  expect(reloads).toBe(0)
})
