// What a command says on stdout and on stderr while a test runs it in this process.
import { afterEach, beforeEach, vi } from 'vitest'

export const listening = (): { out: string; err: string } => {
  const said = { out: '', err: '' }
  const into = (name: 'out' | 'err') => (text: Uint8Array | string): boolean => {
    said[name] += String(text)
    return true
  }
  beforeEach(() => {
    said.out = ''
    said.err = ''
    vi.spyOn(process.stdout, 'write').mockImplementation(into('out'))
    vi.spyOn(process.stderr, 'write').mockImplementation(into('err'))
  })
  afterEach(() => {
    vi.restoreAllMocks()
  })
  return said
}
