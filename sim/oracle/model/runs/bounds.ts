// Where a run's place in its media asks for something: loops, supply, fades at End; plain sums.
import { framesOf, placeOf, type ModelRun, type ModelStream } from '../shapes.js'

/** A list's next item and a loop's next pass are opened so long before their moment. */
export const LEAD = framesOf(5_000)

/** Whether a loop is possible at all by the options of the run (3.4.1 to 3.4.3). */
export const mayLoop = (run: ModelRun): boolean =>
  run.options.loop ?? !run.options.externalSequencing

/** Whether it repeats as things stand: an explicit loop, else the padlock. */
export const loops = (run: ModelRun): boolean =>
  mayLoop(run) && (run.options.loop ?? run.button.isLoopEnabled)

/** 3.4.8: the wish, half the range, the decoded head, sixty seconds. */
export const overlapOf = (run: ModelRun, end: number, headBytes: number): number => {
  const half = Math.floor((end - run.start) / 2)
  return Math.min(run.wish, half, Math.floor(headBytes / 8), 2_880_000)
}

/** Up to where there is something to hear. */
export const limitOf = (run: ModelRun): number => {
  const tail = Math.min(run.tail.supplied, run.tail.end ?? Infinity)
  if (run.seam === null) return tail
  return Math.min(tail, run.seam.begin + run.seam.head.supplied - run.start)
}

/** Nothing more will come where the supply ends. */
export const isSpent = ({ tail, seam, start }: ModelRun): boolean =>
  seam !== null && seam.begin + seam.head.supplied - start < tail.supplied
    ? allCame(seam.head)
    : allCame(tail)

/** 100 ms: what sounds must have so much in stock, or all that there will ever be. */
const STOCK = 4_800

export const isFilled = (stream: ModelStream): boolean =>
  allCame(stream) || stream.supplied - stream.from >= STOCK

/** What a start, a list's next item and a loop's next pass wait for. */
export const isReady = (stream: ModelStream): boolean =>
  stream.supplied > stream.from && isFilled(stream)

/** What starved may go on. */
export const refilled = (run: ModelRun): boolean =>
  (run.seam === null || isFilled(run.seam.head)) &&
  (limitOf(run) - run.position >= STOCK || isSpent(run))

const allCame = (stream: ModelStream): boolean =>
  stream.broken !== null || (stream.end !== null && stream.supplied >= stream.end)

/** Frames to the last End of a loop that wraps no more, as far as its decoders told. */
export const leftOf = (run: ModelRun, now: number): number | null => {
  const { tail, seam } = run
  const ends = seam === null ? tail.end : seam.head.end
  if (!run.moving || tail.end === null || ends === null) return null
  const here = Math.max(0, tail.end - placeOf(run, now))
  return seam === null ? here : here + Math.max(0, ends - run.start - seam.frames)
}

/** A fade at End waits for what rises, but no longer than half of what rises and falls take. */
export const fallFrom = (run: ModelRun, now: number): number => {
  const { begin, frames } = run.fade
  const whole = now + (run.tail.end ?? 0) - placeOf(run, now) - begin
  return begin + Math.min(frames, Math.ceil(whole / 2))
}

/** A fade at End begins behind all that ends at that frame. */
export const fallsBehind = (run: ModelRun, at: number, now: number): boolean => {
  const { button, tail, state } = run
  if (!button.fadeOutAtEnd || state !== 'playing' || tail.end === null) return false
  const endsAt = now + tail.end - placeOf(run, now)
  return at !== endsAt && at === Math.max(endsAt - framesOf(button.fadeOutMs), fallFrom(run, now))
}

/** The next frame at which the run's own place in its media asks for something; Infinity: none. */
export const dueOf = (run: ModelRun, now: number, headBytes: number): number => {
  // What comes within the frame itself was not late.
  const isNew = run.starving && run.settledAt <= run.starvedFrom
  if (!run.moving) return isNew ? run.starvedFrom + 1 : Infinity
  const place = placeOf(run, now)
  const { tail: { end, held }, button } = run
  const places = end === null ? [] : [end]
  if (end !== null && run.seam === null) {
    if (mayLoop(run) && !run.decided) {
      const decision = end - overlapOf(run, end, headBytes)
      places.push(decision)
      if (run.next === null && !held) places.push(decision - LEAD)
    }
    if (run.state === 'playing') {
      places.push(place + run.riseEnd - now)
      if (button.fadeOutAtEnd) {
        places.push(end - framesOf(button.fadeOutMs), place + fallFrom(run, now) - now)
      }
    }
  }
  const open = places.filter((at) => at > place || (at === place && run.settledAt < now))
  return now + Math.max(0, Math.min(limitOf(run), ...open) - place)
}
