// By which of its addresses a service was called: the one that the connection was made to, whole.
import { expect, it } from 'vitest'
import { authorityOf } from '../../src/api/host-check.js'

/** Each of these begins another one, or is begun by it. */
const HOSTS = ['10.0.0.1', '10.0.0.10', '10.0.0.100', '110.0.0.1'] as const
const at = (host: string): string => `${host}:47831`

/** Every order of some addresses. */
const ordersOf = (hosts: readonly string[]): readonly (readonly string[])[] =>
  hosts.length < 2 ? [hosts] : hosts.flatMap((first) =>
    ordersOf(hosts.filter((host) => host !== first)).map((rest) => [first, ...rest]))

it.each(HOSTS)('of several addresses %s is told as itself, in whatever order', (host) => {
  const told = ordersOf(HOSTS).map((hosts) =>
    authorityOf({ localAddress: host }, hosts.map(at) as [string, ...string[]]))
  expect(new Set(told)).toEqual(new Set([at(host)]))
})

it('is the only one there is, and the first one where the connection is gone already', () => {
  expect(authorityOf({ localAddress: '10.0.0.10' }, at('10.0.0.1'))).toBe(at('10.0.0.1'))
  expect(authorityOf({}, [at('10.0.0.10'), at('10.0.0.1')])).toBe(at('10.0.0.10'))
})
