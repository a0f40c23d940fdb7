// Days and nights in short: every answer and event as the model has it; HTTP answers as calls do.
import { describe, expect, test } from 'vitest'
import { spendNight } from '../../sim/night/night.js'
import type { Answer } from '../../sim/night/requests.js'
import { directConnection } from '../../sim/night/connections.js'
import { nightShow, SECOND } from '../../sim/night/night-show.js'
import { JudgedPlayer, type Connection } from '../../sim/night/judged-player.js'
import { difference } from '../../sim/oracle/difference.js'
import { differenceOf } from '../../sim/play/seeds.js'
import { UNKNOWN_ID } from '../../sim/scenario/show.js'
import { liveYear } from '../../sim/play/year.js'

describe('long simulations', () => {
  test('five days of music and quizzes break no rule, and each has the runs of its hours', () => {
    const week = liveYear(5)
    // Ten hours of tracks, a bed and forty stings, an hour and a half of late tracks: by lengths.
    expect(week).toMatchObject({ days: 5, wrong: null, runs: 5 * 235 })
    expect(liveYear(5).hash).toBe(week.hash)
  })

  test('an hour of a quiz app has the same answers directly and through HTTP', async () => {
    const [direct, http] = [await spendNight(1, false, 1), await spendNight(1, true, 1)]
    expect([direct.wrong, http.wrong]).toEqual([null, null])
    expect(http.records).toEqual(direct.records)
    expect(direct.requests).toBeGreaterThan(10_000)
    expect(direct.ends).toBeGreaterThan(1)
    // At the end each run of the night is read once more: by then it is forgotten.
    expect(direct.records.at(-1)).toMatch(/ GET \/api\/v1\/executions\/\S+ 404 /)
    expect(direct.records.filter((record) => / GET \S+executions\S+ 404 /.test(record)).length)
      .toBeGreaterThan(direct.runs)
    // Most of what can be judged without faults is judged.
    expect(direct.rules).toBeGreaterThan(40)
  }, 120_000)

  test('other seeds make other nights, each as it should be', async () => {
    const nights = [await spendNight(1, false, 2), await spendNight(1, false, 3)]
    expect(nights.map(({ wrong }) => wrong)).toEqual([null, null])
    expect(nights[0]?.hash).not.toBe(nights[1]?.hash)
  }, 60_000)
})

