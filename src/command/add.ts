// `cartwall add`: puts media into a show that there is.
import { addMedia } from '../io/show/add-media.js'
import { addArguments } from './arguments.js'
import { complain, counted, EXIT, say } from './outcome.js'

export const runAdd = async (args: readonly string[]): Promise<number> => {
  const { files, show, playlist } = addArguments(args)
  const answer = await addMedia(show, playlist, files)
  if (!answer.ok) {
    for (const message of answer.messages) complain(message)
    return EXIT.failed
  }
  say(`${show}: ${counted(answer.count, 'button')} more in ${JSON.stringify(answer.playlist)}`)
  return EXIT.fine
}
