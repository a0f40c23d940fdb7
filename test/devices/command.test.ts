// The built command as a person at a terminal meets it: words, exit codes, files, signals
// (decisions 7).
import { spawn, spawnSync, type ChildProcess } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { writeFloatWav } from './media-files.js'

const CLI = fileURLToPath(new URL('../../dist/cli.js', import.meta.url))
const DEMO = fileURLToPath(new URL('../../demo', import.meta.url))
const VERSION = '0.1.0\n'

let folder = ''
const daemons: ChildProcess[] = []
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'cartwall-command-'))
})
afterEach(() => {
  for (const daemon of daemons.splice(0)) daemon.kill('SIGKILL')
})
afterAll(() => {
  rmSync(folder, { recursive: true })
})

const cartwall = (...args: string[]): { code: number | null; out: string; err: string } => {
  const result = spawnSync(process.execPath, [CLI, ...args], { encoding: 'utf8', cwd: folder })
  return { code: result.status, out: result.stdout, err: result.stderr }
}

const file = (name: string, content: unknown): string => {
  const path = join(folder, name)
  writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content))
  return path
}

/** A port that was free a moment ago. */
const freePort = (): Promise<number> =>
  new Promise((found) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const address = server.address()
      const port = address !== null && typeof address === 'object' ? address.port : 0
      server.close(() => {
        found(port)
      })
    })
  })

interface Named {
  readonly id: string
  readonly title: string
}

interface Served {
  readonly daemon: ChildProcess
  readonly line: string
  readonly base: string
  readonly errors: () => string
  readonly ended: Promise<number | null>
}

const serve = async (...args: string[]): Promise<Served> => {
  const port = await freePort()
  const all = [CLI, 'serve', '--sink', 'null', '--port', String(port), ...args]
  const daemon = spawn(process.execPath, all, { stdio: ['ignore', 'pipe', 'pipe'] })
  daemons.push(daemon)
  let errors = ''
  daemon.stderr.setEncoding('utf8').on('data', (text: string) => (errors += text))
  const ended = new Promise<number | null>((end) => daemon.on('exit', end))
  const line = await new Promise<string>((ready, fail) => {
    daemon.stdout.setEncoding('utf8').once('data', ready)
    daemon.once('exit', () => {
      fail(new Error(`it ended: ${errors}`))
    })
  })
  const base = `http://127.0.0.1:${String(port)}/api/v1`
  return { daemon, line, base, errors: () => errors, ended }
}

const within = async (waitMs: number, holds: () => Promise<boolean>): Promise<boolean> => {
  for (let waited = 0; waited < waitMs; waited += 10) {
    if (await holds()) return true
    await sleep(10)
  }
  return holds()
}

/** Whether a process catches SIGHUP, the last handler set (Node has one of its own for SIGTERM). */
const catchesHangup = (pid: number | undefined): boolean => {
  const status = readFileSync(`/proc/${String(pid)}/status`, 'utf8')
  const caught = BigInt(`0x${/^SigCgt:\s*([0-9a-f]+)/m.exec(status)?.[1] ?? '0'}`)
  return (caught & 1n) !== 0n
}

