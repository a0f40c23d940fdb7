// What the judge of the sound path goes by: how much a device may have, how late things may be.
// In frames.

/** The bounds of what a device has in its buffer, as README tells them: 4 to 40 ms. */
export const [FLOOR, CEILING] = [192, 1_920]
/** The stock behind which a late engine is not heard, where something is due within it. */
export const STOCK = 480
/** What a device that takes back has, where nothing is due before. */
export const SERVER_STOCK = 5_760
/** The pieces in which the engine renders, and the time in which the process looks. */
export const [BLOCK, LOOK] = [128, 48]
/** What comes on top of both: threads and pipes that are late by chance, two ms each way. */
export const CHANCE = 240
/** As little sound between two gaps lets them be one to whoever listens, and counts. */
export const ONE_GAP = 8
/** What an output keeps its hands off after a stall, since a device may have it already. */
export const CAUTION = 160
/** Frames of a change that may come too late by chance: a server has read 64 of the 144 it has. */
export const LATE_BY_CHANCE = 24
/** How far a thread that is late by chance may put time off. */
export const JITTER = 960
/** A second, and what a queue takes. */
export const LEAP_MAX = 48_000 + CEILING
/** What one has that never read anything: it may wait for so much. It is known when it has read. */
export const [UNREAD, READS_SEEN] = [8_192, 4_800]
