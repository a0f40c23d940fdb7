// cartwall/testing where it cannot be: in a browser it says so when it is imported.
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import * as player from '../../src/testing/test-player.js'

const source = new URL('../../src/testing/not-in-a-browser.ts', import.meta.url)

test('one clear sentence, whatever is imported by name', async () => {
  await expect(import('../../src/testing/not-in-a-browser.js')).rejects.toThrow(
    /^cartwall\/testing .*need Node: use it in vitest's environments node, jsdom or happy-dom/,
  )
  const text = readFileSync(source, 'utf8')
  for (const name of Object.keys(player)) expect(text).toContain(`export const ${name}:`)
})
