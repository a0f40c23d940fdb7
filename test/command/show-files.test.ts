// `cartwall new` and `cartwall add`: what they say, their exit codes, and what they leave alone.
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { runAdd } from '../../src/command/add.js'
import { runNew } from '../../src/command/new.js'
import { ArgumentError } from '../../src/command/outcome.js'
import { runSchema } from '../../src/command/schema.js'
import { listening } from './command-output.js'

let folder = ''
const said = listening()
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'cartwall-show-files-'))
})
afterEach(() => {
  rmSync(folder, { recursive: true })
})

const put = (name: string, text = 'sound'): string => {
  const path = join(folder, name)
  writeFileSync(path, text)
  return path
}
const made = async (): Promise<string> => {
  put('a.mp3')
  put('b.flac')
  put('light.json', '{"format":"dmx-timeline"}')
  expect(await runNew([folder])).toBe(0)
  return join(folder, 'show.json')
}
interface Show {
  readonly $schema?: string
  readonly playlists: { readonly id: string; readonly buttons: readonly unknown[] }[]
}
const show = (): Show => JSON.parse(readFileSync(join(folder, 'show.json'), 'utf8')) as Show

describe('new', () => {
  it('says which file it made and how many buttons are in it', async () => {
    const file = await made()
    expect(said).toEqual({ out: `${file}: 3 buttons\n`, err: '' })
    expect(show().$schema).toBe('./show.schema.json')
    said.out = ''
    expect(await runSchema(['show'])).toBe(0)
    expect(readFileSync(join(folder, 'show.schema.json'), 'utf8')).toBe(said.out)
  })

  it('leaves a schema of somebody else alone, names none, and says so', async () => {
    const schema = put('show.schema.json', '{"mine": true}')
    const file = await made()
    expect(said.out).toBe(`${file}: 3 buttons\n`)
    expect(said.err).toContain(`cartwall: ${schema} stays as it is, so the show names no $schema; `
      + 'see cartwall help schema\n')
    expect(readFileSync(schema, 'utf8')).toBe('{"mine": true}')
    expect(show().$schema).toBeUndefined()
  })

  it('names what it passes over, and ends with 1 where it made nothing', async () => {
    const note = put('note.txt', 'hello')
    expect(await runNew([folder])).toBe(1)
    expect(said.out).toBe('')
    expect(said.err).toMatch(/^cartwall: there is no sound, video, image or timeline in .*\n$/)
    said.err = ''
    put('a.mp3')
    expect(await runNew([folder])).toBe(0)
    expect(said.out).toBe(`${join(folder, 'show.json')}: 1 button\n`)
    expect(said.err).toBe(
      `cartwall: passed over ${note}: is no sound, video, image or timeline by its name\n`)
  })
})

it('schema tells that of a show and that of a configuration, and of nothing else', async () => {
  const titles: unknown[] = []
  for (const what of ['show', 'config']) {
    said.out = ''
    expect(await runSchema([what])).toBe(0)
    titles.push((JSON.parse(said.out) as { readonly title: string }).title)
  }
  expect(titles).toEqual([
    expect.stringMatching(/^A show of cartwall /),
    expect.stringMatching(/^A configuration of cartwall /),
  ])
  expect(() => runSchema(['demo'])).toThrow(new ArgumentError('say show or config (not "demo")'))
})

it('new in a folder that has a show says that alone', async () => {
  const file = await made()
  put('note.txt', 'hello')
  said.out = ''
  expect(await runNew([folder])).toBe(1)
  const err = `cartwall: ${file} exists and stays as it is; move it away to make a new one\n`
  expect(said).toEqual({ out: '', err })
})

describe('add', () => {
  it('says how many buttons are more, and where', async () => {
    const file = await made()
    const { playlists: [list] } = show()
    said.out = ''
    expect(await runAdd([put('c.mp3'), '--show', file])).toBe(0)
    expect(await runAdd([put('d.mp3'), put('e.wav'), '--show', file, '--playlist', list!.id]))
      .toBe(0)
    const where = JSON.stringify(JSON.parse(readFileSync(file, 'utf8')).playlists[0].title)
    expect(said).toEqual({
      out: `${file}: 1 button more in ${where}\n${file}: 2 buttons more in ${where}\n`, err: '',
    })
    expect(show().playlists[0]?.buttons).toHaveLength(6)
  })

  it('ends with 1, tells each fault in a line, and changes nothing', async () => {
    const file = await made()
    const before = readFileSync(file, 'utf8')
    const [note, song, gone] = [put('note.txt', 'x'), put('c.mp3'), join(folder, 'gone.mp3')]
    for (const [args, faults] of [
      [[note, song], [note]], [[gone], [gone]], [[note, song, gone, folder], [note, gone, folder]],
      [[song, '--playlist', 'Nobody'], ['there is no playlist "Nobody"; say which']],
    ] as const) {
      said.err = ''
      expect(await runAdd([...args, '--show', file])).toBe(1)
      const lines = said.err.split('\n')
      expect(lines).toHaveLength(faults.length + 1)
      for (const [n, fault] of faults.entries()) expect(lines[n]).toMatch(`cartwall: ${fault} `)
      expect(lines.at(-1)).toBe('')
    }
    mkdirSync(join(folder, 'none'))
    expect(await runAdd([put('c.mp3'), '--show', join(folder, 'none', 'show.json')])).toBe(1)
    expect(readFileSync(file, 'utf8')).toBe(before)
  })
})
