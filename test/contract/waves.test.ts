// The binary of small waveforms: what is written is read, and what is cut or foreign is left out.
import { describe, expect, it } from 'vitest'
import { readWaves, WAVE_COLUMNS, writeWaves } from '../../src/contract/waves.js'

const ID = '397e4b90-2975-4cc3-b733-b8c3fd0e9951'
const OTHER = '00000000-0000-4000-8000-000000000002'
const peaks = (first: number): Uint8Array =>
  Uint8Array.from({ length: WAVE_COLUMNS }, (_each, n) => (first + n) % 256)

describe('small waveforms', () => {
  it('are read as they were written, by the id of their button', () => {
    const waves = new Map([[ID, peaks(3)], [OTHER, peaks(90)]])
    expect(readWaves(writeWaves(waves).buffer)).toEqual(waves)
    expect(readWaves(writeWaves(new Map()).buffer)).toEqual(new Map())
  })

  it('are told little endian, as the contract says', () => {
    const bytes = writeWaves(new Map([[ID, peaks(7)]]))
    expect([...bytes.subarray(0, 20)]).toEqual([
      1, 0, 0, 0, 1, 0, 0, 0, WAVE_COLUMNS, 0, 0, 0, 0, 0, 0, 0, 0x39, 0x7e, 0x4b, 0x90,
    ])
    expect([...bytes.subarray(32, 34)]).toEqual([7, 8])
  })

  it('that are cut short, or of another version, are left out', () => {
    const bytes = writeWaves(new Map([[ID, peaks(1)], [OTHER, peaks(2)]]))
    expect([...readWaves(bytes.buffer.slice(0, bytes.length - 1)).keys()]).toEqual([ID])
    expect(readWaves(new ArrayBuffer(3)).size).toBe(0)
    bytes[0] = 2
    expect(readWaves(bytes.buffer).size).toBe(0)
  })
})
