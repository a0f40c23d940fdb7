// The addon of another version of cartwall is told by the stamp that it was built with.
import { createHash } from 'node:crypto'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { isOfOtherPatch } from '../../../src/io/speaker/addon-patch.js'

const folder = mkdtempSync(join(tmpdir(), 'cartwall-patch-'))
const [speaker, cartwall] = [join(folder, 'speaker'), join(folder, 'cartwall')]
const isOther = (): boolean => isOfOtherPatch((name) => join(folder, name))
mkdirSync(join(speaker, 'build'), { recursive: true })
mkdirSync(join(cartwall, 'patches'), { recursive: true })
writeFileSync(join(speaker, 'package.json'), '{ "version": "0.5.5" }')
const hashOf = (text: string): string => createHash('sha256').update(text).digest('hex')

afterAll(() => {
  rmSync(folder, { recursive: true })
})

it('is of another patch where its stamp is, and not where nothing is known', () => {
  expect(isOther()).toBe(false)
  writeFileSync(join(cartwall, 'patches/speaker+0.5.5.patch'), 'as now')
  expect(isOther()).toBe(false)
  writeFileSync(join(speaker, 'build/.cartwall-patch'), `${hashOf('before')} linux x64 115`)
  expect(isOther()).toBe(true)
  writeFileSync(join(speaker, 'build/.cartwall-patch'), `${hashOf('as now')} linux x64 115`)
  expect(isOther()).toBe(false)
  expect(isOfOtherPatch(() => join(folder, 'nowhere'))).toBe(false)
})
