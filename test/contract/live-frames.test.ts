// The binary frames of /live: what is written is read again, and the bytes lie where they are said.
import { describe, expect, test } from 'vitest'
import {
  readLiveFrame, writeLevels, writeLights,
} from '../../src/contract/live-frames.js'

const ID = '0d5e7f10-1234-4abc-8def-00112233445f'

describe('levels', () => {
  const bytes = writeLevels({
    frame: 2 ** 40, master: { left: 0.5, right: 0.25 },
    runs: [{ executionId: ID, left: 1, right: 0 }],
  })

  test('are read as they were written', () => {
    expect(readLiveFrame(bytes.buffer)).toEqual({
      kind: 'levels', frame: 2 ** 40, master: { left: 0.5, right: 0.25 },
      runs: [{ executionId: ID, left: 1, right: 0 }],
    })
  })

  test('lie where the layout says', () => {
    const view = new DataView(bytes.buffer)
    expect(bytes.length).toBe(12 + 8 + 24)
    expect([view.getUint8(0), view.getUint16(2, true)]).toEqual([1, 1])
    expect([view.getFloat32(12, true), view.getUint8(20)]).toEqual([0.5, 0x0d])
  })

  test('that are cut, or longer than they say, are passed over', () => {
    expect(readLiveFrame(new Uint8Array([...bytes, 0]).buffer)).toBeNull()
    expect(readLiveFrame(bytes.buffer.slice(0, -1))).toBeNull()
    expect(readLiveFrame(new ArrayBuffer(3))).toBeNull()
  })
})

describe('lights', () => {
  const slots = Uint8Array.from({ length: 512 }, (_, n) => n % 256)

  test('are read as they were written', () => {
    const bytes = writeLights({ frame: 48_000, universes: [{ universe: 32_767, slots }] })
    expect(bytes.length).toBe(12 + 516)
    expect(readLiveFrame(bytes.buffer)).toEqual({
      kind: 'lights', frame: 48_000, universes: [{ universe: 32_767, slots }],
    })
  })

  test('of no universe are a frame too', () => {
    expect(readLiveFrame(writeLights({ frame: 0, universes: [] }).buffer)).toEqual({
      kind: 'lights', frame: 0, universes: [],
    })
  })
})
