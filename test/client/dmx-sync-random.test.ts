// Lights that follow a video over any network: messages one at a time, each above the one before;
// a seek is told; after the end nothing is sent or told; in the end they are where the video is.
import { expect, test } from 'vitest'
import { diceOf, type Dice } from '../../sim/scenario/random.js'
import { createClient, DmxSync, type Client, type SyncBody } from '../../src/client/client.js'
import { eachSeed } from '../each-seed.js'
import { LIT, quiz } from './quiz-show.js'

const SEEDS = 25
const NETWORKS = ['up', 'up', 'slow', 'down', 'hanging', 'lossy', 'mute'] as const
const TIMEOUT_MS = 1_000
/** The longest pause, once for each leap over what another page has sent. */
const AGAIN_MS = 12_000

class Evening {
  readonly #dice: Dice
  readonly #player = quiz({ 'one.flac': { durationMs: 600_000 } }).player
  readonly #client: Client
  /** Another page, on the same network. */
  readonly #other: Client
  readonly #sent: SyncBody[] = []
  readonly #faults: string[] = []
  /** Which one has no answer yet; 0: none. */
  #underWay = 0
  /** Seeks that no message which was taken has told. */
  #seeks = 0
  #ends = 0
  #from = 0
  #since = 0
  #isPlaying = false

  constructor(seed: number) {
    this.#dice = diceOf(seed)
    const { baseUrl, fetch } = this.#player
    this.#other = createClient({ baseUrl, fetch })
    this.#client = createClient({
      baseUrl,
      fetch: (url, init) => {
        if (!url.endsWith('/dmx/sync')) return fetch(url, init)
        // What is thrown here is a network that is down, to whoever asked.
        if (this.#underWay > 0) this.#faults.push('one beside another')
        if (this.#ends > 0) this.#faults.push('after its end')
        const message = JSON.parse(init.body as string) as SyncBody
        const seeks = message.forceSeek === true ? this.#seeks : 0
        this.#note(message)
        const mine = (this.#underWay = this.#sent.length)
        const over = (): void => {
          if (this.#underWay === mine) this.#underWay = 0
        }
        // Whoever asked waits no longer once it is taken back.
        init.signal?.addEventListener('abort', over, { once: true })
        return fetch(url, init).then((answer) => {
          if (answer.ok && this.#underWay === mine) this.#seeks -= seeks
          return answer
        }).finally(over)
      },
    })
  }

  async go(steps: number): Promise<void> {
    const { dmxExecutionId } = await this.#client.play(LIT)
    const sync = new DmxSync(this.#client, {
      buttonId: LIT, dmxExecutionId: dmxExecutionId ?? '', clock: () => this.#clock(),
      wait: this.#player.wait, timeoutMs: TIMEOUT_MS,
      onSync: () => this.#ends > 0 && this.#faults.push('told after its end'),
      onEnd: () => (this.#ends += 1),
    })
    sync.start()
    for (let n = 0; n < steps; n += 1) {
      this.#act(sync, dmxExecutionId ?? '')
      await this.#player.advance(this.#dice.pick([0, 1, 30, 225, 600, 1_500]))
      expect(this.#faults).toEqual([])
    }
    this.#player.setNetwork('up')
    await this.#player.advance(AGAIN_MS)
    expect([sync.end, this.#ends, this.#seeks]).toEqual([null, 0, 0])
    const { positionMs, isPlaying } = this.#clock()
    const { lights } = await this.#client.status()
    const at = lights.timelines[0]?.positionMs ?? Number.NaN
    expect(Math.abs(at - positionMs)).toBeLessThan(250)
    expect(sync.answer?.isPlaying).toBe(isPlaying)
    sync.stop()
    await this.#player.advance(10_000)
    expect([this.#ends, this.#faults]).toEqual([1, []])
  }

  #clock(): { positionMs: number; isPlaying: boolean } {
    const moved = this.#isPlaying ? this.#player.now() - this.#since : 0
    return { positionMs: this.#from + moved, isPlaying: this.#isPlaying }
  }

  #note(message: SyncBody): void {
    if (message.sequence <= (this.#sent.at(-1)?.sequence ?? 0)) this.#faults.push('no higher one')
    this.#sent.push(message)
  }

  #act(sync: DmxSync, executionId: string): void {
    const act = this.#dice.whole(0, 9)
    if (act <= 2) {
      this.#stand(this.#clock().positionMs)
      this.#isPlaying = !this.#isPlaying
      sync.changed()
    } else if (act <= 5) {
      this.#stand(this.#dice.whole(0, 20_000))
      this.#seeks += 1
      sync.seeked()
    } else if (act <= 8) this.#player.setNetwork(this.#dice.pick(NETWORKS))
    else if (this.#dice.chance(0.3)) {
      // Another page has told of the same lights, by a clock that is ahead.
      const sequence = sync.sequence + this.#dice.whole(1, 1_000_000)
      const message = { executionId, sequence, positionMs: 0, isPlaying: false }
      this.#other.dmxSync(LIT, message).catch(() => undefined)
    }
  }

  #stand(at: number): void {
    this.#from = at
    this.#since = this.#player.now()
  }
}

test(`lights are where their video is in the end, in ${SEEDS} random evenings`, () =>
  eachSeed(SEEDS, (seed) => new Evening(seed).go(40)), 120_000)
