// What pages are served as: bytes with their ETag, and a built file in its codings.

/** Bytes with what tells them apart from others of their path. */
export interface Tagged {
  readonly bytes: Buffer
  /** With its quotes. */
  readonly etag: string
}

export interface PageFile {
  readonly type: string
  /** Its bytes as they are, and compressed where that was done at the build. */
  readonly plain: Tagged
  readonly brotli: Tagged | null
  readonly gzip: Tagged | null
}
