// What the sound process says, as its owner reads it: in UTF-8, wherever a pipe cuts it.
import { EventEmitter } from 'node:events'
import { PassThrough } from 'node:stream'
import { expect, it, vi } from 'vitest'
import { startSpeakerProcess } from '../../../src/io/speaker/speaker-child.js'
import { TARGET_LIMITS } from '../../../src/io/speaker/speaker-target.js'

// Other files of this process may have loaded what is made up here.
vi.hoisted(() => vi.resetModules())

const [stderr, reports] = [new PassThrough(), new PassThrough()]
vi.mock('node:child_process', async (original) => ({
  ...await original<object>(),
  spawn: () => Object.assign(new EventEmitter(), {
    stdin: new PassThrough(), stderr, stdio: [null, null, stderr, reports],
  }),
}))

it('names a folder as it is called, e.g. that of an addon which does not load', async () => {
  let [heard, complained] = ['', '']
  startSpeakerProcess({
    device: null, bufferFrames: 0, periodFrames: 0, target: TARGET_LIMITS, learned: null,
    urgentThreads: [], isDoubted: false,
  }, {
    heard: (text) => (heard += text),
    complained: (text) => (complained += text),
    ended: () => undefined,
  })
  const said = '/home/jörg/binding.node: file too short'
  for (const byte of Buffer.from(said)) {
    reports.write(Buffer.from([byte]))
    stderr.write(Buffer.from([byte]))
  }
  await new Promise((turn) => setImmediate(turn))
  expect([heard, complained]).toEqual([said, said])
})
