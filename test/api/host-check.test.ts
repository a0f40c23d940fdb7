// By which of its addresses a service was called: the one that the connection was made to, whole.
import { expect, it } from 'vitest'
import { authorityOf, hostRefusal } from '../../src/api/host-check.js'

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

it('has a target that is a path; the whole server is asked for its options alone', () => {
  const own = at('10.0.0.1')
  const asked = (method: string, target: string): boolean =>
    hostRefusal({ method, rawHeaders: ['Host', own] }, target, own) === null
  expect(['/', '/api/v1/status', '//'].map((target) => asked('GET', target)))
    .toEqual([true, true, true])
  expect(asked('OPTIONS', '*')).toBe(true)
  // Anything else than a path was answered with the wall, as a page of the API's.
  expect(['GET', 'HEAD', 'POST'].filter((method) => asked(method, '*'))).toEqual([])
  expect(['', 'x', `http://${own}/`].filter((target) => asked('OPTIONS', target))).toEqual([])
})

it('a refusal names both that may be wrong: a proxy has the Host right and the target not', () => {
  expect(hostRefusal({ method: 'GET', rawHeaders: [] }, '/', at('10.0.0.1'))?.message).toBe(
    'the Host header must be 10.0.0.1:47831, the numeric address and port, and the target a path')
})
