// The files of a process share what they have loaded. A file with stand-ins (`vi.mock`), e.g. for
// `node:worker_threads`, loads anew what would have the real ones from a file before it; and so
// does the file that comes next, which would have the stand-ins.
import { readFileSync } from 'node:fs'
import { afterAll, expect, vi } from 'vitest'

const { testPath } = expect.getState()
if (testPath === undefined) throw new Error('a setup file is read for each file of tests')
if (readFileSync(testPath, 'utf8').includes('vi.mock(')) {
  vi.resetModules()
  afterAll(() => void vi.resetModules())
}
