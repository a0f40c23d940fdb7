// A show file that was saved with a fault: the wall says so until it is mended or put aside.
import { expect, test } from 'vitest'
import type { LiveChange } from '../../../src/contract/live.js'
import { faultsIn, ShowFault } from '../../../src/pages/wall/show/show-fault.js'
import { PageTime } from './page-time.js'

const change = (change: 'busy' | 'kept' | 'replaced', message: string | null): LiveChange => ({
  kind: 'change', n: 1, at: 0, runs: [], events: [{ name: 'catalogue', data: { change, message } }],
})

const opened = (first: string | null) => {
  const time = new PageTime()
  const service = { showError: first }
  const read = () => Promise.resolve({ etag: null, body: { ...service } })
  const fault = new ShowFault({ read, after: (ms, call) => time.after(ms, call) })
  return { time, fault, service }
}

const RUN: LiveChange['events'][number] = { name: 'run', data: {
  executionId: 'e', buttonId: 'b', state: 'playing', positionMs: 0, durationMs: 0, startMs: 0,
  endMs: null, endReason: null, cause: 'ready', message: null,
} }

test('one that comes while the wall is open is told, and gone once the file is mended', () => {
  const { fault } = opened(null)
  fault.note(change('busy', null))
  expect(fault.told.value).toBeNull()
  fault.note(change('kept', 'title: must be text'))
  expect(fault.told.value).toBe('title: must be text')
  fault.note(change('busy', null))
  expect(fault.told.value).toBe('title: must be text')
  fault.note(change('replaced', null))
  expect(fault.told.value).toBeNull()
})

test('one that was there before is told a second after the connection', async () => {
  const { time, fault } = opened('title: must be text')
  fault.look()
  await time.pass(900)
  expect(fault.told.value).toBeNull()
  await time.pass(200)
  expect(fault.told.value).toBe('title: must be text')
  fault.putAside()
  expect(fault.told.value).toBeNull()
})

test('one that was put aside stays so after a connection, until there is another', async () => {
  const { time, fault } = opened('title: must be text')
  fault.note(change('kept', 'title: must be text'))
  fault.putAside()
  fault.note({ ...change('busy', null), events: [RUN] })
  fault.note(change('busy', null))
  fault.look()
  await time.pass(1_100)
  expect(fault.told.value).toBeNull()
  fault.note(change('kept', 'title: must be text'))
  expect(fault.told.value).toBe('title: must be text')
})

test('one that was put aside and mended is told when it is made again', async () => {
  const { time, fault } = opened('title: must be text')
  fault.note(change('kept', 'title: must be text'))
  fault.putAside()
  fault.note(change('replaced', null))
  fault.look()
  await time.pass(1_100)
  expect(fault.told.value).toBe('title: must be text')
})

test('one that was mended and made again while there was no connection is told', async () => {
  const { time, fault, service } = opened(null)
  fault.note(change('kept', 'title: must be text'))
  fault.putAside()
  fault.look()
  await time.pass(1_100)
  service.showError = 'title: must be text'
  fault.look()
  await time.pass(1_100)
  expect(fault.told.value).toBe('title: must be text')
})

test.each([
  ['title: must be text', ['title: must be text'], 0],
  ['line 3, column 9: a comma; or a brace must stand here',
    ['line 3, column 9: a comma; or a brace must stand here'], 0],
  ['a.b: no (button "Rock; Roll"); c[0].d: no; version: no; and 17 more',
    ['a.b: no (button "Rock; Roll")', 'c[0].d: no'], 18],
  ['a: no; b: no', ['a: no', 'b: no'], 0],
  ['a[0].b: no; a[0]["fade out"]: is an unknown key; ["my \\"; key"].c: no; d-e: no',
    ['a[0].b: no', 'a[0]["fade out"]: is an unknown key'], 2],
])('%s is told one by one', (message, shown, more) => {
  expect(faultsIn(message)).toEqual({ shown, more })
})
