// Looks at files whose disks hang: nobody waits for long, others are not harmed, and it heals.
import { realTimers } from '../../../src/clock/real.js'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { Look } from '../../../src/io/media/look/file-look.js'
import {
  FileLooks, type LookAnswer, type LookEnd, type StartLooking,
} from '../../../src/io/media/look/file-looks.js'

const THREADS = 64

const seen = (path: string): Look => ({
  kind: 'file', stamp: 's', disk: path.startsWith('/share') ? 2 : 1, own: null,
  isMp4: false, type: '', seeking: 'exact',
})

/** Looking processes with so many threads each; what is on a dead disk keeps its thread. */
class Disks {
  readonly dead = new Set<string>()
  readonly missing = new Set<string>()
  started = 0
  killed = 0
  looks = 0
  /** The machine has no time for the process: each answer takes so long. */
  slowMs = 0
  /** So many looks to come end their process. */
  diesAtLook = 0
  diesOf: LookEnd = 'killed'
  readonly #hanging: { path: string; answer: () => void }[] = []

  readonly start: StartLooking = (answered, lost) => {
    this.started += 1
    let [busy, isKilled] = [0, false]
    return {
      ask: ({ id, path }) => {
        this.looks += 1
        if (this.diesAtLook > 0) {
          this.diesAtLook -= 1
          void Promise.resolve().then(() => lost(this.diesOf))
          return
        }
        busy += 1
        const answer = (): void => {
          busy -= 1
          const isThere = !this.missing.has(path)
          const look = isThere ? seen(path) : { kind: 'missing', message: 'gone' } as const
          const told: LookAnswer = { id, look }
          if (!isKilled) answered(told)
        }
        if (busy > THREADS) throw new Error('a look waits for a thread behind a dead disk')
        if (this.#isDead(path)) this.#hanging.push({ path, answer })
        else if (this.slowMs > 0) realTimers().after(this.slowMs, answer)
        else void Promise.resolve().then(answer)
      },
      kill: () => {
        if (!isKilled) this.killed += 1
        isKilled = true
      },
    }
  }

  revive(prefix: string): void {
    this.dead.delete(prefix)
    for (const each of this.#hanging.splice(0)) {
      if (this.#isDead(each.path)) this.#hanging.push(each)
      else each.answer()
    }
  }

  #isDead(path: string): boolean {
    return [...this.dead].some((prefix) => path.startsWith(prefix))
  }
}

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] })
})
afterEach(() => {
  vi.useRealTimers()
})

/** The answer, and after how many milliseconds it came. */
const timed = async (
  looks: FileLooks, path: string, patienceMs?: number,
): Promise<readonly [string, number]> => {
  const begun = performance.now()
  const told: (readonly [string, number])[] = []
  void looks.look(path, patienceMs).then(({ kind }) => told.push([kind, performance.now() - begun]))
  for (let ms = 0; ms < 5_000 && told.length === 0; ms += 1) await vi.advanceTimersByTimeAsync(1)
  return told[0] ?? ['nothing', Number.NaN]
}

