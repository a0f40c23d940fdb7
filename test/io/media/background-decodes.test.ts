// Decodes that nobody waits for: many to one ffmpeg, and none while somebody waits for sound.
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { VirtualTimers } from '../../../src/clock/virtual.js'
import { BackgroundDecodes } from '../../../src/io/media/decoder/background-decodes.js'
import type {
  BatchMember, BatchOutcome, BatchSurroundings,
} from '../../../src/io/media/decoder/decoder-batch.js'
import type { DecodeRequest, JobMessage } from '../../../src/io/media/decoder/decoder-messages.js'
import { PacedSend } from '../../../src/io/media/decoder/paced-send.js'
import type { Look } from '../../../src/io/media/look/file-look.js'

// Other files of this process may have loaded what is made up here.
vi.hoisted(() => vi.resetModules())

/** In place of an ffmpeg for several: it ends as it is told to. */
interface Batch {
  readonly members: readonly BatchMember[]
  readonly around: BatchSurroundings
  readonly dropped: number[]
}
const batches: Batch[] = []
vi.mock('../../../src/io/media/decoder/decoder-batch.js', () => ({
  DecoderBatch: class {
    readonly dropped: number[] = []

    constructor(readonly members: readonly BatchMember[], readonly around: BatchSurroundings) {}

    run(): void {
      batches.push(this)
    }

    drop(job: number): void {
      if (this.members.some((member) => member.job === job)) this.dropped.push(job)
    }
  },
}))

const turns = async (): Promise<void> => {
  for (let n = 0; n < 5; n += 1) await new Promise((turn) => setImmediate(turn))
}

let timers: VirtualTimers
let sent: JobMessage[]
let isBusy: boolean
/** Decodes on their own: each ends when its `over` is called. */
let alone: { job: number; tell: (message: JobMessage) => void; over: () => void }[]
let background: BackgroundDecodes
const missing = new Set<string>()

beforeEach(() => {
  timers = new VirtualTimers(0)
  batches.length = 0
  missing.clear()
  sent = []
  alone = []
  isBusy = false
  const lookLately = (path: string): Promise<Look> => Promise.resolve(missing.has(path)
    ? { kind: 'missing', message: 'the file is missing' }
    : {
      kind: 'file', stamp: 's', disk: 1, own: null, isMp4: false, seeking: 'exact', type: '',
    })
  background = new BackgroundDecodes({
    timers, looks: { lookLately }, factsOf: () => Promise.resolve(null), isBusy: () => isBusy,
    send: (message, taken) => {
      sent.push(message)
      setImmediate(taken)
    },
    decodeAlone: (job, _request, tell, over) => {
      alone.push({ job, tell, over })
      return { drop: over }
    },
  })
})

const request = (frames: number | null, path = 'bed.wav'): DecodeRequest => ({
  path, origin: 0, from: 0, to: frames, until: frames ?? 48_000, background: true,
})

const jobsOf = ({ members }: Batch): readonly number[] => members.map(({ job }) => job)

const settle = (batch: Batch, outcome: (job: number) => BatchOutcome): void => {
  for (const member of batch.members) batch.around.settled(member, outcome(member.job))
  batch.around.over()
}

const decoded = (frames: number): BatchOutcome =>
  ({ kind: 'decoded', sound: Buffer.alloc(8 * frames), end: frames, source: null })

/** As long as it takes for what was decoded to be handed over. */
const handedOver = async (): Promise<void> => {
  for (let n = 0; n < 130; n += 1) {
    await turns()
    timers.pass(10)
  }
}

