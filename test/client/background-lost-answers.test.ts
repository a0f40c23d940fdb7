// A background list whose requests or answers are lost: what was sent is found, and sent once.
import { describe, expect, test } from 'vitest'
import { commands, heardOf, scene } from './background-scene.js'
import { BED } from './quiz-show.js'

describe('lost answers', () => {
  test('a start whose answer is lost is found on its button, and not sent again', async () => {
    const it = scene()
    it.losses.push('answer')
    const started = it.background.start()
    await it.player.advance(3000)
    await started
    expect(it.background.state).toBe('playing')
    expect(heardOf(it)).toEqual(['Warm'])
    expect(commands(it)).toEqual(['play'])
    it.background.close()
  })

  test('also where the button played before: the old run is told from the new one', async () => {
    const it = scene()
    await it.client.play(BED.warm)
    it.losses.push('request', 'answer')
    const started = it.background.start()
    await it.player.advance(5000)
    await started
    const now = (await it.client.buttons()).buttons.find(({ id }) => id === BED.warm)
    expect(it.background.executionId).toBe(now?.executionId)
    expect(commands(it)).toEqual(['play', 'restart', 'restart'])
    it.background.close()
  })

  test('a service that takes commands and never answers is asked what became of them', async () => {
    const it = scene()
    await it.background.start()
    await it.player.advance(1000)
    it.player.setNetwork('mute')
    const paused = it.background.pause({ fadeOutMs: 0 })
    await it.player.advance(60)
    it.player.setNetwork('up')
    await it.player.advance(3000)
    await paused
    expect(it.background.state).toBe('paused')
    it.background.close()
  })

  test('a pause while a start is in the air: nothing starts until it is over', async () => {
    const it = scene()
    it.losses.push('request')
    const started = it.background.start()
    await it.player.settled()
    const paused = it.background.pause()
    await it.player.advance(5000)
    await Promise.all([started, paused])
    // By the stop, which stops nothing, the start cannot arrive any more either.
    expect(commands(it)).toEqual(['play', 'stop'])
    expect(it.background.state).toBe('paused')
    await it.background.resume()
    await it.player.advance(1000)
    expect(heardOf(it)).toEqual(['Warm'])
    it.background.close()
  })

  test('a resume that was lost says nothing of the bed that was asked for instead', async () => {
    const it = scene()
    await it.background.start()
    await it.player.advance(1000)
    await it.background.pause({ fadeOutMs: 0 })
    it.losses.push('request')
    const resumed = it.background.resume()
    await it.player.settled()
    const started = it.background.start(1)
    await it.player.advance(8000)
    await Promise.all([resumed, started])
    expect(it.background).toMatchObject({ state: 'playing', index: 1 })
    // By the first stop, which stops nothing, the resume cannot arrive any more; the second one
    // ends the bed that was paused.
    expect(commands(it)).toEqual(['play', 'pause', 'resume', 'stop', 'play', 'stop'])
    it.background.close()
  })

  test('a start that never arrived is sent again, once the service has said so', async () => {
    const it = scene()
    await it.background.start()
    await it.player.advance(179_000)
    it.player.setNetwork('down')
    await it.player.advance(30_000)
    expect(it.background).toMatchObject({ state: 'away', index: 0 })
    it.player.setNetwork('up')
    await it.player.advance(2000)
    expect(it.background).toMatchObject({ state: 'playing', index: 1 })
    expect(commands(it)).toEqual(['play', 'restart'])
    it.background.close()
  })

  test('polls that hang or fail never move it on', async () => {
    const it = scene()
    await it.background.start()
    it.player.setNetwork('down')
    await it.player.advance(100_000)
    expect(it.background).toMatchObject({ state: 'away', index: 0 })
    it.player.setNetwork('up')
    await it.player.advance(1000)
    expect(it.background).toMatchObject({ state: 'playing', index: 0 })
    expect(it.background.execution?.positionMs).toBeGreaterThan(100_000)
    it.background.close()
  })

  test('a pause whose answer was lost is sent again for the same run', async () => {
    const it = scene()
    await it.background.start()
    await it.player.advance(1000)
    it.player.setNetwork('lossy')
    const paused = it.background.pause({ fadeOutMs: 0 })
    await it.player.advance(5000)
    it.player.setNetwork('up')
    await it.player.advance(2000)
    await paused
    expect(it.background.state).toBe('paused')
    expect(it.player.heard().at(-1)?.toMs).toBe(1000)
    it.background.close()
  })

  test('a pause that was asked for while a start hangs in the air keeps it silent', async () => {
    const it = scene()
    it.player.setNetwork('down')
    const started = it.background.start()
    await it.player.advance(2000)
    const paused = it.background.pause()
    await it.player.advance(2000)
    it.player.setNetwork('up')
    await it.player.advance(5000)
    await Promise.all([started, paused])
    expect(it.player.heard()).toEqual([])
    await it.background.resume()
    await it.player.advance(1000)
    expect(heardOf(it)).toEqual(['Warm'])
    it.background.close()
  })
})
