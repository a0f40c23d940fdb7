// The pages as the daemon holds them: what /show tells, and where the built files are.
import { fileURLToPath } from 'node:url'
import type { PagesSource } from '../api/pages/source.js'
import type { Config } from '../io/config.js'
import { readPages } from '../io/files/page-files.js'
import { ShowBody, type ShownShow } from '../io/show/show-page-body.js'

export interface Pages {
  readonly show: ShowBody
  /** Null where the configuration has no pages. */
  readonly source: PagesSource | null
  /** The ETag of /show; null where there are no pages. */
  tag(): string | null
}

export const createPages = (
  config: Config, version: string, first: ShownShow, media: PagesSource['media'],
): Pages => {
  const { enabled, panicFadeMs, guardMs } = config.pages
  const settings = { panicFadeMs, guardMs, stageOffsetMs: config.stage.offsetMs }
  const show = new ShowBody({ version, settings }, first)
  if (!enabled) return { show, source: null, tag: () => null }
  const files = readPages(fileURLToPath(new URL('../pages/', import.meta.url)))
  return {
    show,
    source: {
      file: async (path) => (await files).get(path) ?? null,
      show: () => show.body(),
      media,
    },
    tag: () => show.body().etag,
  }
}
