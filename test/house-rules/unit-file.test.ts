// The systemd unit: what it takes away from the service, and what the service needs of it.
import { readFileSync } from 'node:fs'
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'

const DOCS = join(import.meta.dirname, '../../docs')
const UNIT = join(DOCS, 'cartwall.service')
/** Of 10, less is safer; a unit that only starts the program has 9.6. */
const EXPOSURE_MOST = 2.2

const settings = new Map(readFileSync(UNIT, 'utf8').split('\n')
  .filter((line) => /^[A-Za-z]+=/.test(line))
  .map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]))

/** Units that stand in the documents, by what they say they are. */
const samples = ['stage.md', 'install.md'].flatMap((page) =>
  [...readFileSync(join(DOCS, page), 'utf8').matchAll(/^```ini\n(\[Unit\]\n.*?)^```/gms)]
    .map(([, unit = '']) => [/^Description=(.*)$/m.exec(unit)?.[1] ?? page, unit] as const))

describe('a unit that is to be copied from a document', () => {
  // Left alone, systemd gives up for good after five starts within ten seconds.
  it.each(samples)('%s: is started again however often it ended', (_description, unit) => {
    expect(unit).toMatch(/^Restart=(always|on-failure)$/m)
    expect(unit.slice(0, unit.indexOf('[Service]'))).toMatch(/^StartLimitIntervalSec=0$/m)
  })
})

describe('the unit for systemd', () => {
  it.each([
    ['ProtectSystem', 'strict'], ['DevicePolicy', 'closed'], ['DeviceAllow', 'char-alsa rw'],
    ['CapabilityBoundingSet', ''], ['SystemCallFilter', '@system-service'], ['UMask', '0027'],
    ['TimeoutStopSec', '10'], ['StartLimitIntervalSec', '0'], ['NoNewPrivileges', 'yes'],
    // Network interfaces are read by netlink, for Art-Net and for the hosts of the API.
    ['RestrictAddressFamilies', 'AF_UNIX AF_INET AF_INET6 AF_NETLINK'],
    ['LimitRTPRIO', '10'], ['CacheDirectory', 'cartwall'],
    // A decoder that the kernel ends for want of memory is not the end of the show.
    ['OOMPolicy', 'continue'],
  ])('%s=%s', (name, value) => {
    expect(settings.get(name)).toBe(value)
  })

  it.each(['MemoryDenyWriteExecute', 'RestrictRealtime', 'PrivateDevices', 'PrivateNetwork'])(
    '%s would keep it from compiling, sounding or serving', (name) => {
      expect(settings.has(name)).toBe(false)
    },
  )

  it('waits for no network, which may be off all evening', () => {
    expect(settings.get('After')).toBe('network.target sound.target')
    expect([...settings.values()].join(' ')).not.toContain('network-online.target')
  })

  const analysis = spawnSync('systemd-analyze', ['security', '--offline=true', UNIT], {
    encoding: 'utf8',
  })
  it.skipIf(analysis.error !== undefined)('is tight, by systemd\'s own judgement', () => {
    const [, exposure] = /exposure level for [^:]+: ([\d.]+)/.exec(analysis.stdout) ?? []
    expect(Number(exposure)).toBeLessThanOrEqual(EXPOSURE_MOST)
  })
})