describe('words and exit codes', () => {
  it('help and version, everywhere', () => {
    expect(cartwall('version')).toEqual({ code: 0, out: VERSION, err: '' })
    // Each has its words (arguments.test.ts); none of them is asked for them by its name.
    for (const name of ['serve', 'version']) {
      expect(cartwall(name, '--version')).toEqual({ code: 0, out: VERSION, err: '' })
      const help = cartwall(name, '--help')
      expect(help).toMatchObject({ code: 0, err: '' })
      expect(help.out.startsWith(`cartwall ${name}`)).toBe(true)
      expect(cartwall('help', name).out).toBe(help.out)
    }
    expect(cartwall('--help')).toMatchObject({ code: 0, out: cartwall('help').out })
    // Wherever they stand before a --, whatever else is wrong.
    expect(cartwall('check', 'a', 'b', '-h').out).toBe(cartwall('help', 'check').out)
    expect(cartwall('nonsense', '--version')).toEqual({ code: 0, out: VERSION, err: '' })
    expect(cartwall('check', '--', '--help')).toMatchObject({ code: 1 })
  })

  it.each([
    [[], 'say which command'],
    [['play'], 'there is no command "play"; cartwall help tells more'],
    // What else each command refuses is asked of its arguments alone (arguments.test.ts).
    [['serve', '--log-level', 'loud'], 'trace, silent (not "loud"); cartwall help serve tells'],
    [['check'], 'FILE is missing'],
    [['new'], 'FOLDER is missing'],
    [['schema', 'media'], 'say show or config (not "media")'],
    [['devices', 'x'], 'x is one argument too many'],
    [['dmx'], 'FILE is missing; cartwall help dmx tells more'],
    [['help', 'nonsense'], 'there is no command "nonsense"'],
    [['help', 'add', 'new'], 'help takes one command at most'],
    [['version', 'x'], 'version takes no arguments'], [['add'], 'FILE is missing'],
    [['replay'], 'FILE is missing'], [['constructor'], 'there is no command "constructor"'],
  ])('%j ends with 2 and one clear line', (args, expected) => {
    const { code, out, err } = cartwall(...args)
    expect(code).toBe(2)
    expect(out).toBe('')
    expect(err).toContain(expected)
    expect(err.trimEnd().split('\n')).toHaveLength(1)
  })
})

describe('a start that cannot be ends with 1 and one line', () => {
  const refused = (args: readonly string[], expected: readonly string[]): void => {
    const { code, out, err } = cartwall('serve', '--sink', 'null', ...args)
    expect({ code, out }).toEqual({ code: 1, out: '' })
    const lines = err.split('\n').filter((line) => line.startsWith('cartwall: '))
    expect(lines).toHaveLength(1)
    for (const word of expected) expect(lines[0]).toContain(word)
  }

  it('for a bad configuration', () => {
    const path = file('bad.json', { api: { port: 80 }, dmx: { output: 'artnet' }, sound: 1 })
    const expected = ['api.port: must be', 'dmx.host: is missing', 'sound: is an unknown key']
    refused(['--config', path], expected)
    refused(['--config', join(folder, 'none')], ['does not exist: name another one, or none'])
  })

  it('for an API that is switched off', () => {
    refused(['--config', file('off.json', { api: { enabled: false } })], ['api.enabled'])
  })

  it('for a bad show', () => {
    const path = file('bad-show.json', { title: 'x', playlists: [{ title: 1 }] })
    refused(['--show', path], ['playlists[0].id: is missing', 'playlists[0].title: must be a text'])
    refused(['--show', join(folder, 'none')], ['does not exist: name another one', 'cartwall new'])
  })

  it('for a port that is taken', async () => {
    const first = await serve()
    refused(['--port', new URL(first.base).port], [new URL(first.base).port])
  })
})

