// docs/controllers.md: what a microcontroller and a script send, and what the player hears of it.
import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { BUTTON } from '../api/fake-player.js'
import { listen, serve, type Served } from '../api/served.js'
import { answersIn, talk } from './raw-socket.js'

const DOCS = readFileSync(join(import.meta.dirname, '../../docs/controllers.md'), 'utf8')

let served: Served
let port: number
beforeEach(async () => {
  served = serve(null)
  port = await listen(served)
})
afterEach(async () => {
  served.app.server.closeAllConnections()
  await served.app.close()
})

/** The samples of a language, for the service of this test. */
const samples = (language: string): string[] =>
  DOCS.split(`\`\`\`${language}\n`).slice(1)
    .map((rest) => (rest.split('\n```')[0] ?? '').replaceAll('47831', String(port)))
const heard = () => served.player.commands

test('a microcontroller presses, and stops with a fade, by what stands there', async () => {
  const [press = '', stop = ''] = samples('http').map((text) => text.replaceAll('\n', '\r\n'))
  // The fence takes the line's end of the empty line away, and the body has none.
  for (const bytes of [`${press}\r\n`, stop]) {
    const { text, closed } = await talk(port, [bytes], 3000, null)
    expect(answersIn(text)).toHaveLength(1)
    expect([closed, text.length < 1024]).toEqual([true, true])
  }
  expect(heard()).toMatchObject([{ kind: 'play' }, { kind: 'stop', fadeOutMs: 3000 }])
})

// ArduinoHttpClient knows it in no other spelling, and waits for more where it does not find it.
test.each([
  ['a press', `POST /api/v1/buttons/${BUTTON}/play HTTP/1.1`],
  ['a look', 'GET /api/v1/status HTTP/1.0'],
  ['a path that is not', 'GET /api/v1/buttons/1 HTTP/1.1'], ['no HTTP', 'GET  HTTP/1.1'],
  ['an expectation', 'GET /api/v1/status HTTP/1.1\r\nExpect: more'],
])('the length of an answer is told as small clients look for it: %s', async (_what, line) => {
  const request = `${line}\r\nHost: 127.0.0.1:${port}\r\nConnection: close\r\n\r\n`
  const { text } = await talk(port, [request], 3000, null)
  const [head = '', body = ''] = text.split('\r\n\r\n')
  expect(head.split('\r\n').filter((one) => /^content-length:/i.test(one)))
    .toEqual([`Content-Length: ${body.length}`])
})

test('the script in Python stops all with a fade', async () => {
  const [script = ''] = samples('python')
  const { stdout } = await promisify(execFile)('python3', ['-c', script], { timeout: 20_000 })
  expect(stdout).not.toBe('')
  expect(heard()).toMatchObject([{ fadeOutMs: 3000 }])
})
