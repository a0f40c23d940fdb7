// A show that is edited while it plays: swapped whole or not at all; what sounds plays on.
import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { ShowPage } from '../../src/contract/show-page.js'
import { positionOf, writeCodedWav } from './media-files.js'
import { processesWith } from './media-processes.js'
import { button, Daemon, delay } from './daemon-rig.js'

const daemon = new Daemon()

beforeAll(async () => {
  writeCodedWav(join(daemon.folder, 'coded.wav'), 48_000 * 60)
  daemon.writeShow([{ buttons: [{ media: 'coded.wav', endMs: 1000, isLoopEnabled: true }] }])
  await daemon.start(['--sink', `wav:${daemon.wav}`], {})
  await daemon.armed(1)
})

afterAll(async () => {
  await daemon.clean()
})

const titles = async (): Promise<string[]> =>
  (await daemon.buttons()).buttons.map(({ title }) => title)

describe('a show that is edited while it plays', () => {
  it('is swapped whole: a new button is there, the bed plays on', async () => {
    const bed = await daemon.play(1)
    daemon.writeShow([
      { buttons: [
        { media: 'coded.wav', endMs: 1000, isLoopEnabled: true, title: 'renamed' },
        { media: 'coded.wav', startMs: 2000 },
      ] },
    ])
    await daemon.until(async () => (await titles()).includes('renamed'), 5_000)
    // Two passes of the loop are heard before anything else changes.
    await delay(2_200)
    expect(await daemon.run(bed)).toMatchObject({ state: 'playing', endReason: null })
    expect((await daemon.buttons()).buttons).toHaveLength(2)
    expect((await daemon.status()).showError).toBeNull()
  })

  it('a timeline that cannot be used is told when the show is read', async () => {
    writeFileSync(join(daemon.folder, 'dusk.json'), '{}')
    const bed = { media: 'coded.wav', endMs: 1000, isLoopEnabled: true, title: 'renamed' }
    daemon.writeShow([{ buttons: [{ ...bed, dmx: { timeline: 'dusk.json' } }] }])
    const line = 'dusk.json: no lights: format: must be'
    await daemon.until(() => Promise.resolve(daemon.log.includes(line)), 5_000)
    // The line comes before the engine has taken the show.
    await daemon.until(async () => (await titles()).length === 1, 5_000)
  })

  it('a bad file changes nothing and the log says where it is wrong', async () => {
    const before = await titles()
    writeFileSync(daemon.show, '{"version":1,"title":"x","playlists":[{"id":"no guid"}]}')
    await daemon.until(() => Promise.resolve(daemon.log.includes('not reloaded')), 5_000)
    expect(daemon.log).toMatch(/playlists\[0\]\.id/)
    expect(await titles()).toEqual(before)
    const { state, showError } = await daemon.status()
    expect([state, showError]).toEqual(['ready', expect.stringMatching(/^playlists\[0\]\.id/)])
  })

  it('saves in quick succession are each taken, and then there is rest', async () => {
    daemon.writeShow([
      { buttons: [{ media: 'coded.wav', endMs: 1000, isLoopEnabled: true, title: 'renamed' }] },
    ])
    await daemon.until(async () => (await daemon.status()).showError === null, 5_000)
    // Some of them come while the show is being read.
    for (let n = 0; n < 50; n += 1) {
      process.kill(daemon.pid, 'SIGHUP')
      await delay(1)
    }
    const readings = (): number => daemon.log.split('show replaced').length
    let before = Number.NaN
    await daemon.until(async () => {
      before = readings()
      await delay(500)
      return readings() === before && (await daemon.status()).state === 'ready'
    }, 10_000)
  })

  it('unlocking the padlock in the file ends the saved loop at its next boundary', async () => {
    const [live] = (await daemon.status()).active
    const temporary = `${daemon.show}.new`
    const keep = daemon.show
    Object.assign(daemon, { show: temporary })
    daemon.writeShow([{ buttons: [{ media: 'coded.wav', endMs: 1000 }] }])
    Object.assign(daemon, { show: keep })
    renameSync(temporary, keep)
    const ended = await daemon.state(live!.executionId!, ['completed'])
    expect(ended).toMatchObject({ endReason: 'natural_end', positionMs: 1000 })
    expect((await daemon.status()).showError).toBeNull()
  })

  it('a button that vanished with a live run still answers stop; play is 404', async () => {
    const run = await daemon.play(1, { loop: true })
    daemon.writeShow([{ buttons: [] }])
    process.kill(daemon.pid, 'SIGHUP')
    await daemon.until(async () => (await titles()).length === 0, 5_000)
    expect(await daemon.run(run)).toMatchObject({ state: 'playing' })
    // It is read twice, by the watch and by the signal: meanwhile commands are told 409.
    const answer = async (command: string): ReturnType<typeof daemon.post> => {
      let told = await daemon.post(`/buttons/${button(1)}/${command}`)
      await daemon.until(async () => {
        if (told.status === 409) told = await daemon.post(`/buttons/${button(1)}/${command}`)
        return told.status !== 409
      }, 5_000)
      return told
    }
    expect(await answer('play')).toMatchObject({
      status: 404, body: { error: 'button_not_found' },
    })
    expect(await answer('stop')).toMatchObject({
      status: 200, body: { result: 'stopped', executionId: run },
    })
  })

  it('new media are looked into without a process of the daemon’s own', async () => {
    writeCodedWav(join(daemon.folder, 'new.wav'), 48_000 * 2)
    const before = processesWith('', daemon.pid)
    daemon.writeShow([{ buttons: [{ media: 'new.wav', title: 'new' }] }])
    const met = new Set<number>()
    await daemon.until(async () => {
      for (const pid of processesWith('', daemon.pid)) met.add(pid)
      const [first] = (await daemon.buttons()).buttons
      return first?.durationMs === 2_000
    }, 20_000)
    expect([...met].sort()).toEqual(before.sort())
  })

  it('a medium that is replaced has its new length before it is played; one that is gone is told',
    async () => {
      const path = join(daemon.folder, 'other.wav')
      writeCodedWav(path, 48_000 * 3)
      daemon.writeShow([{ buttons: [{ media: 'other.wav', title: 'other' }] }])
      const lengths = async (): Promise<number[]> =>
        (await daemon.buttons()).buttons.map(({ durationMs }) => durationMs)
      await daemon.until(async () => (await lengths())[0] === 3_000, 20_000)
      await daemon.armed(1)
      writeCodedWav(`${path}.new`, 48_000 * 7)
      renameSync(`${path}.new`, path)
      await daemon.until(async () => (await lengths())[0] === 7_000, 20_000)
      rmSync(path)
      const address = daemon.base.replace('/api/v1', '/show')
      await daemon.until(async () =>
        (await (await fetch(address)).text()).includes('"missing":"the file is missing"'), 15_000)
    })

  it('an image that is replaced is another one for pages, whoever wrote it', async () => {
    const path = join(daemon.folder, 'scores.svg')
    const score = (points: number): string =>
      `<svg xmlns="http://www.w3.org/2000/svg">${points}</svg>`
    writeFileSync(path, score(1))
    daemon.writeShow([{ buttons: [{ kind: 'image', media: 'scores.svg' }] }])
    const version = async (): Promise<string | null> => {
      const show = await (await fetch(daemon.base.replace('/api/v1', '/show'))).json() as ShowPage
      return show.playlists[0]!.buttons[0]!.media?.version ?? null
    }
    await daemon.until(async () => await version() !== null, 5_000)
    // It was looked at since, as it is at every press.
    await daemon.post(`/buttons/${button(1)}/play`)
    const before = await version()
    writeFileSync(path, score(2_000))
    await daemon.until(async () => await version() !== before, 6_000)
  })

  it('through all of that no frame of the loop was lost or doubled', async () => {
    await delay(50)
    await daemon.end('SIGTERM')
    const { left, right } = daemon.heard()
    const told: number[] = []
    left.forEach((value, n) => {
      if (value !== 0) told.push(Math.round(positionOf(value, right[n]!)))
    })
    const jumps = told.slice(1).flatMap((at, n) => {
      const before = told[n]!
      return at === before + 1 ? [] : [`${String(before)} -> ${String(at)}`]
    })
    expect(new Set(jumps)).toEqual(new Set(['47999 -> 0']))
    expect(jumps.length).toBeGreaterThan(1)
  })
})