describe('serve', () => {
  it('serves the demo show, says so on stdout, and ends with 0 on either signal', async () => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) {
      const { daemon, line, base, ended } = await serve()
      expect(line).toBe(`cartwall: ready on ${base}\n`)
      const answer = await fetch(`${base}/status`)
      expect(await answer.json()).toMatchObject({ show: 'Demo', version: VERSION.trim() })
      const before = performance.now()
      daemon.kill(signal)
      daemon.kill(signal)
      expect(await ended).toBe(0)
      expect(performance.now() - before).toBeLessThan(2_000)
    }
  })

  it('ends with 0 also when the signal comes during the start', async () => {
    const port = String(await freePort())
    const args = [CLI, 'serve', '--sink', 'null', '--port', port]
    const daemon = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'ignore'] })
    daemons.push(daemon)
    let isReady = false
    daemon.stdout.once('data', () => (isReady = true))
    const ended = new Promise<number | null>((end) => daemon.on('exit', end))
    expect(await within(3_000, () => Promise.resolve(catchesHangup(daemon.pid)))).toBe(true)
    expect(isReady).toBe(false)
    daemon.kill('SIGTERM')
    expect(await ended).toBe(0)
  })

  it('flags win over the configuration, which holds for the rest', async () => {
    const config = file('config.json', { api: { port: 2000 }, dmx: { enabled: false } })
    const { base } = await serve('--config', config)
    const status: unknown = await (await fetch(`${base}/status`)).json()
    expect(status).toMatchObject({ dmx: { enabled: false }, audio: { sink: 'null' } })
  })

  it('reads a changed show by itself and on SIGHUP; a bad one changes nothing', async () => {
    const path = file('live.json', { title: 'One' })
    const { daemon, base, errors } = await serve('--show', path)
    const title = async (): Promise<string> =>
      ((await (await fetch(`${base}/status`)).json()) as { show: string }).show
    expect(await title()).toBe('One')
    file('live.json', { title: 'Two' })
    expect(await within(3_000, async () => (await title()) === 'Two')).toBe(true)
    file('live.json', { title: 3 })
    const told = (times: number) => (): Promise<boolean> =>
      Promise.resolve(errors().split('must be a text').length > times)
    expect(await within(3_000, told(1))).toBe(true)
    expect(await title()).toBe('Two')
    daemon.kill('SIGHUP')
    expect(await within(3_000, told(2))).toBe(true)
    expect(await title()).toBe('Two')
  })
})

describe('check', () => {
  it('finds no fault in the demo show', () => {
    const { code, out } = cartwall('check', join(DEMO, 'show.json'))
    expect(code).toBe(0)
    expect(out).toContain('no fault in 18 buttons of 6 playlists')
  })

  it('names missing, wrong and too short media and bad timelines by place', () => {
    file('text.mp3', 'no music')
    file('text.png', 'no image')
    writeFloatWav(join(folder, 'second.wav'), 48_000, () => [0, 0])
    file('bad-light.json', { format: 'dmx-timeline', version: 1, durationMs: -1, tracks: [] })
    const id = (n: number): string => `00000000-0000-4000-8000-00000000000${String(n)}`
    const sting = join(DEMO, 'media', 'sting-correct.flac')
    const buttons = [
      { id: id(1), title: 'b', kind: 'audio', media: 'gone.wav' },
      { id: id(2), title: 'b', kind: 'audio', media: 'text.mp3' },
      { id: id(3), title: 'b', kind: 'image', media: 'text.png' },
      { id: id(4), title: 'b', kind: 'audio', media: 'second.wav', startMs: 1_000 },
      { id: id(5), title: 'b', kind: 'video', media: sting },
      { id: id(6), title: 'b', kind: 'audio', media: join(DEMO, 'media', 'title.png') },
      { id: id(7), title: 'b', kind: 'dmx', dmx: { timeline: 'bad-light.json' } },
      { id: id(8), title: 'b', kind: 'audio', media: '.' },
      { id: id(9), title: 'b', kind: 'audio', media: sting },
    ]
    const playlists = [{ id: id(0), title: 'b', buttons }]
    const show = file('faulty.json', { title: 'F', playlists })
    const { code, out } = cartwall('check', show)
    expect(code).toBe(1)
    const faultOf = (n: number): string =>
      out.split('\n').find((line) => line.startsWith(`playlists[0].buttons[${String(n)}]`)) ?? ''
    expect(faultOf(0)).toContain('gone.wav does not exist')
    expect(faultOf(1)).toContain('text.mp3')
    expect(faultOf(2)).toContain('text.png is not an image')
    expect(faultOf(3)).toContain('ends before startMs (1000)')
    expect(faultOf(4)).toContain('has no moving picture')
    expect(faultOf(5)).toContain('has no sound')
    expect(faultOf(6)).toContain('dmx.timeline')
    expect(faultOf(6)).toContain('durationMs')
    expect(faultOf(7)).toContain('is a folder, not a file')
    expect(faultOf(8)).toBe('')
  })

  it('names what a timeline says in vain, which is no fault', () => {
    const target = { universe: 0, channel: 1 }
    file('light.json', {
      format: 'dmx-timeline', version: 1, durationMs: 1_000, lenght: 5,
      tracks: [{ target, keyframes: [[0, 1], [2_000, 9]] }],
    })
    const id = (n: number): string => `00000000-0000-4000-8000-00000000000${String(n)}`
    const buttons = [{ id: id(1), title: 'b', kind: 'dmx', dmx: { timeline: 'light.json' } }]
    const show = file('vain.json', { title: 'V', playlists: [{ id: id(0), title: 'b', buttons }] })
    const { code, out } = cartwall('check', show)
    expect(code).toBe(0)
    expect(out).toMatch(/dmx\.timeline: .*light\.json: lenght: is no key of this format/)
    expect(out).toMatch(/light\.json: tracks\[0\]\.keyframes\[1\]: lies past durationMs/)
    expect(out).toMatch(/no fault in 1 button of 1 playlist$/m)
  })
})

