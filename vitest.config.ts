// How the tests run. First `unit` and `virtual-pages`: on virtual time, side by side, with neither
// ffmpeg nor a device nor a browser. The others apart: the rules about the tree, the simulation,
// devices (four files side by side), what listens to sound (two), a browser (four, alone what is
// timed).
import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

const source = (path: string): string => fileURLToPath(new URL(path, import.meta.url))

// The examples import the package by its name, as an app does.
const resolve = {
  alias: {
    'cartwall/client': source('./src/client/client.ts'),
    'cartwall/testing': source('./src/testing/test-player.ts'),
  },
}
/** Those that listen to sound or measure the wire: much that runs beside them would be heard. */
const ALONE = [
  'speaker', 'pipewire', 'daemon-sound', 'daemon-record', 'output', 'lights', 'lights-process',
].map((name) => `test/devices/${name}.test.ts`)
/** Those of the pages that measure how late something is seen. */
const TIMED = [
  'stage-sync', 'stage-lists', 'stage-black', 'stage-return', 'wall-times', 'wall-budgets',
  'app-windows',
].map((name) => `test/browser/${name}.test.ts`)
const globalSetup = 'test/fresh-build.ts'
/** From Node 25 on there is a `localStorage` that keeps nothing, in place of that of happy-dom. */
const WITHOUT_STORAGE = '--no-experimental-webstorage'
const execArgv = process.allowedNodeEnvironmentFlags.has(WITHOUT_STORAGE) ? [WITHOUT_STORAGE] : []
/** In a real Chromium, against a daemon of their own. */
const inBrowser = {
  globalSetup,
  execArgv,
  // A state is waited for, however long a busy machine takes to come to it.
  expect: { poll: { timeout: 15_000 } },
  testTimeout: 120_000,
  hookTimeout: 120_000,
}
/** What runs beside other work, and yields to it, may take long on a busy machine. */
const BESIDE_MS = 300_000
/** What takes six seconds took over a minute on a machine whose processors others had. */
const COMPUTED_MS = 180_000
/** Generated cases are the same in every run (`npm run fuzz` draws others), and clocks real. */
const setupFiles = ['test/fuzz-seed.ts', 'test/real-timers.ts']

/** They wait much and are small: by their size they would come last, and be waited for alone. */
const LONG = ['stage-animations', 'wall-killed', 'waves', 'sound-devices', 'show-watch']
  .map((name) => `/${name}.test.ts`)
class LongFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const isLong = ({ moduleId }: TestSpecification): boolean =>
      LONG.some((ending) => moduleId.endsWith(ending))
    const sorted = await super.sort(files)
    return [...sorted.filter(isLong), ...sorted.filter((file) => !isLong(file))]
  }
}

export default defineConfig({
  test: {
    sequence: { sequencer: LongFirst },
    projects: [
      {
        resolve,
        test: {
          name: 'unit',
          include: ['test/**/*.test.ts', 'examples/**/*.test.ts'],
          exclude: [
            'test/devices/**', 'test/browser/**', 'test/virtual-pages/**', 'test/sim/**',
            'test/house-rules/**',
          ],
          setupFiles: [...setupFiles, 'test/fresh-modules.ts'],
          execArgv,
          // One process reads the program once for all its files: half the time of a run.
          isolate: false,
          testTimeout: COMPUTED_MS,
        },
      },
      {
        test: {
          name: 'virtual-pages',
          include: ['test/virtual-pages/**/*.test.ts'],
          setupFiles: [...setupFiles, 'test/fresh-modules.ts'],
          execArgv,
          isolate: false,
          testTimeout: COMPUTED_MS,
        },
      },
      {
        test: {
          name: 'house-rules', include: ['test/house-rules/**/*.test.ts'],
          testTimeout: BESIDE_MS,
          hookTimeout: BESIDE_MS,
        },
      },
      {
        test: {
          name: 'sim', include: ['test/sim/**/*.test.ts'], setupFiles, testTimeout: BESIDE_MS,
        },
      },
      {
        test: {
          name: 'devices',
          include: ['test/devices/**/*.test.ts'],
          exclude: ALONE,
          globalSetup,
          setupFiles,
          testTimeout: 120_000,
          hookTimeout: 120_000,
        },
      },
      {
        test: {
          name: 'sound',
          include: ALONE,
          maxWorkers: 2,
          globalSetup,
          setupFiles,
          testTimeout: 120_000,
          hookTimeout: 120_000,
        },
      },
      {
        test: {
          name: 'pages', include: ['test/browser/**/*.test.ts'], exclude: TIMED, ...inBrowser,
        },
      },
      {
        test: {
          name: 'pages-timed',
          include: TIMED,
          fileParallelism: false,
          ...inBrowser,
          // A machine that stands still for a moment spoils a take; what is wrong spoils each one.
          retry: 2,
        },
      },
    ],
  },
})
