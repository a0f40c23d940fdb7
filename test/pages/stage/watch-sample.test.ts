// The sample of docs/stage.md that starts a browser again whose page crashed.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { runInNewContext } from 'node:vm'
import { expect, it } from 'vitest'
import { VirtualTimers } from '../../../src/clock/virtual.js'

const DOCS = readFileSync(join(import.meta.dirname, '../../../docs/stage.md'), 'utf8')
const [, SAMPLE = ''] = /```js\n(import[^`]*)```/.exec(DOCS) ?? []

const watching = () => {
  const timers = new VirtualTimers(0)
  const ran: string[] = []
  const sockets: Socket[] = []
  class Socket {
    onmessage = (_event: { data: string }): void => undefined
    onclose = (): void => undefined
    constructor() {
      sockets.push(this)
    }
    /** What the daemon tells: each stage, whether it is gone. */
    tell(kind: 'state' | 'change', ...gone: readonly boolean[]): void {
      const stages = gone.map((one) => ({ id: 'a', gone: one, report: {} }))
      this.onmessage({ data: JSON.stringify({ kind, n: 1, stages }) })
    }
  }
  runInNewContext(SAMPLE.replace(/^import.*\n/gm, ''), {
    WebSocket: Socket, JSON,
    setTimeout: (act: () => void, ms: number) => timers.after(ms, act),
    setInterval: (act: () => void, ms: number) => timers.every(ms, act),
    execFile: (file: string, args: readonly string[]) => ran.push([file, ...args].join(' ')),
  })
  const latest = (): Socket => sockets.at(-1) as Socket
  return { timers, ran, latest }
}
const RESTART = 'systemctl --user restart cartwall-stage'

it('a stage that is gone for 25 s is started again, and once more where it does not come', () => {
  const { timers, ran, latest } = watching()
  latest().tell('state', false)
  timers.pass(60_000)
  latest().onmessage({ data: '{"kind":"hello"}' })
  latest().tell('change', true)
  timers.pass(24_999)
  expect(ran).toEqual([])
  timers.pass(1)
  expect(ran).toEqual([RESTART])
  timers.pass(30_000)
  expect(ran).toEqual([RESTART, RESTART])
  latest().tell('change', true, false)
  timers.pass(600_000)
  expect(ran).toHaveLength(2)
})

it('a stage that comes back by itself, and a daemon that is away, are left alone', () => {
  const { timers, ran, latest } = watching()
  latest().tell('state', true)
  timers.pass(20_000)
  latest().tell('change', false)
  timers.pass(5_000)
  latest().tell('change', true)
  timers.pass(20_000)
  const before = latest()
  before.onclose()
  timers.pass(600_000)
  expect(ran).toEqual([])
  // The daemon is there again, and no stage with it.
  expect(latest()).not.toBe(before)
  latest().tell('state')
  timers.pass(25_000)
  expect(ran).toEqual([RESTART])
})
