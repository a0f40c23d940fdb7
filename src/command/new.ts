// `cartwall new`: makes a show file from the media in a folder.
import { join } from 'node:path'
import { faultLine } from '../io/files/fault.js'
import { version } from '../daemon/package.js'
import { newShow, writeNewShow } from '../io/show/new-show.js'
import { loadShow } from '../io/show/show-file.js'
import { oneArgument } from './arguments.js'
import { complain, EXIT, say } from './outcome.js'

export const runNew = async (args: readonly string[]): Promise<number> => {
  const folder = oneArgument(args, 'FOLDER')
  const answer = await newShow(folder, version())
  if (!answer.ok) {
    complain(answer.message)
    return EXIT.failed
  }
  for (const name of answer.passedOver) complain(`passed over ${name}`)
  const file = join(folder, 'show.json')
  const refusal = await writeNewShow(file, answer.show)
  if (refusal !== null) {
    complain(refusal)
    return EXIT.failed
  }
  const loaded = await loadShow(file, null)
  if (!loaded.ok) throw new Error(faultLine('the show just written,', file, loaded.faults))
  say(`${file}: ${String(loaded.media.length + loaded.lights.length)} buttons`)
  return EXIT.fine
}
