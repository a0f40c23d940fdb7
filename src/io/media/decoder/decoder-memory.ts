// How the decoding process gets its memory.

/**
 * What ffmpeg writes comes in pieces of 64 KB. glibc takes such from a heap that it gives back only
 * at its end, so that the most that was ever decoded at a time stayed: pieces of 32 KB and more are
 * mapped each for itself, and gone when they are collected. No other C library reads this.
 */
export const OWN_MEMORY = { MALLOC_MMAP_THRESHOLD_: '32768' } as const
