// What the build writes beside the code: whole, of this very version, and fit to be handed on.
import { readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { openApiDocument } from '../../src/api/openapi.js'
import { version } from '../../src/daemon/package.js'
import { configSchema, schemaText, showSchema } from '../../src/io/show/file-schemas.js'

const DIST = resolve(import.meta.dirname, '../../dist')
const textOf = (path: string): string => readFileSync(join(DIST, path), 'utf8')
const filesOf = (folder: string, ending: string): readonly string[] =>
  readdirSync(join(DIST, folder)).filter((name) => name.endsWith(ending))
    .map((name) => join(folder, name))

test('the documents that an app imports are those of this version', () => {
  expect(textOf('openapi.json')).toBe(`${JSON.stringify(openApiDocument(), null, 2)}\n`)
  expect(textOf('show.schema.json')).toBe(schemaText(showSchema(version())))
  expect(textOf('config.schema.json')).toBe(schemaText(configSchema(version())))
})

test('the joined programs still ask for a collection of memory that is not counted', () => {
  const asks = filesOf('run', '.js').filter((path) =>
    textOf(path).includes('new ArrayBuffer(COUNTED_BYTES + 1).byteLength'))
  expect(asks).toHaveLength(1)
})

describe('the pages', () => {
  const scripts = filesOf('pages/assets', '.js')

  test('are those of production, and tell nothing of the machine that built them', () => {
    expect(scripts.map((path) => /assets.(\w+)-/.exec(path)?.[1])).toEqual(['stage', 'wall'])
    for (const path of scripts) {
      expect(/\.tsx|lineNumber:/.test(textOf(path)), path).toBe(false)
    }
  })

  test('are packed as they are', () => {
    const plain = [...filesOf('pages', '.html'), ...scripts, ...filesOf('pages/assets', '.css')]
    expect(plain).toHaveLength(6)
    for (const path of plain) {
      const packed = (ending: string): Buffer => readFileSync(join(DIST, `${path}.${ending}`))
      expect(brotliDecompressSync(packed('br')).toString(), path).toBe(textOf(path))
      expect(gunzipSync(packed('gz')).toString(), path).toBe(textOf(path))
    }
  })
})

describe('each package whose code is handed on', () => {
  const named = (path: string): ReadonlySet<string> =>
    new Set(Array.from(textOf(path).matchAll(/^((?:@[\w-]+\/)?[\w.-]+) \d[\w.-]* \(.+\)$/gm),
      ([, name]) => String(name)))

  test('in the programs has its licence there', () => {
    const regions = filesOf('run', '.js').flatMap((path) =>
      [...textOf(path).matchAll(/^\/\/#region .*node_modules\/((?:@[^/]+\/)?[^/]+)\//gm)])
    const joined = new Set(regions.map(([, name]) => String(name)))
    expect([...joined]).toContain('fastify')
    const licences = named('run/LICENCES')
    expect([...joined].filter((name) => !licences.has(name))).toEqual([])
    // Of ts-rest, which was joined once before.
    expect(textOf('run/LICENCES')).toContain(textOf('vendor/LICENCE').trim())
  })

  test('in the pages has its licence there', () => {
    expect([...named('pages/LICENCES')])
      .toEqual(['@preact/signals', '@preact/signals-core', 'preact', 'uqr'])
    expect(textOf('pages/LICENCES')).toContain('Permission is hereby granted')
  })
})
