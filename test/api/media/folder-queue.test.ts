// What is asked of files for pages: of a folder one thing at a time, and of two folders at most.
import { beforeEach, expect, it } from 'vitest'
import { FolderQueue } from '../../../src/api/media/folder-queue.js'

interface Ask {
  readonly name: string
  readonly end: (error?: Error) => void
}

let queue: FolderQueue
/** What was begun to be asked, and what was answered. */
let begun: Ask[]
let answers: string[]
beforeEach(() => {
  queue = new FolderQueue()
  begun = []
  answers = []
})

const ask = (folder: string, name: string): void => {
  queue.run(folder, () => new Promise<string>((resolve, reject) => {
    begun.push({ name, end: (error) => error === undefined ? resolve(name) : reject(error) })
  })).then((answer) => answers.push(answer), (error: unknown) => answers.push(String(error)))
}
const end = async (name: string, error?: Error): Promise<void> => {
  begun.find((one) => one.name === name)!.end(error)
  for (let n = 0; n < 5; n += 1) await Promise.resolve()
}
const names = (): readonly string[] => begun.map(({ name }) => name)

it('one folder is asked one thing after the other, also after one that failed', async () => {
  for (const name of ['a1', 'a2', 'a3']) ask('a', name)
  expect(names()).toEqual(['a1'])
  await end('a1')
  expect(names()).toEqual(['a1', 'a2'])
  await end('a2', new Error('EIO'))
  expect(names()).toEqual(['a1', 'a2', 'a3'])
  await end('a3')
  ask('a', 'a4')
  expect(names()).toEqual(['a1', 'a2', 'a3', 'a4'])
  expect(answers).toEqual(['a1', 'Error: EIO', 'a3'])
})

it('two that hang let no third be asked; one that answers does, the first that waits', async () => {
  for (const name of ['a1', 'a2', 'b1', 'c1', 'd1']) ask(name[0]!, name)
  expect(names()).toEqual(['a1', 'b1'])
  await end('b1')
  // What waits behind one that hangs holds up nobody.
  expect(names()).toEqual(['a1', 'b1', 'c1'])
  await end('a1')
  expect(names()).toEqual(['a1', 'b1', 'c1', 'a2'])
  await end('c1')
  expect(names()).toEqual(['a1', 'b1', 'c1', 'a2', 'd1'])
})

it('what nobody waits for any more is never asked, and holds up nobody', async () => {
  ask('a', 'a1')
  let isWanted = true
  const refused = queue.run('a', () => Promise.reject(new Error('asked')), () => isWanted)
    .catch((error: unknown) => String(error))
  ask('a', 'a2')
  isWanted = false
  // It does not wait for a folder that hangs, either.
  ask('b', 'b1')
  expect(await refused).toBe('Error: nobody waits for it any more')
  await end('a1')
  expect(names()).toEqual(['a1', 'b1', 'a2'])
})
