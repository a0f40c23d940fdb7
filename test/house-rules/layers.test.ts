// The layer rules bite: each has a planted arrow that it must find, and lawful arrows pass.
import { execFileSync } from 'node:child_process'
import {
  mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join, resolve } from 'node:path'
import { afterAll, expect, test } from 'vitest'

const ROOT = resolve(import.meta.dirname, '../..')
const folders: string[] = []

const RULES = join(ROOT, '.dependency-cruiser.cjs')
const TOOL = join(ROOT, 'node_modules/dependency-cruiser/bin/dependency-cruise.mjs')

/** A small tree in a folder of its own. */
const treeOf = (files: Record<string, string>): string => {
  const folder = mkdtempSync(join(tmpdir(), 'cartwall-layers-'))
  folders.push(folder)
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'))
  const manifest = { dependencies: { zod: '*', fastify: '*' }, devDependencies: { vitest: '*' } }
  const all = { 'package.json': JSON.stringify(manifest), 'tsconfig.json': '{}', ...files }
  for (const [path, text] of Object.entries(all)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), text)
  }
  return folder
}

/** Runs the rules over a small tree; answers "rule: from" for every fault. */
const cruise = (files: Record<string, string>): string[] => {
  const rooms = [...new Set(Object.keys(files).map((path) => path.split('/')[0] ?? path))]
  const args = [TOOL, '--config', RULES, '--output-type', 'json', ...rooms]
  const json = JSON.parse(runEvenIfRed(args, treeOf(files))) as {
    summary: { violations: { rule: { name: string }; from: string }[] }
  }
  return json.summary.violations.map(({ rule, from }) => `${rule.name}: ${from}`)
}

const runEvenIfRed = (args: string[], cwd: string): string => {
  try {
    return execFileSync(process.execPath, args, { cwd, encoding: 'utf8' })
  } catch (error) {
    return (error as { stdout: string }).stdout
  }
}

afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true })
})

const lines = (...each: string[]): string => each.join('\n')

/** The ground that planted arrows point at; lawful in itself. */
const GROUND = {
  'src/clock/frame.ts': 'export type Frame = number\nexport const frame = (n: number): Frame => n',
  'src/clock/real.ts': "import { frame } from './frame.js'\nexport const now = frame(1)",
  'src/contract/vocabulary.ts': 'export const WORDS = 1',
  'src/contract/schemas.ts': lines(
    "import { z } from 'zod'",
    "import { WORDS } from './vocabulary.js'",
    'export const schema = z.literal(WORDS)',
    'export type Shape = 1',
  ),
  'src/engine/ports.ts': lines(
    "import type { Shape } from '../contract/schemas.js'",
    'export type Port = Shape',
  ),
  'src/engine/player.ts': "import type { Port } from './ports.js'\nexport type Player = Port",
  'src/engine/engine.ts': lines(
    "import { frame } from '../clock/frame.js'",
    "import { WORDS } from '../contract/vocabulary.js'",
    "import type { Port } from './ports.js'",
    'export const engine: Port = frame(WORDS) as 1',
  ),
  'src/io/wav.ts': lines(
    "import fs from 'node:fs'",
    "import type { Port } from '../engine/ports.js'",
    "import '../clock/real.js'",
    'export const wav = fs as unknown as Port',
  ),
  'src/api/server.ts': lines(
    "import { fastify } from 'fastify'",
    "import type { Player } from '../engine/player.js'",
    "import { schema } from '../contract/schemas.js'",
    'export const s = [fastify, schema] as unknown as Player',
  ),
  'src/client/client.ts': lines(
    "import type { Shape } from '../contract/schemas.js'",
    'export type Client = Shape',
  ),
  'src/pages/shared/clock.ts': lines(
    "import type { Shape } from '../../contract/schemas.js'",
    'export type Clock = Shape',
  ),
  'src/pages/wall/wall.ts': lines(
    "import type { Clock } from '../shared/clock.js'",
    'export type W = Clock',
  ),
  'src/daemon/daemon.ts': lines(
    "import '../api/server.js'",
    "import '../io/wav.js'",
    "import '../engine/engine.js'",
    "import '../client/client.js'",
  ),
  'sim/run.ts': "import '../src/engine/engine.js'\nimport '../src/api/server.js'",
}

