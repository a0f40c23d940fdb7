// Judges the master stage by what leaves it: bit for bit unless too loud, never past full.
import type { StereoBlock } from '../../src/engine/ports.js'
import { Master } from '../../src/engine/sound/master.js'
import { stereo } from '../../src/engine/sound/mixer.js'
import type { Judge } from './judge.js'
import type { Dice } from '../scenario/random.js'

/** -1 dBFS, as f32 has it. */
const LOUD = Math.fround(Math.pow(10, -1 / 20))
/** 200 ms. */
const MEMORY = 9_600
/** The master stage holds back so much. */
export const LOOK_AHEAD = 48
const LENGTH = 12_000

/** Plays quiet sound with a few loud frames through a stage, cut anywhere. */
export const judgeMaster = (judge: Judge, dice: Dice): void => {
  const sound = stereo(LENGTH)
  const quiet = dice.pick([0.01, 0.3, LOUD])
  for (let i = 0; i < LENGTH; i += 1) {
    sound.left[i] = (dice.next() * 2 - 1) * quiet
    sound.right[i] = (dice.next() * 2 - 1) * quiet
  }
  for (let n = dice.whole(0, 3); n > 0; n -= 1) {
    const at = dice.whole(0, 1_500)
    const side = dice.chance(0.5) ? sound.left : sound.right
    side[at] = dice.pick([0.9, -1.2, 4, -40, LOUD, -LOUD])
  }
  const came = { left: sound.left.slice(), right: sound.right.slice() }
  const master = new Master()
  for (let at = 0; at < LENGTH;) {
    const count = Math.min(LENGTH - at, dice.whole(1, 4_000))
    master.process(sound, at, count)
    at += count
  }
  judgeSides(judge, came, sound)
}

const judgeSides = (judge: Judge, came: StereoBlock, left: StereoBlock): void => {
  let lastLoud = -Infinity
  for (let i = 0; i < LENGTH; i += 1) {
    if (Math.max(Math.abs(came.left[i]!), Math.abs(came.right[i]!)) > LOUD) lastLoud = i
    const at = i - LOOK_AHEAD
    if (at < 0) continue
    const free = at - lastLoud >= MEMORY
    const pairs = [[came.left[at]!, left.left[i]!], [came.right[at]!, left.right[i]!]] as const
    for (const [before, after] of pairs) {
      const [was, is] = [Math.abs(before), Math.abs(after)]
      // It is turned down and neither up, nor round, nor off.
      const fits = is <= 1 && is <= was && after * before >= 0 && is >= was * (LOUD / 40) * 0.999
      judge.hold('D3/master', fits && (!free || after === before), () =>
        `frame ${at}: ${before} leaves as ${after}`)
    }
  }
}
