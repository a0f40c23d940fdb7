// Writes dist/show.schema.json and dist/config.schema.json from the compiled shapes of these files.
import { writeFileSync } from 'node:fs'
import { version } from '../dist/daemon/package.js'
import { configSchema, schemaText, showSchema } from '../dist/io/show/file-schemas.js'

const schemas = {
  'show.schema.json': showSchema(version()), 'config.schema.json': configSchema(version()),
}
for (const [name, schema] of Object.entries(schemas)) {
  const target = new URL(`../dist/${name}`, import.meta.url)
  writeFileSync(target, schemaText(schema))
}
