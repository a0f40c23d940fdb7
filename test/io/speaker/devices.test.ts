// The sound process as it is started: without what would change it, and what it lists.
import type * as childProcess from 'node:child_process'
import { afterEach, expect, it, vi } from 'vitest'
import { listDevices } from '../../../src/io/speaker/devices.js'
import { speakerEnvironment } from '../../../src/io/speaker/speaker-child.js'

// Other files of this process may have loaded what is made up here.
vi.hoisted(() => vi.resetModules())

/** In place of the process that lists devices: what it says. */
let answer: readonly [error: Error | null, stdout: string, stderr: string]
vi.mock('node:child_process', async (original) => ({
  ...(await original<typeof childProcess>()),
  execFile: (
    _file: string, args: readonly string[], _options: object,
    told: (error: Error | null, stdout: string, stderr: string) => void,
  ) => {
    expect(args.at(-1)).toBe('--devices')
    told(...answer)
  },
}))
afterEach(() => vi.unstubAllEnvs())

it('has the environment of the daemon, but for what would make it late or another program', () => {
  vi.stubEnv('PULSE_LATENCY_MSEC', '200')
  vi.stubEnv('NODE_OPTIONS', '--inspect')
  vi.stubEnv('PULSE_SERVER', 'unix:/run/pulse')
  const environment = speakerEnvironment(null)
  expect(environment['PULSE_SERVER']).toBe('unix:/run/pulse')
  expect(Object.keys(environment).filter((key) => /LATENCY|NODE_OPTIONS/.test(key))).toEqual([])
  expect(process.env['NODE_OPTIONS']).toBe('--inspect')
})

it('has an id of its own at a sound server for each device that is named', () => {
  const idAt = (device: string | null): string | undefined =>
    speakerEnvironment(device)['PULSE_PROP_application.id']
  expect(['pulse:hall', 'plughw:CARD=USB', null].map(idAt))
    .toEqual(['cartwall pulse:hall', 'cartwall plughw:CARD=USB', undefined])
  vi.stubEnv('PULSE_PROP_application.id', 'Room 1')
  expect(idAt('pulse:hall')).toBe('Room 1')
})

it.each([
  ['names each device on one line', null,
    '[{"name":"hw:0","description":"HDA\\nFront speakers"},{"name":"b","description":""}]', '',
    { ok: true, devices: [
      { name: 'hw:0', description: 'HDA, Front speakers' }, { name: 'b', description: '' },
    ] }],
  ['begins with what people look for', null, JSON.stringify([
    'oss', 'hw:CARD=USB,DEV=0', 'pulse', 'pulse:usb', 'default', 'plughw:CARD=USB,DEV=0',
  ].map((name) => ({ name, description: '' }))), '',
  { ok: true, devices: [
    'default', 'pulse:usb', 'hw:CARD=USB,DEV=0', 'plughw:CARD=USB,DEV=0', 'oss', 'pulse',
  ].map((name) => ({ name, description: '' })) }],
  ['names none where there is nothing to play on', null, '[]', '', { ok: true, devices: [] }],
  ['names none where it said what is no list', null, 'Aborted', '', { ok: true, devices: [] }],
  ['says what to do where it cannot', new Error('exit 1'), '', 'run `npm run setup`\n',
    { ok: false, message: 'run `npm run setup`' }],
  // As `execFile` says it of a process that was ended for its time.
  ['says so where a sound server hangs',
    Object.assign(new Error('Command failed: node speaker-process.js --devices'), { killed: true }),
    '', 'ALSA lib: said before it hung',
    { ok: false, message: 'no answer within 10 s: the sound server hangs; start it anew' }],
  ['says what happened where nothing else is known', new Error('timed out'), '', '',
    { ok: false, message: 'timed out' }],
] as const)('%s', async (_what, error, stdout, stderr, told) => {
  answer = [error, stdout, stderr]
  expect(await listDevices()).toEqual(told)
})