describe('a player that is judged', () => {
  /** A bed that has played for a second, and a connection that alters what was answered. */
  const lying = async (lie: (answer: Answer) => Answer) => {
    const judged = new JudgedPlayer(nightShow())
    const connection = directConnection(judged.player, [])
    const { id: button } = judged.buttons[0]!
    await judged.ask({ ask: 'play', button, body: { externalSequencing: true } }, connection)
    judged.passTo(judged.now + SECOND)
    const liar: Connection = {
      ask: (request) => lie(connection.ask(request)), close: () => connection.close(),
    }
    return { judged, liar, bed: judged.oracle.model.state.live[0]!, button }
  }
  const put = (more: object) => ({ status, body }: Answer): Answer =>
    ({ status, body: { ...body, ...more } })

  test.each([
    ['a position one ms off', put({ positionMs: 996 }), /^2.2\/position at frame 48000: .* 995$/],
    ['a length', put({ durationMs: 0 }), /^2.2\/duration/],
    ['another state', put({ state: 'paused' }), /^2.2\/execution at .*: state is "paused"/],
    ['a field that nobody promised', put({ gain: 1 }), /gain is 1, should be undefined/],
    ['another status', ({ body }: Answer) => ({ status: 201, body }), /status is 201, .* be 200/],
  ])('finds %s in an answer', async (_what, lie, told) => {
    const { judged, liar, bed } = await lying(lie)
    await expect(judged.ask({ ask: 'execution', id: bed.id }, liar)).rejects.toThrow(told)
  })

  test('finds what is read wrong of the whole service, and an answer of a command', async () => {
    const dark = await lying(put({ active: [] }))
    await expect(dark.judged.ask({ ask: 'status' }, dark.liar)).rejects.toThrow(/^2.7\/status/)
    const none = await lying(put({ buttons: [] }))
    await expect(none.judged.ask({ ask: 'buttons' }, none.liar)).rejects.toThrow(/^D2\/buttons/)
    const { judged, liar, button } = await lying(put({ result: 'stopped' }))
    const again = judged.ask({ ask: 'play', button, body: null }, liar)
    await expect(again).rejects.toThrow(/^3.2\/play-active at frame 48000: .*already_active/)
  })

  test('finds a run that nobody has, an event untold, a refusal that is none', async () => {
    const other = await lying(() => ({ status: 200, body: { executionId: UNKNOWN_ID } }))
    await expect(other.judged.ask({ ask: 'execution', id: UNKNOWN_ID }, other.liar))
      .rejects.toThrow(/^D3\/id-unknown at frame 48000: .* is found/)
    const deaf = await lying(put({ events: [] }))
    await expect(deaf.judged.ask({ ask: 'events', after: 0 }, deaf.liar))
      .rejects.toThrow(/^the wire \(7, D1\) at frame 48000: GET events after 0: events\.0 is /)
    const kind = await lying(() => ({ status: 200, body: {} }))
    const slash = {
      ask: 'wire', method: 'GET', path: '/api/v1/status/', headers: {}, payload: null,
      status: 404, error: 'not_found',
    } as const
    await expect(kind.judged.ask(slash, kind.liar))
      .rejects.toThrow(/GET \/api\/v1\/status\/: status is 200, should be 404/)
  })

  test('finds what happens though nobody asked for it, and what does not happen', async () => {
    const { judged, button: buttonId } = await lying((answer) => answer)
    const stop = { kind: 'stop', buttonId, executionId: null, fadeOutMs: 0 } as const
    judged.player.submit(stop, () => undefined)
    expect(() => {
      judged.passTo(judged.now + 1)
    }).toThrow(/^3.2\/no-other-edge at frame 48001: b0#1 \(playing\) becomes stopped, unasked/)
    const other = await lying((answer) => answer)
    expect(() => {
      const { runs } = other.judged.oracle.model
      runs.stop(other.bed, 480, 'explicit_stop', 'linear', '3.2/stop-fade')
    }).toThrow(/^3.2\/stop-fade at frame 48000: .* fading_out now; nothing happens/)
  })
})

describe('two nights', () => {
  const compared = (a: readonly string[], b: readonly string[]): string | null =>
    differenceOf({ hash: a.join(), records: a }, { hash: b.join(), records: b }, 'through HTTP')

  test('are told apart at the first record, also where one of them is shorter', () => {
    expect(compared(['a', 'b'], ['a', 'b'])).toBeNull()
    expect(compared(['a', 'b', 'c'], ['a', 'x', 'y'])).toBe(
      'through HTTP: record 1 is "x", was "b"')
    expect(compared(['a', 'b'], ['a'])).toBe('through HTTP: record 1 is "undefined", was "b"')
    expect(compared(['a'], ['a', 'b'])).toBe('through HTTP: record 1 is "b", was "undefined"')
  })

  test('a body differs by a field more, a field less, or a value', () => {
    const body = { a: 1, b: [{ c: null }] }
    expect(difference(body, { a: 1, b: [{ c: null }] }, '')).toBeNull()
    expect(difference({ ...body, d: 0 }, body, '')).toMatchObject({ place: 'd', is: 0 })
    expect(difference({ a: 1 }, body, '')).toMatchObject({ place: 'b', is: undefined })
    expect(difference({ a: 1, b: [{ c: 0 }] }, body, '')).toMatchObject({ place: 'b.0.c' })
    expect(difference({ a: 1, b: [{ c: null }, {}] }, body, '')).toMatchObject({ place: 'b.1' })
    expect(difference({ a: '1', b: body.b }, body, '')).toMatchObject({ place: 'a', should: 1 })
  })
})
