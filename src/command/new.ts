// `cartwall new`: makes a show file from the media in a folder.
import { join } from 'node:path'
import { faultLine } from '../io/files/fault.js'
import { version } from '../daemon/package.js'
import { schemaText, SHOW_SCHEMA_FILE, showSchema } from '../io/show/file-schemas.js'
import { newShow, writeNewShow } from '../io/show/new-show.js'
import { loadShow } from '../io/show/show-file.js'
import { oneArgument } from './arguments.js'
import { complain, counted, EXIT, say } from './outcome.js'

export const runNew = async (args: readonly string[]): Promise<number> => {
  const folder = oneArgument(args, 'FOLDER')
  const answer = await newShow(folder)
  if (!answer.ok) {
    complain(answer.message)
    return EXIT.failed
  }
  const file = join(folder, 'show.json')
  const written = await writeNewShow(file, answer.show, schemaText(showSchema(version())))
  if (!written.ok) {
    complain(written.message)
    return EXIT.failed
  }
  for (const name of answer.passedOver) complain(`passed over ${name}`)
  if (written.isSchemaKept) {
    const schema = join(folder, SHOW_SCHEMA_FILE)
    complain(`${schema} stays as it is, so the show names no $schema; see cartwall help schema`)
  }
  const loaded = await loadShow(file, null)
  if (!loaded.ok) throw new Error(faultLine('the show just written,', file, loaded.faults))
  say(`${file}: ${counted(loaded.media.length + loaded.lights.length, 'button')}`)
  return EXIT.fine
}
