// `cartwall schema`: the JSON Schema of a show or of a configuration, for an editor to go by.
import { version } from '../daemon/package.js'
import { configSchema, schemaText, showSchema } from '../io/show/file-schemas.js'
import { oneArgument } from './arguments.js'
import { ArgumentError, EXIT } from './outcome.js'

export const runSchema = (args: readonly string[]): Promise<number> => {
  const what = oneArgument(args, 'show or config')
  if (what !== 'show' && what !== 'config') {
    throw new ArgumentError(`say show or config (not ${JSON.stringify(what)})`)
  }
  const schema = what === 'show' ? showSchema(version()) : configSchema(version())
  process.stdout.write(schemaText(schema))
  return Promise.resolve(EXIT.fine)
}
