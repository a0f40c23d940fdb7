// The Node that package.json promises runs every package: `npm ci` on it has nothing to warn of.
import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { satisfies } from 'semver'
import { expect, test } from 'vitest'

const ROOT = resolve(import.meta.dirname, '../..')

interface Locked {
  readonly version?: string
  readonly engines?: { readonly node?: string }
}
interface Lock {
  readonly packages: Readonly<Record<string, Locked>>
}

const json = (name: string): unknown => JSON.parse(readFileSync(join(ROOT, name), 'utf8'))

/** The packages that say they do not run on this version of Node. */
const unfit = ({ packages }: Lock, node: string): string[] =>
  Object.entries(packages).flatMap(([path, { version = '', engines }]) =>
    satisfies(node, engines?.node ?? '*') ? [] : [`${path} ${version}: ${engines?.node ?? ''}`])

test('every package of the lock runs on the oldest Node that is promised', () => {
  const { engines } = json('package.json') as { engines: { node: string } }
  expect(engines.node).toMatch(/^>=\d+\.\d+$/)
  expect(unfit(json('package-lock.json') as Lock, `${engines.node.slice(2)}.0`)).toEqual([])
})

test('one that wants a newer Node is named, with what it wants', () => {
  const packages = { 'node_modules/a': { version: '2.0.2', engines: { node: '>=22' } } }
  expect(unfit({ packages }, '20.19.0')).toEqual(['node_modules/a 2.0.2: >=22'])
})
