// What the daemon asks about files goes to the sound thread; answers come in any order.
import { beforeEach, expect, it } from 'vitest'
import { FileInquiries } from '../../src/sound/file-inquiries.js'
import type { ToSound } from '../../src/sound/sound-messages.js'

let said: ToSound[]
let files: FileInquiries
beforeEach(() => {
  said = []
  files = new FileInquiries((message) => said.push(message))
})

it('each answer is that of its question, whichever comes first', async () => {
  const wave = { path: '/c', makes: true, ranges: [], picturesEnd: 0 }
  const answers = [files.look('/a'), files.probe('/b'), files.waves.ask(wave)]
  expect(said).toEqual([
    { kind: 'file_question', id: 1, question: { asks: 'look', path: '/a' } },
    { kind: 'file_question', id: 2, question: { asks: 'probe', path: '/b' } },
    { kind: 'file_question', id: 3, question: { asks: 'wave', wave } },
  ])
  files.heard({ kind: 'file_answer', id: 3, answer: { kind: 'none' } })
  files.heard({ kind: 'file_answer', id: 2, answer: { ok: false, message: 'no sound' } })
  files.heard({ kind: 'file_answer', id: 1, answer: { kind: 'missing', message: 'not there' } })
  // One that nobody asked for, or that was answered, is nobody's.
  files.heard({ kind: 'file_answer', id: 1, answer: { kind: 'missing', message: 'again' } })
  expect(await Promise.all(answers)).toEqual([
    { kind: 'missing', message: 'not there' }, { ok: false, message: 'no sound' }, { kind: 'none' },
  ])
})

it('whether waveforms are held is said once for each change', () => {
  for (const holds of [false, true, true, false]) files.waves.hold(holds)
  files.waves.rest()
  expect(said).toEqual([
    { kind: 'waves', are: 'held' }, { kind: 'waves', are: 'free' }, { kind: 'waves', are: 'made' },
  ])
})