describe('a share that hangs', () => {
  it('costs its first looks two seconds, then nothing; local files cost as ever', async () => {
    const disks = new Disks()
    const looks = new FileLooks(realTimers(), disks.start)
    for (let n = 0; n < 1_000; n += 1) await timed(looks, `/share/${n}.wav`)
    disks.dead.add('/share')
    expect(await timed(looks, '/share/0.wav')).toEqual(['unavailable', 2_000])
    expect(await timed(looks, '/share/0.wav')).toEqual(['unavailable', 0])
    expect(await timed(looks, '/local/a.wav')).toEqual(['file', 0])
    void Array.from({ length: 1_000 }, (_, n) => looks.look(`/share/${n}.wav`))
    await vi.advanceTimersByTimeAsync(2_100)
    const before = disks.looks
    expect(await timed(looks, '/share/999.wav')).toEqual(['unavailable', 0])
    // What is known to be on that disk is told away without asking for it.
    expect(disks.looks).toBe(before)
    expect(await timed(looks, '/local/b.wav')).toEqual(['file', 0])
    disks.revive('/share')
    await vi.advanceTimersByTimeAsync(1)
    expect(await timed(looks, '/share/0.wav')).toEqual(['file', 0])
    expect(await timed(looks, '/share/999.wav')).toEqual(['file', 0])
    looks.close()
  })

  it('keeps a command for half a second', async () => {
    const disks = new Disks()
    const looks = new FileLooks(realTimers(), disks.start)
    disks.dead.add('/share')
    expect(await timed(looks, '/share/0.wav', 500)).toEqual(['unavailable', 500])
    expect(await timed(looks, '/local/a.wav', 500)).toEqual(['file', 0])
    looks.close()
  })

  it('is not a machine that is slow with every file', async () => {
    const disks = new Disks()
    const looks = new FileLooks(realTimers(), disks.start)
    for (const slowMs of [600, 1_500, 2_400]) {
      disks.slowMs = slowMs
      expect(await timed(looks, '/local/a.wav', 500)).toEqual(['file', slowMs])
    }
    // There is an end to this patience too.
    disks.slowMs = 60_000
    expect(await timed(looks, '/local/b.wav', 500)).toEqual(['unavailable', 2_500])
    looks.close()
  })

  it('is not a machine that is slow with every file, when a press comes behind many looks',
    async () => {
      const disks = new Disks()
      const looks = new FileLooks(realTimers(), disks.start)
      disks.slowMs = 600
      // A show that is opened: its files are looked at eight at a time, and one is pressed.
      void Array.from({ length: 20 }, (_, n) => looks.look(`/show/${n}.wav`))
      expect(await timed(looks, '/show/pressed.wav', 500)).toEqual(['file', 600])
      expect(await timed(looks, '/show/19.wav', 500)).toEqual(['file', 600])
      looks.close()
    })

  it('beside local files of the same folder, whose disk is known', async () => {
    const disks = new Disks()
    const looks = new FileLooks(realTimers(), disks.start)
    const local = Array.from({ length: 20 }, (_, n) => `/show/local-${n}.wav`)
    for (const path of local) await timed(looks, path)
    disks.dead.add('/show/link')
    for (let n = 0; n < 10; n += 1) void looks.look(`/show/link-${n}.wav`)
    await vi.advanceTimersByTimeAsync(2_100)
    for (const path of local) expect(await timed(looks, path)).toEqual(['file', 0])
    looks.close()
  })

  it('beside local files of the same folder that were never seen: a press finds them', async () => {
    const disks = new Disks()
    const looks = new FileLooks(realTimers(), disks.start)
    disks.dead.add('/show/link')
    for (let n = 0; n < 10; n += 1) void looks.look(`/show/link-${n}.wav`)
    await vi.advanceTimersByTimeAsync(2_100)
    // What nobody waits for is not asked: a thousand links would take two seconds each.
    expect(await timed(looks, '/show/link-10.wav')).toEqual(['unavailable', 0])
    expect(await timed(looks, '/show/local-0.wav', 500)).toEqual(['file', 0])
    expect(await timed(looks, '/show/local-0.wav')).toEqual(['file', 0])
    // Another link is waited for as the first ones were; while it is, others are not.
    expect(await timed(looks, '/show/link-11.wav', 500)).toEqual(['unavailable', 500])
    const before = disks.looks
    expect(await timed(looks, '/show/link-12.wav', 500)).toEqual(['unavailable', 0])
    expect(disks.looks).toBe(before)
    await vi.advanceTimersByTimeAsync(2_100)
    expect(await timed(looks, '/show/link-11.wav', 500)).toEqual(['unavailable', 0])
    expect(await timed(looks, '/show/local-1.wav', 500)).toEqual(['file', 0])
    disks.revive('/show/link')
    await vi.advanceTimersByTimeAsync(1)
    expect(await timed(looks, '/show/link-12.wav')).toEqual(['file', 0])
    looks.close()
  })

  it('many of them use up no process: the next takes over, the oldest is killed', async () => {
    const disks = new Disks()
    const looks = new FileLooks(realTimers(), disks.start)
    disks.dead.add('/dead')
    for (let place = 0; place < 40; place += 1) {
      for (let n = 0; n < 8; n += 1) void looks.look(`/dead/${place}/${n}.wav`)
      await vi.advanceTimersByTimeAsync(2_100)
      expect(await timed(looks, `/local/${place}.wav`)).toEqual(['file', 0])
    }
    expect(disks.started).toBe(11)
    expect(disks.killed).toBe(6)
    disks.revive('/dead')
    await vi.advanceTimersByTimeAsync(1)
    expect(await timed(looks, '/dead/0/0.wav')).toEqual(['file', 0])
    expect(await timed(looks, '/dead/39/7.wav')).toEqual(['file', 0])
    looks.close()
    expect(disks.killed).toBe(disks.started)
  })

  it('a process that only waited for its disk ends once that is back', async () => {
    const disks = new Disks()
    const looks = new FileLooks(realTimers(), disks.start)
    disks.dead.add('/dead')
    for (let place = 0; place < 4; place += 1) {
      for (let n = 0; n < 8; n += 1) void looks.look(`/dead/${place}/${n}.wav`)
    }
    await vi.advanceTimersByTimeAsync(2_100)
    expect(await timed(looks, '/local/a.wav')).toEqual(['file', 0])
    expect([disks.started, disks.killed]).toEqual([2, 0])
    disks.revive('/dead')
    await vi.advanceTimersByTimeAsync(1)
    expect([disks.started, disks.killed]).toEqual([2, 1])
    looks.close()
  })

  it('are away for a second where no process lives, and none is started for each', async () => {
    const disks = new Disks()
    const looks = new FileLooks(realTimers(), disks.start)
    disks.diesAtLook = 1_000
    for (let n = 0; n < 20; n += 1) {
      expect(await timed(looks, `/local/${n}.wav`)).toEqual(['unavailable', 0])
    }
    expect(disks.started).toBe(2)
    disks.diesAtLook = 0
    await vi.advanceTimersByTimeAsync(1_000)
    expect(await timed(looks, '/local/0.wav')).toEqual(['file', 0])
    looks.close()
  })

  it('that no process lives for tell that, and not that a disk hangs', async () => {
    const disks = new Disks()
    const looks = new FileLooks(realTimers(), disks.start)
    disks.diesAtLook = 1_000
    const lost = {
      kind: 'unavailable', message: 'too few threads (ulimit -u, TasksMax) or too little memory',
    }
    expect(await looks.look('/local/a.wav')).toEqual(lost)
    expect(await looks.look('/local/b.wav', 500)).toEqual(lost)
    looks.close()
  })

  it('of a process that complained as it ended blame neither threads nor a disk', async () => {
    const disks = new Disks()
    const looks = new FileLooks(realTimers(), disks.start)
    disks.diesAtLook = 1_000
    disks.diesOf = 'complained'
    const lost = {
      kind: 'unavailable', message: 'the process that looks at files ends; the log says why',
    }
    expect(await looks.look('/local/a.wav')).toEqual(lost)
    expect(await looks.look('/local/b.wav', 500)).toEqual(lost)
    looks.close()
  })

  it('of a process that died are asked of the next one, once', async () => {
    const disks = new Disks()
    const looks = new FileLooks(realTimers(), disks.start)
    disks.diesAtLook = 1
    expect(await timed(looks, '/local/a.wav')).toEqual(['file', 0])
    expect([disks.started, disks.looks]).toEqual([2, 2])
    // Where the next one dies of it too, the file is away, and no third is started for it.
    disks.diesAtLook = 2
    await vi.advanceTimersByTimeAsync(1_100)
    expect(await timed(looks, '/local/b.wav')).toEqual(['unavailable', 0])
    expect(disks.started).toBe(3)
    looks.close()
  })

  it('those that queue behind looks which two processes died over are still asked', async () => {
    const disks = new Disks()
    const looks = new FileLooks(realTimers(), disks.start)
    // All eight of the first process, and the first of the second.
    disks.diesAtLook = 9
    const kinds = Array.from({ length: 12 }, (_, n) => timed(looks, `/local/${n}.wav`))
    const told = await Promise.all(kinds)
    expect(told.slice(0, 8).map(([kind]) => kind)).toEqual(Array(8).fill('unavailable'))
    expect(told.slice(8)).toEqual(Array(4).fill(['file', 0]))
    looks.close()
  })

  it('the same file asked for by many takes one thread', async () => {
    const disks = new Disks()
    const looks = new FileLooks(realTimers(), disks.start)
    const asked = Array.from({ length: 100 }, () => looks.look('/local/a.wav'))
    await vi.advanceTimersByTimeAsync(1)
    expect(new Set((await Promise.all(asked)).map(({ kind }) => kind))).toEqual(new Set(['file']))
    expect(disks.looks).toBe(1)
    looks.close()
  })
  it('of two seconds ago hold for a decode, unless the file was not there', async () => {
    const disks = new Disks()
    const looks = new FileLooks(realTimers(), disks.start)
    const lately = async (): Promise<string> => {
      const told = looks.lookLately('/local/a.wav')
      await vi.advanceTimersByTimeAsync(1)
      return (await told).kind
    }
    disks.missing.add('/local/a.wav')
    expect([await lately(), await lately(), disks.looks]).toEqual(['missing', 'missing', 2])
    disks.missing.clear()
    expect([await lately(), await lately(), disks.looks]).toEqual(['file', 'file', 3])
    await vi.advanceTimersByTimeAsync(2_000)
    expect([await lately(), disks.looks]).toEqual(['file', 4])
    looks.close()
  })
})
