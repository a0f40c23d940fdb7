// Videos whose pictures go on after their sound, e.g. a clip of 8 s with a jingle of 3: the rest of
// them is silent, and they end with the pictures.
import { frame, type Frame } from '../../clock/frame.js'

/**
 * Pictures that end so much later than the sound go on. Less is what writers of files leave, e.g. a
 * last packet that is filled up, and would be a hole in each loop.
 */
export const PICTURES_ALONE = frame(12_000)

/** Whether a file may hold pictures, by its first bytes: of what is sound alone nobody asks. */
export const mayShow = ({ isMp4, type }: { readonly isMp4: boolean; readonly type: string }) =>
  isMp4 || type.startsWith('video/')

interface Ends {
  readonly picturesEnd: Frame | null
  readonly isEstimate: boolean
}

/** Where the pictures end, if they go on after a sound that ends at `at`; null: they do not. */
export const silentUntil = ({ picturesEnd, isEstimate }: Ends, at: number): Frame | null =>
  picturesEnd !== null && !isEstimate && picturesEnd > at + PICTURES_ALONE ? picturesEnd : null
