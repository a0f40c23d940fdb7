// One look at a media file: whether it can be played, which content it has, what family it is of.
import { constants, type Stats } from 'node:fs'
import { open, realpath, stat, statfs } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import { mediaType, SIGNATURE_BYTES } from '../../../contract/media-type.js'
import { FILE_MISSING } from '../../../contract/show-page.js'
import { OGG_TAIL_BYTES, type Seeking, seekingOf } from './seeking.js'
import { fileStamp } from '../../files/file-stamp.js'
import { nearName } from '../../files/near-name.js'

interface OwnFile {
  /** When anything of it changed last, its rights too. */
  readonly changedMs: number
  /** No link and no share is on the way to it: the kernel answers for it by itself. */
  readonly isDirect: boolean
}

/** What a look found; `unavailable`: the disk or the share did not answer in time. */
export type Look =
  | {
      readonly kind: 'file'
      readonly stamp: string
      /** Which disk or share it is on. */
      readonly disk: number
      /** Of a file on a disk of this machine; null where its disk may hang. */
      readonly own: OwnFile | null
      readonly isMp4: boolean
      readonly seeking: Seeking
      /** The content type, by its first bytes. */
      readonly type: string
    }
  | { readonly kind: 'missing'; readonly message: string }
  | { readonly kind: 'unavailable'; readonly message: string }

/**
 * What `statfs` calls the disks of a machine itself: ext, XFS, Btrfs, F2FS, ZFS, NTFS, FAT, exFAT,
 * a squashed image, memory, a container's layers. Any other may be a share.
 */
const OWN_DISKS = new Set([
  0xef53, 0x58465342, 0x9123683e, 0xf2f52010, 0x2fc12fc1, 0x7366746e, 0x4d44, 0x2011bab0,
  0x73717368, 0x01021994, 0x794c7630,
])

/**
 * FAT, exFAT and what a program serves (FUSE) keep no numbers of files: they are given out as files
 * are met, and are others when a stick was taken out, or memory was short.
 */
const UNNUMBERED_DISKS = new Set([0x4d44, 0x2011bab0, 0x65735546])
const UNKNOWN_DISK = 0

/**
 * Whoever can look at files, without ever waiting for one longer than a deadline: `patienceMs`, or
 * as long as a file may take to be of use.
 */
export interface Looking {
  look(path: string, patienceMs?: number): Promise<Look>
}

/** What the system knows of a file and of its disk, by its path. */
export interface SystemFacts {
  stat(path: string): Promise<Stats>
  statfs(path: string): Promise<{ readonly type: number }>
  realpath(path: string): Promise<string>
}

const SYSTEM: SystemFacts = { stat, statfs, realpath }

const diskKind = (path: string, system: SystemFacts): Promise<number> =>
  system.statfs(path).then(({ type }) => type, () => UNKNOWN_DISK)

/** A link that lies on a share is asked of that share, wherever it leads; so is a folder there. */
const isDirect = async (path: string, system: SystemFacts): Promise<boolean> => {
  const file = resolve(path)
  if (await system.realpath(file).catch(() => null) !== file) return false
  for (let folder = dirname(file); ; folder = dirname(folder)) {
    if (!OWN_DISKS.has(await diskKind(folder, system))) return false
    if (folder === dirname(folder)) return true
  }
}

/**
 * A regular file that may be read. A pipe, a device or a folder is never opened: opening one can
 * hang or do things. It never rejects, but it takes as long as the file's disk does.
 */
export const lookAtFile = async (path: string, system = SYSTEM): Promise<Look> => {
  try {
    const facts = await system.stat(path)
    if (!facts.isFile()) return { kind: 'missing', message: 'not a file' }
    const file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK)
    try {
      const head = Buffer.alloc(SIGNATURE_BYTES)
      const { buffer, bytesRead } = await file.read(head, 0, SIGNATURE_BYTES, 0)
      const isMp4 = buffer.toString('latin1', 4, 8) === 'ftyp'
      const type = mediaType(buffer.subarray(0, bytesRead))
      const tail = Buffer.alloc(type.endsWith('/ogg') ? OGG_TAIL_BYTES : 0)
      const tailAt = Math.max(0, facts.size - tail.length)
      if (tail.length > 0) await file.read(tail, 0, tail.length, tailAt)
      const seeking = seekingOf(type, buffer, tail)
      const kind = await diskKind(path, system)
      const own = OWN_DISKS.has(kind)
        ? { changedMs: facts.ctimeMs, isDirect: await isDirect(path, system) } : null
      const stamp = fileStamp(facts, !UNNUMBERED_DISKS.has(kind))
      return { kind: 'file', stamp, disk: facts.dev, own, isMp4, seeking, type }
    } finally {
      await file.close()
    }
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? 'unknown'
    const gone = code === 'ENOENT' || code === 'ENOTDIR'
    if (!gone) return { kind: 'missing', message: `unreadable (${code})` }
    return { kind: 'missing', message: `${FILE_MISSING}${await nearName(path)}` }
  }
}
