// The files of a process share what they have loaded. What was loaded over a stand-in (`vi.mock`),
// e.g. for `node:worker_threads`, is loaded anew by the file that comes next.
import { readFileSync } from 'node:fs'
import { afterAll, expect, vi } from 'vitest'

afterAll(() => {
  const { testPath } = expect.getState()
  if (testPath !== undefined && readFileSync(testPath, 'utf8').includes('vi.mock(')) {
    vi.resetModules()
  }
})
