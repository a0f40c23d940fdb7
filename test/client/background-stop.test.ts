// A stop of a background: what was asked before it, and after it in the same moment.
import { describe, expect, test } from 'vitest'
import { NotStartedError } from '../../src/client/client.js'
import { failing, opened, titles } from './app-page.js'

describe('a stop comes last', () => {
  test.each(['up', 'slow'] as const)('what is asked after it does nothing (%s)', async (how) => {
    for (const wish of ['resume', 'pause'] as const) {
      const it = opened()
      await it.background.start()
      await it.player.advance(5_000)
      it.player.setNetwork(how)
      const asked = [it.background.stop({ fadeOutMs: 0 })]
      if (how === 'slow') await it.player.advance(300)
      asked.push(it.background[wish]())
      await it.player.advance(5_000)
      await Promise.all(asked)
      it.player.setNetwork('up')
      expect(it.background.state).toBe('stopped')
      expect((await it.client.status()).active).toEqual([])
      it.background.close()
    }
  })

  test.each([['down', 'not_sent'], ['mute', 'not_answered']] as const)(
    'a start that had no answer yet (%s) rejects', async (network, outcome) => {
      const it = opened()
      if (network === 'mute') it.player.loseNext('late', 30_000)
      else it.player.setNetwork(network)
      const started = failing(it.background.start())
      await it.player.advance(1_000)
      const stopped = failing(it.background.stop())
      await it.player.advance(5_000)
      it.player.setNetwork('up')
      await it.player.advance(40_000)
      expect(await stopped).toBeNull()
      expect(await started).toBeInstanceOf(NotStartedError)
      expect(await started).toMatchObject({ outcome, message: 'a stop took its place' })
      expect(titles(it.player)).toEqual([])
      it.background.close()
    })
})

test.each(['stopped', 'restarted'] as const)(
  'a bed that somebody else %s a moment ago is stopped as far as the app goes', async (how) => {
    const it = opened({ events: false, pollMs: 60_000 })
    await it.background.start()
    await it.player.advance(2_000)
    const bed = it.background.bed
    if (how === 'stopped') await it.client.stop(bed, { fadeOutMs: 0 })
    else await it.client.restart(bed)
    const stopped = failing(it.background.stop({ fadeOutMs: 0 }))
    await it.player.advance(2_000)
    expect([await stopped, it.background.state]).toEqual([null, 'stopped'])
    it.background.close()
  })
