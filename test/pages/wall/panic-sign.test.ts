// What the wall tells of a panic, and for how long.
import { beforeEach, describe, expect, test } from 'vitest'
import { PanicSign } from '../../../src/pages/wall/panic-sign.js'
import { PageTime } from './page-time.js'

const DONE = { kind: 'done', way: 'fade', fading: 1, stopped: 0 } as const
const NOT_SENT = { kind: 'not_sent', message: null, mayHaveArrived: false } as const

let time: PageTime
let sign: PanicSign
beforeEach(() => {
  time = new PageTime()
  sign = new PanicSign(time.after)
})
const kind = (): string => sign.state.value.kind

describe('the sign of a panic', () => {
  test('that was done goes after eight seconds', async () => {
    sign.tell(DONE)
    await time.pass(7_999)
    expect(kind()).toBe('done')
    await time.pass(1)
    expect(kind()).toBe('calm')
  })

  test('that was not sent stays, whatever was told shortly before it', async () => {
    sign.tell(DONE)
    await time.pass(6_000)
    sign.tell(NOT_SENT)
    await time.pass(60_000)
    expect(kind()).toBe('not_sent')
    expect([sign.close(), kind(), sign.close()]).toEqual([true, 'calm', false])
  })

  test('that found no connection is told as missed once there is one', async () => {
    sign.tell(NOT_SENT)
    sign.connected()
    expect(sign.state.value).toEqual({ kind: 'missed', mayHaveArrived: false })
    await time.pass(8_000)
    expect(kind()).toBe('calm')
  })

  test('that was refused stays with its reason, also with a connection', async () => {
    sign.tell({ ...NOT_SENT, message: 'shutting_down: the service ends' })
    sign.connected()
    await time.pass(60_000)
    expect(kind()).toBe('not_sent')
  })
})
