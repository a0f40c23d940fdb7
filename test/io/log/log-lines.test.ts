// Lines that wait for stdout or stderr: bounded, in order, and nothing is lost without being told.
import { describe, expect, it } from 'vitest'
import { LogLines } from '../../../src/io/log/log-lines.js'

const rig = () => {
  const sent: string[] = []
  const clock = { ms: 0 }
  const lines = new LogLines({
    send: (text) => {
      sent.push(text)
    },
    lossLine: (count) => `lost ${String(count)}\n`,
    nowMs: () => clock.ms,
  })
  return { sent, clock, lines }
}

const LONG = `${'x'.repeat(1023)}\n`

describe('lines that wait for a reader', () => {
  it('leave one batch at a time, in order', () => {
    const { sent, lines } = rig()
    lines.add('a\n')
    expect(sent).toEqual([])
    lines.resume()
    lines.add('b\n')
    lines.add('c\n')
    expect(sent).toEqual(['a\n'])
    lines.written()
    expect(sent).toEqual(['a\n', 'b\nc\n'])
    lines.written()
    expect(lines.isEmpty).toBe(true)
  })

  it('are counted beyond a megabyte, and the count stands where they are missing', () => {
    const { sent, lines } = rig()
    lines.resume()
    for (let n = 0; n < 1_200; n += 1) lines.add(LONG)
    expect(lines.lost).toBe(1_200 - 1 - 1_024)
    lines.written()
    lines.add('after\n')
    while (!lines.isEmpty) lines.written()
    const text = sent.join('')
    expect(text.endsWith(`${LONG}lost 175\nafter\n`)).toBe(true)
    expect(text.split(LONG).length - 1).toBe(1_025)
  })

  it('of any length leave: one that is longer than a batch by itself', () => {
    for (const length of [65_535, 65_536, 65_537, 200_000]) {
      const { sent, lines } = rig()
      lines.resume()
      const long = `${'x'.repeat(length - 1)}\n`
      for (const line of ['a\n', long, 'b\n']) lines.add(line)
      for (let n = 0; n < 5 && !lines.isEmpty; n += 1) lines.written()
      expect([lines.isEmpty, lines.lost, sent.join('') === `a\n${long}b\n`])
        .toEqual([true, 0, true])
    }
  })

  it('are sent in batches of 64 KiB at most, as full as whole lines make them', () => {
    const { sent, lines } = rig()
    for (let n = 0; n < 200; n += 1) lines.add(LONG)
    lines.resume()
    while (!lines.isEmpty) lines.written()
    expect(sent.map((text) => text.length / LONG.length)).toEqual([64, 64, 64, 8])
  })

  it('what ended while nothing was out has lost nothing', () => {
    const { sent, lines } = rig()
    lines.resume()
    lines.failed('the log process ended (SIGKILL)')
    lines.add('a\n')
    expect([sent, lines.lost, lines.trouble])
      .toEqual([[], 0, 'the log process ended (SIGKILL)'])
    lines.resume()
    lines.written()
    expect([sent, lines.lost, lines.trouble]).toEqual([['a\n'], 0, null])
  })

  it('of a batch that failed are lost and told first when writing goes on', () => {
    const { sent, lines } = rig()
    lines.resume()
    lines.add('a\n')
    lines.add('b\n')
    lines.failed('ENOSPC: no space left on device, write')
    expect([lines.lost, lines.trouble]).toEqual([1, 'ENOSPC: no space left on device, write'])
    lines.add('c\n')
    expect(sent).toEqual(['a\n'])
    lines.resume()
    expect(sent.at(-1)).toBe('lost 1\nb\nc\n')
    lines.failed('ENOSPC: no space left on device, write')
    expect(lines.lost).toBe(3)
    lines.resume()
    expect(sent.at(-1)).toBe('lost 3\n')
    lines.written()
    expect([lines.lost, lines.trouble, lines.isEmpty]).toEqual([3, null, true])
  })

  it('tell after two seconds that nobody reads', () => {
    const { clock, lines } = rig()
    lines.resume()
    lines.add('a\n')
    clock.ms = 1_999
    expect(lines.trouble).toBeNull()
    clock.ms = 12_000
    expect(lines.trouble).toBe('nothing was taken for 12 s: nobody reads it')
    lines.written()
    expect(lines.trouble).toBeNull()
  })
})

it('lines that are lost again, with the line that told of them, are still that many', () => {
  const { sent, lines } = rig()
  lines.resume()
  for (let n = 0; n < 1_200; n += 1) lines.add(LONG)
  // All that waited goes out, up to the place where 175 are missing; and that fails.
  lines.written()
  while (!sent.at(-1)!.includes('lost')) lines.written()
  const inBatch = sent.at(-1)!.split(LONG).length - 1
  lines.failed('ENOSPC: no space left on device, write')
  lines.add('after\n')
  lines.resume()
  expect(sent.at(-1)).toBe(`lost ${String(175 + inBatch)}\nafter\n`)
  expect(lines.lost).toBe(175 + inBatch)
})
