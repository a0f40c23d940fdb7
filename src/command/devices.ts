// `cartwall devices`: the sound devices that audio.device may name.
import { isOfOtherPatch, OTHER_PATCH } from '../io/speaker/addon-patch.js'
import { listDevices } from '../io/speaker/devices.js'
import { noArguments } from './arguments.js'
import { complain, EXIT, say } from './outcome.js'

export const runDevices = async (args: readonly string[]): Promise<number> => {
  noArguments(args)
  const answer = await listDevices()
  if (!answer.ok) {
    complain(answer.message)
    return EXIT.failed
  }
  const { devices } = answer
  if (devices.length === 0) complain('no sound device was found')
  if (isOfOtherPatch()) complain(OTHER_PATCH)
  for (const { name, description } of devices) {
    say(name)
    for (const line of description === '' ? [] : description.split('\n')) say(`    ${line}`)
  }
  return EXIT.fine
}
