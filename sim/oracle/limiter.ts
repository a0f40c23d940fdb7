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
/** An over may be kept down by a quarter of a decibel beyond what it needs. */
const NEARLY = 1.03
/** So often a bed in full swing has a crest that is too loud. */
const CREST_EVERY = 60

/** Plays quiet sound, or a loud bed, with a few louder frames through a stage, cut anywhere. */
export const judgeMaster = (judge: Judge, dice: Dice): void => {
  const sound = stereo(LENGTH)
  const quiet = dice.pick([0.01, 0.3, LOUD])
  for (let i = 0; i < LENGTH; i += 1) {
    sound.left[i] = (dice.next() * 2 - 1) * quiet
    sound.right[i] = (dice.next() * 2 - 1) * quiet
  }
  if (dice.chance(0.5)) {
    for (let at = 0; at < LENGTH; at += CREST_EVERY) sound.left[at] = 0.95
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
  const overs: { readonly at: number; readonly need: number }[] = []
  for (let i = 0; i < LENGTH; i += 1) {
    const peak = Math.max(Math.abs(came.left[i]!), Math.abs(came.right[i]!))
    if (peak > LOUD) overs.push({ at: i, need: LOUD / peak })
    const at = i - LOOK_AHEAD
    if (at < 0) continue
    while (overs.length > 0 && at - overs[0]!.at >= MEMORY) overs.shift()
    const free = overs.length === 0
    const need = overs.reduce((least, over) => Math.min(least, over.need), 1)
    const pairs = [[came.left[at]!, left.left[i]!], [came.right[at]!, left.right[i]!]] as const
    for (const [before, after] of pairs) {
      const [was, is] = [Math.abs(before), Math.abs(after)]
      // It is turned down by what is needed, and neither up, nor round, nor off.
      const least = (was * need / NEARLY) * 0.999
      const fits = is <= 1 && is <= was && after * before >= 0 && is >= least
      judge.hold('D3/master', fits && (!free || after === before), () =>
        `frame ${at}: ${before} leaves as ${after}`)
    }
  }
}
