// How the tests run: the virtual-clock suites side by side, the device suites one at a time.
import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'

const source = (path: string): string => fileURLToPath(new URL(path, import.meta.url))

export default defineConfig({
  test: {
    projects: [
      {
        // The examples import the package by its name, as an app does.
        resolve: {
          alias: {
            'cartwall/client': source('./src/client/client.ts'),
            'cartwall/testing': source('./src/testing/test-player.ts'),
          },
        },
        test: {
          name: 'unit',
          include: ['test/**/*.test.ts', 'examples/**/*.test.ts'],
          exclude: ['test/devices/**', 'test/browser/**'],
          testTimeout: 60_000,
        },
      },
      {
        test: {
          name: 'devices',
          include: ['test/devices/**/*.test.ts'],
          fileParallelism: false,
          testTimeout: 120_000,
          hookTimeout: 120_000,
        },
      },
      {
        // In a real Chromium, against a daemon of their own.
        test: {
          name: 'pages',
          include: ['test/browser/**/*.test.ts'],
          fileParallelism: false,
          testTimeout: 60_000,
          hookTimeout: 60_000,
        },
      },
    ],
  },
})
