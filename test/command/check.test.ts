// `cartwall check` where the system does not hand out a file: one fault, beside all the others.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, vi } from 'vitest'
import { runCheck } from '../../src/command/check.js'
import { listening } from './command-output.js'

vi.mock('../../src/io/media/image-file.js', () => ({
  imageFault: (path: string) => Promise.reject(
    Object.assign(new Error(`EIO: i/o error, read '${path}'`), { code: 'EIO', syscall: 'read' })),
}))

const said = listening()
const id = (n: number): string => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`

it('an image on a damaged place of its disk is a fault like any other', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'cartwall-check-'))
  const [show, card] = [join(folder, 'show.json'), join(folder, 'card.png')]
  writeFileSync(card, 'x')
  const buttons = ['card.png', 'gone.png'].map((media, n) =>
    ({ id: id(n + 1), title: 'Card', kind: 'image', media }))
  writeFileSync(show, JSON.stringify({
    title: 'x', playlists: [{ id: id(9), title: 'Cards', buttons }],
  }))
  expect(await runCheck([show])).toBe(1)
  const at = (n: number): string => `playlists[0].buttons[${n}].media: `
  expect(said.out.trimEnd().split('\n')).toEqual([
    `${at(0)}${card} cannot be read: EIO: i/o error (button "Card")`,
    `${at(1)}${join(folder, 'gone.png')} does not exist (button "Card")`,
    `${show}: 2 faults`,
  ])
  rmSync(folder, { recursive: true })
})
