// How the tests run: the virtual-clock suites side by side, the device suites one at a time.
import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    projects: [
      {
        test: {
          name: 'unit',
          include: ['test/**/*.test.ts'],
          exclude: ['test/io/**'],
          testTimeout: 60_000,
        },
      },
      {
        test: {
          name: 'io',
          include: ['test/io/**/*.test.ts'],
          fileParallelism: false,
          testTimeout: 120_000,
          hookTimeout: 120_000,
        },
      },
    ],
  },
})