describe('new', () => {
  it('makes a show of what is there, which check takes, and overwrites nothing', () => {
    const media = join(folder, 'media')
    mkdirSync(join(media, 'sub', '.hidden'), { recursive: true })
    const copy = (from: string, to: string): void => {
      writeFileSync(join(media, to), readFileSync(join(DEMO, from)))
    }
    copy('media/sting-correct.flac', 'cue 10.flac')
    copy('media/sting-wrong.mp3', 'cue_2.MP3')
    copy('media/sting-wrong.mp3', 'cue 1.mp3')
    copy('media/clip.mp4', 'sub/clip.mp4')
    copy('media/title.png', 'sub/title.png')
    copy('lights/blink.json', 'sub/blink.json')
    copy('media/title.png', 'sub/.hidden/title.png')
    writeFileSync(join(media, 'notes.json'), '{}')
    const { code, err } = cartwall('new', media)
    expect(code).toBe(0)
    const passedOver = join(media, 'notes.json')
    expect(err).toBe(
      `cartwall: passed over ${passedOver}: is no lighting timeline: `
      + 'format: must be "dmx-timeline"\n')
    const text = readFileSync(join(media, 'show.json'), 'utf8')
    const show = JSON.parse(text) as {
      playlists: (Named & { buttons: (Named & { kind: string })[] })[]
    }
    const rows = show.playlists.map((list) => [
      list.title,
      ...list.buttons.map((button) => `${button.kind} ${button.title}`),
    ])
    expect(rows).toEqual([
      ['media', 'audio cue 1', 'audio cue 10', 'audio cue 2'],
      ['sub', 'dmx blink', 'video clip', 'image title'],
    ])
    const ids = show.playlists.flatMap((list) => [list.id, ...list.buttons.map(({ id }) => id)])
    expect(new Set(ids).size).toBe(8)
    // What an editor goes by lies beside it.
    const schema = readFileSync(join(media, 'show.schema.json'), 'utf8')
    expect(schema).toBe(cartwall('schema', 'show').out)
    expect(cartwall('schema', 'config').out).toContain('"onStop"')
    expect(cartwall('check', join(media, 'show.json')).code).toBe(0)
    const again = cartwall('new', media)
    expect(again.code).toBe(1)
    expect(again.err).toContain('exists and stays as it is')
    expect(readFileSync(join(media, 'show.json'), 'utf8')).toBe(text)
  })

  it('refuses a folder that is none, or holds no media', () => {
    mkdirSync(join(folder, 'empty'))
    expect(cartwall('new', 'empty')).toMatchObject({ code: 1, out: '' })
    expect(cartwall('new', 'none').err).toContain('none does not exist')
    expect(cartwall('new', file('plain', 'x')).err).toContain('is not a folder')
  })
})
