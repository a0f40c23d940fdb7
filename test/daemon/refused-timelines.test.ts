// What an operator reads of timelines that cannot be used, when a show was read.
import { pino } from 'pino'
import { expect, it } from 'vitest'
import { frame } from '../../src/clock/frame.js'
import { buildTimeline } from '../../src/engine/lighting/timeline-build.js'
import { refusedTimelines } from '../../src/daemon/refused-timelines.js'

const GOOD = { ok: true, timeline: buildTimeline(frame(48), []) } as const
const gone = (message: string) => ({ ok: false, message }) as const

it('each is said once, and again when it is refused for another reason or once more', () => {
  const lines: unknown[] = []
  const log = pino({ base: null, timestamp: false }, {
    write: (line: string) => lines.push(JSON.parse(line)),
  })
  const hear = refusedTimelines(log)
  const said = (answer: typeof GOOD | ReturnType<typeof gone>): unknown[] => {
    lines.length = 0
    hear(new Map([['/show/dawn.json', GOOD], ['/show/dusk.json', answer]]))
    return [...lines]
  }
  const line = (message: string): object =>
    ({ level: 40, path: '/show/dusk.json', msg: `dusk.json: no lights: ${message}` })
  expect(said(gone('the file is missing'))).toEqual([line('the file is missing')])
  for (let saves = 0; saves < 3; saves += 1) {
    expect(said(gone('the file is missing'))).toEqual([])
  }
  expect(said(gone('version: must be 1'))).toEqual([line('version: must be 1')])
  expect(said(GOOD)).toEqual([])
  expect(said(gone('version: must be 1'))).toEqual([line('version: must be 1')])
})
