// Which buttons are armed, as bits: what is written is read, in the order of the contract.
import { expect, test } from 'vitest'
import { readArmed, writeArmed } from '../../src/contract/armed-bits.js'

const ids = (count: number): string[] => Array.from({ length: count }, (_, n) => `b${n}`)

test.each([0, 1, 7, 8, 9, 10_000])('%i buttons are read as they were written', (count) => {
  for (const every of [1, 2, 3, 8, 9]) {
    const armed = ids(count).map((_, n) => n % every === 0)
    const told = readArmed(writeArmed(armed), ids(count))
    expect([...told]).toEqual(ids(count).filter((_, n) => armed[n]))
  }
})

test('button n is bit n % 8, from the lowest, of byte n >> 3', () => {
  const armed = ids(10).map((_, n) => n === 0 || n === 3 || n === 9)
  expect([...Buffer.from(writeArmed(armed), 'base64')]).toEqual([0b1001, 0b10])
})

test('buttons beyond the text are not armed, and of what is no text none is', () => {
  expect([...readArmed(writeArmed([true]), ids(20))]).toEqual(['b0'])
  expect([...readArmed('%', ids(20))]).toEqual([])
})
