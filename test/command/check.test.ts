// `cartwall check` where the system does not hand out a file: one fault, beside all the others.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, vi } from 'vitest'
import { runCheck } from '../../src/command/check.js'
import { listening } from './command-output.js'

vi.mock('../../src/io/media/image-file.js', () => ({
  imageFault: (path: string) => path.endsWith('card.png')
    ? Promise.reject(
      Object.assign(new Error(`EIO: i/o error, read '${path}'`), { code: 'EIO', syscall: 'read' }))
    : Promise.resolve(null),
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

it('an image that is cut off, empty, a folder, or called otherwise is told as that', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'cartwall-check-'))
  const show = join(folder, 'show.json')
  writeFileSync(join(folder, 'half.png'), Buffer.from('89504e470d0a1a0a00000d49', 'hex'))
  writeFileSync(join(folder, 'empty.png'), '')
  mkdirSync(join(folder, 'folder.png'))
  writeFileSync(join(folder, 'Logo.png'), 'x')
  const buttons = ['half', 'empty', 'folder', 'logo'].map((name, n) =>
    ({ id: id(n + 1), title: name, kind: 'image', media: `${name}.png` }))
  // Files are looked into also where the show itself has a fault: all is mended at once.
  for (const title of ['x', 7]) {
    said.out = ''
    writeFileSync(show, JSON.stringify({
      title, playlists: [{ id: id(9), title: 'Cards', buttons }],
    }))
    expect(await runCheck([show])).toBe(1)
    const lines = said.out.trimEnd().replaceAll(`${folder}/`, '').split('\n')
    expect(lines.slice(-5)).toEqual([
      'playlists[0].buttons[0].media: half.png is cut off: copy it, or save it, anew '
        + '(button "half")',
      'playlists[0].buttons[1].media: empty.png is empty (button "empty")',
      'playlists[0].buttons[2].media: folder.png is a folder, not a file (button "folder")',
      'playlists[0].buttons[3].media: logo.png does not exist, but for Logo.png (button "logo")',
      `show.json: ${title === 7 ? '5 faults' : '4 faults'}`,
    ])
  }
  rmSync(folder, { recursive: true })
})
