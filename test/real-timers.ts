// The files of a process share its clock: where one leaves another clock behind, that is told at
// once, and not by a test that waits for ever.
import { afterAll, expect } from 'vitest'

const NAMES = ['setTimeout', 'clearTimeout', 'setInterval', 'setImmediate', 'Date'] as const
const before = NAMES.map((name) => globalThis[name] as unknown)

// A spy over a fake is undone only between two files, and then puts the fake in its place.
if ('clock' in setTimeout) {
  throw new Error('a file that ran before this one in the same process left its fake timers behind')
}

afterAll(() => {
  const left = NAMES.filter((name, n) => globalThis[name] !== before[n])
  expect(left, 'these are fakes that the file left behind').toEqual([])
})
