// docs/coming-from.md: what it says to people of other systems, played on the virtual clock.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { runInNewContext } from 'node:vm'
import { expect, test } from 'vitest'
import { createClient } from '../../src/client/client.js'
import { createTestPlayer, type TestShow } from '../../src/testing/test-player.js'

const DOCS = readFileSync(join(import.meta.dirname, '../../docs/coming-from.md'), 'utf8')

/** The first sample of a language below a heading. */
const sample = (heading: string, language: string): string => {
  const below = DOCS.split(`## ${heading}\n`)[1]?.split(/^## /m)[0] ?? ''
  return below.split(`\`\`\`${language}\n`)[1]?.split('```')[0] ?? ''
}

type Loose = Readonly<Record<string, unknown>>
interface LooseList extends Loose {
  readonly buttons: readonly Loose[]
}

const ids = new Map<string, string>()
const idOf = (title: string): string => {
  const next = `00000000-0000-4000-8000-${String(ids.size).padStart(12, '0')}`
  ids.set(title, ids.get(title) ?? next)
  return ids.get(title) ?? next
}

/** A show of lists whose buttons have no ids and, but for what is said, no kind and no medium. */
const opened = (...lists: readonly LooseList[]) => {
  const shown = (lists: readonly LooseList[]): TestShow => ({
    title: 'The Lodger',
    playlists: lists.map((list, n) => ({
      id: idOf(`list ${n}`), title: `List ${n}`, ...list,
      buttons: list.buttons.map((button) => ({
        id: idOf(String(button['title'])), kind: 'audio', media: 'one.wav', ...button,
      })),
    })) as unknown as NonNullable<TestShow['playlists']>,
  })
  const player = createTestPlayer(shown(lists), {
    media: {
      'one.wav': { durationMs: 1000 }, 'underscore.wav': { durationMs: 15_000 },
      'rain.wav': { durationMs: 60_000 }, 'film.mp4': { durationMs: 4000 },
      'last.png': { durationMs: 0 },
    },
    timelines: { 'half.json': { durationMs: 3_600_000 } },
  })
  const client = createClient(player.clientOptions)
  const play = (title: string) => client.play(idOf(title))
  const heard = () => player.heard().map((one) =>
    [one.title, one.fromMs, one.toMs, one.mediaFromMs, one.gainFrom, one.gainTo])
  const titles = async () => (await client.status()).active.map(({ title }) => title)
  const save = (...to: readonly LooseList[]): void => {
    player.replaceShow(shown(to))
  }
  return { player, client, play, heard, titles, save }
}

test('a vamp is left at the end of its pass, and what follows begins on the sample', async () => {
  const text = sample('Vamp and devamp', 'json')
  const night = opened(JSON.parse(text) as LooseList)
  await night.play('Intro')
  await night.player.advance(8500)
  const open = text.replace('"isLoopEnabled": true', '"isLoopEnabled": false')
  night.save(JSON.parse(open) as LooseList)
  await night.player.advance(10_000)
  expect(night.heard()).toEqual([
    ['Intro', 0, 4000, 0, 1, 1], ['Vamp', 4000, 7000, 4000, 1, 1],
    ['Vamp', 7000, 10_000, 4000, 1, 1], ['Out', 10_000, 18_000, 7000, 1, 1],
  ])
})

test('three buttons of a file in a sequence are a loop of three', async () => {
  const buttons = ['a', 'b', 'c'].map((title) => ({ title, allowOverlap: true }))
  const night = opened({ mode: 'sequence', buttons })
  await night.play('a')
  await night.player.advance(5000)
  expect(night.heard().map(([title, from, to]) => [title, from, to]))
    .toEqual([['a', 0, 1000], ['b', 1000, 2000], ['c', 2000, 3000]])
})

test('rain is ducked by its second button, which replaces a voice over it too', async () => {
  const night = opened({
    mixOnTransition: true, crossfadeMs: 2000,
    buttons: [
      { title: 'Rain', media: 'rain.wav' }, { title: 'Low', media: 'rain.wav', gainDb: -20 },
      { title: 'Voice', media: 'underscore.wav', allowOverlap: true },
    ],
  })
  await night.play('Rain')
  await night.player.advance(5000)
  await night.play('Low')
  await night.player.advance(5000)
  await night.play('Voice')
  await night.player.advance(1000)
  await night.play('Rain')
  await night.player.advance(3000)
  expect(night.heard()).toEqual(expect.arrayContaining([
    ['Rain', 5000, 7000, 5000, 1, 0], ['Low', 5000, 7000, 0, 0, 0.1],
    ['Voice', 11_000, 13_000, 1000, 1, 0],
  ]))
})

test('the last frame of a video is an image pressed before it', async () => {
  const night = opened({
    buttons: [
      { title: 'Still', kind: 'image', media: 'last.png' },
      { title: 'Film', kind: 'video', media: 'film.mp4' },
    ],
  })
  await night.play('Still')
  await night.play('Film')
  expect((await night.titles()).toSorted()).toEqual(['Film', 'Still'])
  await night.player.advance(4000)
  expect(await night.titles()).toEqual(['Still'])
})

test('a sound goes on at a place that is its Start for as long as it is started', async () => {
  const list = (startMs: number) => ({ buttons: [{ title: 'Rain', media: 'rain.wav', startMs }] })
  const night = opened(list(0))
  night.save(list(5678))
  await night.player.advance(1000)
  await night.play('Rain')
  night.save(list(0))
  await night.player.advance(3000)
  expect(night.heard()).toEqual([['Rain', 1000, 4000, 5678, 1, 1]])
})

test('a light cue that stands is fired again by restart; notes are told', async () => {
  const dmx = { timeline: 'half.json' }
  const cue = { title: 'Half', kind: 'dmx', media: null, dmx, 'x-note': 'on the knock' }
  const night = opened({ buttons: [cue] })
  const first = await night.play('Half')
  expect(await night.play('Half')).toMatchObject({
    result: 'already_active', dmxExecutionId: first.dmxExecutionId,
  })
  const again = await night.client.restart(idOf('Half'))
  expect(again.dmxExecutionId).not.toBe(first.dmxExecutionId)
  expect((await night.client.buttons()).buttons[0]).toMatchObject({ 'x-note': 'on the knock' })
})

test('what is to be heard at a time of day is, less what the output takes', async () => {
  for (const [time, expected] of [['23:59:00', 20_000], ['00:00:30', 110_000]] as const) {
    const night = opened({ buttons: [{ title: 'Countdown', media: 'rain.wav' }] })
    const began = new Date(2026, 10, 27, 23, 58, 40).getTime()
    let past = 0
    const text = sample('On the second', 'js').replaceAll(/^import .*$/gm, '')
    const late = async () => {
      const told = await night.client.status()
      return { ...told, audio: { ...told.audio, latencyMs: 25 } }
    }
    const done = runInNewContext(`(async () => { ${text} })()`, {
      createClient: () => ({ ...night.client, status: late }),
      process: { argv: ['node', 'at.mjs', 'Countdown', time] },
      sleep: async (ms: number) => {
        await night.player.wait(ms)
        past += ms
      },
      Date: class extends Date {
        static override now = (): number => began + past
        constructor() { super(began + past) }
      },
    }) as Promise<void>
    await night.player.advance(expected - 100)
    expect(night.heard()).toEqual([])
    await night.player.advance(10_100)
    await done
    expect(night.heard()).toEqual([
      ['Countdown', expected - 25, expected + 10_000, 0, 1, 1],
    ])
  }
})

/** The program of the page, whose Enter is what it is handed. */
const program = (night: ReturnType<typeof opened>) => {
  let press: () => void = () => undefined
  const lines = async function* () {
    for (;;) {
      await new Promise<void>((resolve) => { press = resolve })
      yield ''
    }
  }
  const said: string[] = []
  const text = sample('A GO button', 'js').replaceAll(/^import .*$/gm, '')
  void runInNewContext(`(async () => { ${text} })()`, {
    createClient: () => night.client, createInterface: lines, process: { stdin: null },
    AbortController,
    sleep: async (ms: number, _value: null, { signal }: { readonly signal: AbortSignal }) => {
      await night.player.wait(ms, signal)
      signal.throwIfAborted()
    },
    console: { error: (line: string) => said.push(line) },
  })
  const go = async (ms: number): Promise<void> => {
    press()
    await night.player.advance(ms)
  }
  return { go, said }
}

test('Enter fires a group, a stop with a fade, a cue with a wait, and the end of all', async () => {
  const night = opened({
    buttons: [
      { title: 'Pre-show', media: 'rain.wav' },
      { title: 'House to half', kind: 'dmx', media: null, dmx: { timeline: 'half.json' } },
      { title: 'Stinger', media: 'one.wav', allowOverlap: true },
      { title: 'Radio', media: 'rain.wav', allowOverlap: true },
    ],
  })
  await night.play('Pre-show')
  const { go, said } = program(night)
  await night.player.advance(1000)
  await go(1000)
  await go(4000)
  await go(3000)
  await go(4000)
  expect(night.heard()).toEqual([
    ['Pre-show', 0, 2000, 0, 1, 1], ['Stinger', 1000, 2000, 0, 1, 1],
    ['Pre-show', 2000, 5000, 2000, 1, 0],
    ['Radio', 8000, 9000, 0, 1, 1], ['Radio', 9000, 12_000, 1000, 1, 0],
  ])
  expect([await night.titles(), said]).toEqual([[], []])
})

test('a panic takes back what waits', async () => {
  const night = opened({
    buttons: ['Pre-show', 'House to half', 'Stinger', 'Radio'].map((title) => ({ title })),
  })
  const { go, said } = program(night)
  await night.player.advance(1000)
  await go(3000)
  await go(3000)
  await go(1000)
  await go(9000)
  expect(night.heard().filter(([title]) => title === 'Radio')).toEqual([])
  expect(said).toEqual([expect.stringContaining('abort')])
})

test('a cue whose button is not there says so, and the next one is fired', async () => {
  const night = opened({ buttons: [{ title: 'Pre-show', media: 'rain.wav' }] })
  await night.play('Pre-show')
  const { go, said } = program(night)
  await night.player.advance(1000)
  await go(1000)
  await go(4000)
  expect(said).toEqual(['no button is called House to half'])
  expect(night.heard().at(-1)).toEqual(['Pre-show', 2000, 5000, 2000, 1, 0])
})
