// A page's requests as a browser makes them, given up where nobody answers; and what wakes a page.
// Without a browser, whose time and network nobody can move by hand.
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { browserPorts, showPorts, wakeWith } from '../../src/pages/shared/browser-ports.js'
import { PageTime } from '../pages/wall/page-time.js'

let time: PageTime
vi.mock('../../src/client/time.js', () => ({
  nowMs: () => time.now(), after: (ms: number, act: () => void) => time.after(ms, act),
}))

/** In place of the daemon, as fetch has it: an answer, nobody who listens, or no word at all. */
let answer: Response | 'nobody' | 'silence'
beforeEach(() => {
  time = new PageTime()
  vi.stubGlobal('fetch', (_path: string, { signal }: RequestInit) => {
    if (answer === 'nobody') return Promise.reject(new TypeError('failed to fetch'))
    if (answer !== 'silence') return Promise.resolve(answer)
    return new Promise((_answer, reject) => {
      signal?.addEventListener('abort', () => reject(new Error('aborted')))
    })
  })
})
afterEach(() => void vi.unstubAllGlobals())

/** What came of it by now; null: nothing yet. */
const outcomeOf = <T>(call: Promise<T>): { got: T | 'rejected' | null } => {
  const outcome: { got: T | 'rejected' | null } = { got: null }
  call.then((got) => (outcome.got = got), () => (outcome.got = 'rejected'))
  return outcome
}

describe('whether the daemon is there', () => {
  test.each([
    [Response.json({}), true], [new Response(null, { status: 403 }), true], ['nobody', false],
  ] as const)('is told at once where it is known: %o', async (known, isThere) => {
    answer = known
    const outcome = outcomeOf(browserPorts.isThere())
    await time.pass(0)
    expect(outcome.got).toBe(isThere)
  })

  test('it is not where no word came in a second, e.g. from a network that was left', async () => {
    answer = 'silence'
    const outcome = outcomeOf(browserPorts.isThere())
    await time.pass(990)
    expect(outcome.got).toBeNull()
    await time.pass(20)
    expect(outcome.got).toBe(false)
  })
})

describe('what is read', () => {
  test('comes with its version; what is refused is nothing', async () => {
    answer = Response.json({ title: 'Night' }, { headers: { etag: '"a"' } })
    expect(await showPorts.read('/show', null)).toEqual({ etag: '"a"', body: { title: 'Night' } })
    answer = Response.json({}, { status: 403 })
    expect(await showPorts.read('/show', null)).toBeNull()
  })

  test('is given up by who asked, though no word ever comes', async () => {
    answer = 'silence'
    const over = new AbortController()
    const outcome = outcomeOf(showPorts.read('/show', over.signal))
    await time.pass(60_000)
    expect(outcome.got).toBeNull()
    over.abort()
    await time.pass(0)
    expect(outcome.got).toBe('rejected')
  })
})

test('a page wakes as it is seen, comes back from the store of pages, or has a network', () => {
  const page = Object.assign(new EventTarget(), { hidden: false })
  const frame = new EventTarget()
  vi.stubGlobal('document', page)
  vi.stubGlobal('window', frame)
  const woken: string[] = []
  let cause = ''
  wakeWith(() => woken.push(cause))
  const happen = (target: EventTarget, name: string, hidden: boolean): void => {
    cause = `${name}${hidden ? ' hidden' : ''}`
    page.hidden = hidden
    target.dispatchEvent(new Event(name))
  }
  happen(page, 'visibilitychange', true)
  happen(page, 'visibilitychange', false)
  happen(frame, 'pageshow', false)
  happen(frame, 'online', false)
  expect(woken).toEqual(['visibilitychange', 'pageshow', 'online'])
})
