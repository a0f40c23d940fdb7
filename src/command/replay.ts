// `cartwall replay`: what happened in a recorded night, and whether the engine does the same again.
import { tellNight } from '../recording/night.js'
import { isRecording, readParts, recordedText } from '../recording/recording-file.js'
import { Unreadable } from '../recording/replay.js'
import { oneArgument } from './arguments.js'
import { EXIT, complain, say } from './outcome.js'

export const runReplay = (args: readonly string[]): Promise<number> => {
  const path = oneArgument(args, 'FILE')
  try {
    return Promise.resolve(replayed(path))
  } catch (error) {
    if (!(error instanceof Unreadable)) throw error
    complain(`${path} cannot be replayed: ${error.message}`)
    return Promise.resolve(EXIT.badArguments)
  }
}

const replayed = (path: string): number => {
  const text = recordedText(path)
  if (!isRecording(text)) {
    throw new Unreadable('it is no recording of "cartwall serve --record"')
  }
  const { isSame, summary, troubles } = tellNight(readParts(path, text), say)
  say(summary)
  for (const trouble of troubles) process.stderr.write(`cartwall: ${trouble}\n`)
  return isSame ? EXIT.fine : EXIT.failed
}