describe('a daemon whose working folder was taken away', () => {
  const elsewhere = new Daemon()
  afterAll(() => elsewhere.clean())

  it('takes a show of thousands of buttons all the same', async () => {
    const folder = join(elsewhere.folder, 'started-here')
    mkdirSync(folder)
    elsewhere.workingFolder = folder
    elsewhere.writeShow([{ buttons: [{ media: 'none.wav' }] }])
    await elsewhere.start(['--sink', 'null'], {})
    rmSync(folder, { recursive: true })
    elsewhere.writeShow([{ buttons: Array.from({ length: 2_000 }, () => ({ media: 'none.wav' })) }])
    await elsewhere.until(async () => (await elsewhere.buttons()).buttons.length === 2_000, 10_000)
    expect((await elsewhere.status()).showError).toBeNull()
  })

  it('a file that is gone is told while it is, and so is its folder; all plays on', async () => {
    const away = `${elsewhere.folder}-away`
    const GONE = 'the show file is gone: show.json'
    const GONE_LINE = `the show file is gone: ${elsewhere.show}; the show plays on as it was`
    for (const path of [elsewhere.show, elsewhere.folder]) {
      renameSync(path, away)
      await elsewhere.until(async () => (await elsewhere.status()).showError === GONE, 8_000)
      expect((await elsewhere.buttons()).buttons).toHaveLength(2_000)
      // E.g. since the terminal is closed meanwhile: that is told anew, as it was.
      const from = elsewhere.log.length
      process.kill(elsewhere.pid, 'SIGHUP')
      await elsewhere.until(() => Promise.resolve(elsewhere.log.includes(GONE_LINE, from)), 5_000)
      expect((await elsewhere.status()).showError).toBe(GONE)
      renameSync(away, path)
      await elsewhere.until(async () => (await elsewhere.status()).showError === null, 5_000)
    }
    await elsewhere.until(async () => (await elsewhere.status()).state === 'ready', 5_000)
    expect(elsewhere.log.split(GONE_LINE)).toHaveLength(5)
  }, 40_000)
})
