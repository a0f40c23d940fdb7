// Writes dist/openapi.json, the OpenAPI document of the package, from the compiled contract.
import { writeFileSync } from 'node:fs'
import { openApiDocument } from '../dist/api/openapi.js'

const target = new URL('../dist/openapi.json', import.meta.url)
writeFileSync(target, `${JSON.stringify(openApiDocument(), null, 2)}\n`)
