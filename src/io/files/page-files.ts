// The built pages, read once into memory: no path of a request ever reaches the file system.
import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { extname, join } from 'node:path'
import type { PageFile, Tagged } from '../../contract/page-file.js'

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.mp4': 'video/mp4',
  '.webm': 'video/webm',
  '.json': 'application/json; charset=utf-8',
}

/** The pages by their paths: the name of the built file. */
const PAGES: Readonly<Record<string, string>> = { '/': 'index.html', '/stage': 'stage.html' }
const FILES_MAX = 500

/** Every file by the path that it is asked for; none where the pages were not built. */
export const readPages = async (folder: string): Promise<ReadonlyMap<string, PageFile>> => {
  const files = new Map<string, PageFile>()
  for (const [path, name] of Object.entries(PAGES)) {
    const file = await builtFile(join(folder, name))
    if (file !== null) files.set(path, file)
  }
  const assets = await readdir(join(folder, 'assets')).catch(() => [])
  for (const name of assets.slice(0, FILES_MAX)) {
    const file = await builtFile(join(folder, 'assets', name))
    if (file !== null) files.set(`/assets/${name}`, file)
  }
  return files
}

const builtFile = async (path: string): Promise<PageFile | null> => {
  const type = TYPES[extname(path)]
  if (type === undefined) return null
  const [plain, brotli, gzip] = await Promise.all(
    [path, `${path}.br`, `${path}.gz`].map((one) => readFile(one).then(tagged, () => null)))
  if (plain === undefined || plain === null) return null
  return { type, plain, brotli: brotli ?? null, gzip: gzip ?? null }
}

const HASH_CHARACTERS = 22

/** An ETag of the bytes themselves. */
export const tagged = (bytes: Buffer): Tagged => {
  const hash = createHash('sha256').update(bytes).digest('base64url').slice(0, HASH_CHARACTERS)
  return { bytes, etag: `"${hash}"` }
}
