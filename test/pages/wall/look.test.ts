// What a button of the wall is where its lights cannot run: from the files of a show on the disk.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import type { ShowPage } from '../../../src/contract/show-page.js'
import { loadShow } from '../../../src/io/show/show-file.js'
import { ShowBody } from '../../../src/io/show/show-page-body.js'
import { timelineCompiler } from '../../../src/io/timeline/timeline-file.js'
import { lookOf } from '../../../src/pages/wall/look.js'
import { lookWords } from '../../../src/pages/wall/words.js'
import { realTimers } from '../../../src/clock/real.js'

const idOf = (n: number): string => `00000000-0000-4000-8000-0000000000a${String(n)}`

test.each([
  ['none.json', 'missing'], ['DUSK.json', 'missing'], ['bad.json/none.json', 'missing'],
  ['bad.json', 'cannot be played'], ['folder', 'cannot be played'],
])('lights from %s: %s', async (timeline, words) => {
  const folder = mkdtempSync(join(tmpdir(), 'cartwall-look-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  mkdirSync(join(folder, 'folder'))
  for (const name of ['bad.json', 'dusk.json']) writeFileSync(join(folder, name), '{')
  const buttons = [{ id: idOf(1), title: 'Wash', kind: 'dmx', dmx: { timeline } }]
  const show = { title: 'Night', playlists: [{ id: idOf(0), title: 'Lights', buttons }] }
  writeFileSync(join(folder, 'show.json'), JSON.stringify(show))
  const { compile } = timelineCompiler(realTimers())
  const loaded = await loadShow(join(folder, 'show.json'), compile)
  if (!loaded.ok) throw new Error('the show is good')
  const settings = { panicFadeMs: 1_500, guardMs: 300, stageOffsetMs: 0 }
  const { bytes } = new ShowBody({ version: '1', settings }, loaded).body()
  const page = JSON.parse(bytes.toString()) as ShowPage
  const look = lookOf(page.playlists[0]!.buttons[0]!, { runs: [], image: null, timelines: [] })
  expect(lookWords(look, '')).toBe(words)
})
