// What may be said to a command, and what is made of it; all else is one line, and exit code 2.
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import {
  addArguments, checkArguments, LOG_LEVELS, noArguments, oneArgument, OPTIONS, serveArguments,
} from '../../src/command/arguments.js'
import { ArgumentError } from '../../src/command/outcome.js'
import { COMMANDS, isCommand, usageOf } from '../../src/command/usage.js'

const FILE = join(tmpdir(), 'a.wav')
const NOTHING = {
  show: null, config: null, flags: { host: null, port: null, sink: null }, logLevel: 'info',
  logFormat: null, record: null,
}

const refusalOf = (ask: () => unknown): string => {
  try {
    ask()
  } catch (error) {
    if (error instanceof ArgumentError) return error.message
    throw error
  }
  return 'taken'
}

describe('serve', () => {
  it.each<[readonly string[], object]>([
    [[], {}], [['--show', 'a.json'], { show: 'a.json' }],
    [['--config', 'c.json'], { config: 'c.json' }], [['--record', 'n'], { record: 'n' }],
    [['--show=a b'], { show: 'a b' }], [['--show', 'a', '--show', 'b'], { show: 'b' }],
    [['--host', '10.0.0.5'], { flags: { ...NOTHING.flags, host: '10.0.0.5' } }],
    [['--port', '1024'], { flags: { ...NOTHING.flags, port: 1024 } }],
    [['--port', '65535'], { flags: { ...NOTHING.flags, port: 65_535 } }],
    [['--sink', 'null'], { flags: { ...NOTHING.flags, sink: 'null' } }],
    [['--sink', 'speaker'], { flags: { ...NOTHING.flags, sink: 'speaker' } }],
    [['--sink', `wav:${FILE}`], { flags: { ...NOTHING.flags, sink: `wav:${FILE}` } }],
    // Relative to where the command was typed.
    [['--sink', 'wav:a.wav'], {
      flags: { ...NOTHING.flags, sink: `wav:${join(process.cwd(), 'a.wav')}` },
    }],
    ...LOG_LEVELS.map((level): [string[], object] => [['--log-level', level], { logLevel: level }]),
    [['--log-format', 'json'], { logFormat: 'json' }],
    [['--log-format', 'pretty'], { logFormat: 'pretty' }],
  ])('takes %j', (args, told) => {
    expect(serveArguments(args)).toEqual({ ...NOTHING, ...told })
  })

  it.each([
    [['--show', ''], '--show must name a file'], [['--config', ''], '--config must name a file'],
    [['--record', ''], '--record must name a file'], [['--record'], "Option '--record <value>'"],
    [['--port', '1023'], '--port must be a whole number from 1024 to 65535 (not "1023")'],
    [['--port', '65536'], '--port must be'], [['--port', '-5000'], '--port'],
    [['--port'], '--port'], [['--port', '4e4'], '--port must be'],
    [['--host', 'localhost'], '--host must be'],
    [['--port', '5000.0'], '--port must be'], [['--port', ' 5000'], '--port must be'],
    [['--port', '0x1388'], '--port must be'], [['--port', ''], '--port must be'],
    [['--host', '0.0.0.0'], '--host must be a numeric IPv4 address'], [['--host', ''], '--host'],
    [['--host', '10.0.0.5:80'], '--host must be'], [['--sink', 'wav:'], '--sink must be speaker'],
    [['--sink', 'alsa'], '--sink must be'], [['--sink', ''], '--sink must be'],
    [['--log-level', 'INFO'], `--log-level must be one of ${LOG_LEVELS.join(', ')}`],
    [['--log-format', 'text'], '--log-format must be one of json, pretty'],
    [['--log-format', ''], '--log-format must be'], [['--loud'], "Unknown option '--loud'"],
    [['show.json'], 'unexpected argument "show.json": the show is named by --show FILE'],
    [['a\nb'], '"a\\nb"'], [['-p', '5000'], "Unknown option '-p'"],
  ])('refuses %j', (args, told) => {
    const message = refusalOf(() => serveArguments(args))
    expect(message).toContain(told)
    expect(message).not.toContain('\n')
  })
})

describe('add', () => {
  it.each([
    [['a.mp3'], { files: ['a.mp3'], show: 'show.json', playlist: null }],
    [['a', 'b', '--show', 's.json', 'c'], {
      files: ['a', 'b', 'c'], show: 's.json', playlist: null,
    }],
    [['--playlist', 'Beds', 'a'], { files: ['a'], show: 'show.json', playlist: 'Beds' }],
    [['--', '--a.mp3'], { files: ['--a.mp3'], show: 'show.json', playlist: null }],
  ])('takes %j', (args, told) => {
    expect(addArguments(args)).toEqual(told)
  })

  it.each([
    [[], 'FILE is missing'], [['--show', 's.json'], 'FILE is missing'], [[''], 'FILE is missing'],
    [['a', ''], 'FILE is missing'], [['a', '--show', ''], '--show must name a file'],
    [['a', '--list', 'b'], "Unknown option '--list'"],
  ])('refuses %j', (args, told) => {
    expect(refusalOf(() => addArguments(args))).toContain(told)
  })
})

it('one argument is one, and none is none', () => {
  expect(checkArguments(['show.json'])).toEqual({ path: 'show.json', depth: 'start' })
  expect(checkArguments(['--decode', 'a b'])).toEqual({ path: 'a b', depth: 'whole' })
  expect(refusalOf(() => checkArguments(['--decode']))).toBe('FILE is missing')
  expect(refusalOf(() => checkArguments(['a', 'b']))).toBe('one FILE only, not also b')
  expect(oneArgument(['a b'], 'FILE')).toBe('a b')
  expect(oneArgument(['--', '--b'], 'FILE')).toBe('--b')
  expect(refusalOf(() => oneArgument([], 'FILE'))).toBe('FILE is missing')
  expect(refusalOf(() => oneArgument([''], 'FILE'))).toBe('FILE is missing')
  expect(refusalOf(() => oneArgument(['a', 'b'], 'FILE'))).toBe('one FILE only, not also b')
  expect(refusalOf(() => oneArgument(['--b'], 'FILE'))).toContain("Unknown option '--b'")
  noArguments([])
  expect(refusalOf(() => noArguments(['b']))).toBe('b is one argument too many')
  expect(refusalOf(() => noArguments(['--b']))).toContain("Unknown option '--b'")
})

it('help names every command', () => {
  const named = [...usageOf(null).matchAll(/^ {2}cartwall (\w+)/gm)].map(([, name]) => name ?? '')
  expect(named.toSorted()).toEqual([...COMMANDS].toSorted())
  expect(isCommand('constructor')).toBe(false)
})

it.each(COMMANDS)('help of %s begins with how it is typed', (command) => {
  expect(usageOf(command)).toMatch(new RegExp(`^cartwall ${command}\\b`))
})

it.each(COMMANDS)('help names each option that %s takes, and no other', (command) => {
  const named = [...usageOf(command).matchAll(/\[?--([a-z-]+)/g)].map(([, name]) => name ?? '')
  // That of another command may be named in a sentence.
  const own = named.filter((name) => !(command === 'replay' && name === 'record'))
  const taken: Readonly<Record<string, object>> = OPTIONS
  expect([...new Set(own)].toSorted()).toEqual(Object.keys(taken[command] ?? {}).toSorted())
})
