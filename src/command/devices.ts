// `cartwall devices`: the sound devices that audio.device may name.
import { noArguments } from './arguments.js'
import { complain, EXIT, say } from './outcome.js'

interface DevicesModule {
  readonly listDevices: () => Promise<
    readonly { readonly name: string; readonly description: string }[]
  >
}

export const runDevices = async (args: readonly string[]): Promise<number> => {
  noArguments(args)
  const place = '../io/devices.js'
  const { listDevices } = (await import(place)) as DevicesModule
  const devices = await listDevices()
  if (devices.length === 0) complain('no sound device was found')
  for (const { name, description } of devices) {
    say(description === '' ? name : `${name}\n    ${description.replaceAll('\n', '\n    ')}`)
  }
  return EXIT.fine
}