const PLANTED: Record<string, string> = {
  'src/engine/fs.ts': "import 'node:fs'\nimport './engine.js'",
  'src/engine/zod.ts': "import 'zod'\nimport './engine.js'",
  'src/engine/up.ts': "import '../io/wav.js'",
  'src/engine/real.ts': "import type { now } from '../clock/real.js'\nexport type A = typeof now",
  'src/engine/validating.ts': "import '../contract/schemas.js'",
  'src/engine/hen.ts': "import type { Egg } from './egg.js'\nexport type Hen = Egg | 1",
  'src/engine/egg.ts': "import type { Hen } from './hen.js'\nexport type Egg = Hen | 1",
  'src/engine/dead.ts': 'export const dead = 1',
  'src/contract/limits.ts': "import 'zod'",
  'src/contract/up.ts': "import '../engine/engine.js'",
  'src/clock/virtual.ts': "import 'node:timers'\nimport './frame.js'",
  'src/clock/up.ts': "import '../engine/engine.js'",
  'src/api/io.ts': "import '../io/wav.js'",
  'src/api/machine.ts': "import '../engine/engine.js'",
  'src/api/testing.ts': "import 'vitest'\nimport './server.js'",
  'src/api/lost.ts': "import './nowhere.js'\nimport './server.js'",
  'src/api/root.ts': "import '../daemon/daemon.js'",
  'src/api/sim.ts': "import '../../sim/run.js'",
  'src/api/chance.ts': "import 'knip'\nimport './server.js'",
  'src/io/machine.ts': "import '../engine/engine.js'",
  'src/io/api.ts': "import '../api/server.js'",
  'src/client/heavy.ts': "import '../contract/schemas.js'",
  'src/client/engine.ts': "import type * as A from '../engine/player.js'\nexport type B = A.Player",
  'src/pages/wall/engine.ts': lines(
    "import type { Port } from '../../engine/ports.js'",
    'export type P = Port',
  ),
  'src/pages/wall/heavy.ts': "import '../../contract/schemas.js'",
  'src/pages/wall/node.ts': "import 'node:fs'\nimport './wall.js'",
  'src/pages/stage/stage.ts': "import type { W } from '../wall/wall.js'\nexport type S = W",
  'src/pages/shared/up.ts': "import '../wall/wall.js'",
  'src/api/page.ts': "import '../pages/wall/wall.js'",
  'sim/device.ts': "import '../src/io/wav.js'",
  'test/spec/x.test.ts': "import '../../src/io/wav.js'",
}

test('lawful arrows pass', () => {
  expect(cruise(GROUND)).toEqual([])
})

test('each planted arrow is found', () => {
  expect(cruise({ ...GROUND, ...PLANTED })).toEqual(
    expect.arrayContaining([
      'engine-stands-alone: src/engine/fs.ts', 'engine-stands-alone: src/engine/zod.ts',
      'engine-stands-alone: src/engine/up.ts', 'engine-stands-alone: src/engine/real.ts',
      'engine-runs-no-validator: src/engine/validating.ts', 'no-cycles: src/engine/egg.ts',
      'no-orphans: src/engine/dead.ts', 'plain-contract: src/contract/limits.ts',
      'contract-stands-alone: src/contract/up.ts', 'virtual-clock-is-virtual: src/clock/virtual.ts',
      'clock-stands-alone: src/clock/up.ts', 'api-below-main: src/api/io.ts',
      'api-sees-the-port: src/api/machine.ts', 'no-dev-packages-in-src: src/api/testing.ts',
      'resolvable: src/api/lost.ts', 'roots-are-on-top: src/api/root.ts',
      'src-knows-no-tests: src/api/sim.ts', 'declared-packages: src/api/chance.ts',
      'io-knows-no-machine: src/io/machine.ts', 'io-below-main: src/io/api.ts',
      'client-is-types: src/client/heavy.ts', 'client-sees-the-contract: src/client/engine.ts',
      'pages-see-the-contract: src/pages/wall/engine.ts',
      'pages-are-light: src/pages/wall/heavy.ts', 'pages-know-no-node: src/pages/wall/node.ts',
      'pages-stand-alone: src/pages/stage/stage.ts',
      'shared-knows-no-page: src/pages/shared/up.ts', 'daemon-runs-no-page: src/api/page.ts',
      'sim-is-virtual: sim/device.ts', 'spec-tests-are-virtual: test/spec/x.test.ts',
    ]),
  )
})

test('`npm run layers` tells with each fault what its rule is for', () => {
  const { scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
    readonly scripts: Readonly<Record<string, string>>
  }
  const [tool, ...words] = scripts['layers']!.split(' ')
  const folder = treeOf({ ...GROUND, 'src/engine/fs.ts': PLANTED['src/engine/fs.ts'] ?? '' })
  const args = words.map((word) => (word === basename(RULES) ? RULES : word))
    .filter((word) => !/^\w+$/.test(word) || word === 'src')
  const says = runEvenIfRed([TOOL, ...args], folder)
  expect([tool, says]).toEqual(['depcruise', expect.stringContaining('src/engine/fs.ts')])
  expect(says).toContain('The engine sees frames, the clock, the vocabulary and itself.')
})
