// An app of Vue keeps what it has in `ref`, which puts a Proxy before whatever calls itself Object.
import { expect, test } from 'vitest'
import { Background, createClient, DmxSync, watch } from '../../src/client/client.js'
import { BED, LIT, quiz } from './quiz-show.js'

/** As Vue 3 does it: by what `Object.prototype.toString` says, and so for each object within. */
const ref = <T>(value: T): T => {
  if (Object.prototype.toString.call(value) !== '[object Object]') return value
  return new Proxy(value as object, {
    get: (target, key, receiver): unknown => ref(Reflect.get(target, key, receiver) as unknown),
  }) as T
}

test('a client, a watch, a list of beds and lights go on as anywhere else', async () => {
  const { player } = quiz()
  const client = ref(createClient(player.clientOptions))
  const modes: string[] = []
  const watching = watch(client, { onMode: (mode) => modes.push(mode) })
  const background = ref(new Background(client, { beds: [BED.warm] }))
  await background.start()
  const { dmxExecutionId } = await client.play(LIT, { allowOverlap: true })
  const clock = (): { positionMs: number; isPlaying: boolean } =>
    ({ positionMs: player.now(), isPlaying: true })
  const options = { buttonId: LIT, dmxExecutionId: dmxExecutionId ?? '', clock }
  const sync = ref(new DmxSync(client, options))
  sync.start()
  await player.advance(1_000)
  expect([modes, background.state, sync.answer?.isPlaying]).toEqual([['live'], 'playing', true])
  for (const end of [watching, () => background.close(), () => sync.stop()]) end()
})