describe('what is asked for together', () => {
  it('is decoded together: by two at a time, with 24 each, in the order of asking', async () => {
    for (let job = 0; job < 60; job += 1) background.add(job, request(4_800))
    await turns()
    expect(batches.map(jobsOf)).toEqual([0, 24].map((from) =>
      Array.from({ length: 24 }, (_, n) => from + n)))
    settle(batches[0]!, () => decoded(4_800))
    expect(batches.slice(2).map(jobsOf)).toEqual([Array.from({ length: 12 }, (_, n) => 48 + n)])
    settle(batches[1]!, () => decoded(4_800))
    settle(batches[2]!, () => decoded(4_800))
    await handedOver()
    const ends = sent.filter(({ kind }) => kind === 'done').map(({ job }) => job)
    expect(ends).toEqual(Array.from({ length: 60 }, (_, job) => job))
  })

  it('holds a minute of sound at most, or one that is longer than that', async () => {
    const second = 48_000
    for (const [job, seconds] of [90, 30, 20, 10, 1].entries()) {
      background.add(job, request(seconds * second))
    }
    await turns()
    expect(batches.map(jobsOf)).toEqual([[0], [1, 2, 3]])
  })

  it('is handed over in pieces, each job’s before its end', async () => {
    background.add(1, request(100_000))
    await turns()
    settle(batches[0]!, () => decoded(100_000))
    await handedOver()
    expect(sent.map((each) => each.kind === 'pcm' ? each.left.length : each)).toEqual([
      48_000, 48_000, 4_000, { kind: 'done', job: 1, end: 100_000, source: null },
    ])
  })

  it('one that spoils it is decoded alone, now and later; the others once more', async () => {
    for (const job of [1, 2]) background.add(job, request(4_800, `${job}.wav`))
    await turns()
    settle(batches[0]!, (job) => job === 1 ? { kind: 'alone', isCulprit: true } : { kind: 'again' })
    expect([alone.map(({ job }) => job), batches.slice(1).map(jobsOf)]).toEqual([[1], [[2]]])
    alone[0]!.tell({ kind: 'failed', job: 1, message: 'no sound' })
    alone[0]!.over()
    settle(batches[1]!, () => decoded(4_800))
    for (const job of [3, 4]) background.add(job, request(4_800, `${job - 2}.wav`))
    await turns()
    expect([alone.map(({ job }) => job), batches.slice(2).map(jobsOf)]).toEqual([[1, 3], [[4]]])
  })

  it('one whose end is not known, and one that is missing, are told by themselves', async () => {
    missing.add('gone.wav')
    background.add(1, request(null))
    background.add(2, request(4_800, 'gone.wav'))
    background.add(3, request(null))
    await turns()
    expect([batches.length, alone.map(({ job }) => job)]).toEqual([0, [1]])
    expect(sent).toEqual([{ kind: 'failed', job: 2, message: 'gone.wav: the file is missing' }])
    alone[0]!.tell({ kind: 'done', job: 1, end: 9, source: 9 })
    alone[0]!.over()
    await turns()
    expect(alone.map(({ job }) => job)).toEqual([1, 3])
  })

  it('what is not wanted any more is not begun, or dropped', async () => {
    for (let job = 0; job < 50; job += 1) background.add(job, request(4_800))
    await turns()
    background.drop(3)
    background.drop(49)
    expect([batches[0]!.dropped, batches[1]!.dropped]).toEqual([[3], []])
    settle(batches[0]!, () => decoded(1))
    expect(jobsOf(batches[2]!)).toEqual([48])
    background.close()
    expect(batches[2]!.dropped).toEqual([48])
  })
})

describe('while somebody waits for sound', () => {
  it('nothing is begun, neither together nor alone; it is afterwards', async () => {
    isBusy = true
    background.add(1, request(4_800))
    background.add(2, request(null))
    await turns()
    timers.pass(4_000)
    expect([batches.length, alone.length]).toEqual([0, 0])
    isBusy = false
    timers.pass(20)
    expect([batches.length, alone.length]).toEqual([1, 1])
  })

  it('nothing that is decoded is handed over; it is afterwards, in order', async () => {
    background.add(1, request(100_000))
    await turns()
    isBusy = true
    settle(batches[0]!, () => decoded(100_000))
    await handedOver()
    expect(sent).toEqual([])
    isBusy = false
    await handedOver()
    expect(sent.map(({ kind }) => kind)).toEqual(['pcm', 'pcm', 'pcm', 'done'])
  })
})

it('messages leave one at a time, each a while after the one before was taken', async () => {
  const left: number[] = []
  let taken: (() => void)[] = []
  const outbox = new PacedSend<number>(timers, (message, isTaken) => {
    left.push(message)
    taken.push(isTaken)
  }, () => isBusy)
  const take = (): void => {
    const all = taken
    taken = []
    for (const each of all) each()
  }
  for (let n = 0; n < 10; n += 1) outbox.push(n)
  const course: (readonly number[])[] = []
  for (let n = 0; n < 12; n += 1) {
    take()
    course.push(left.splice(0))
    timers.pass(2)
  }
  expect(course.flat()).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9])
  expect(course.every((each) => each.length <= 2)).toBe(true)
  take()
  timers.pass(2)
  expect(outbox.length).toBe(0)
  // And one that comes to an empty box leaves at once.
  outbox.push(10)
  expect(left).toEqual([10])
})
