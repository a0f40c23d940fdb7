// A replacement crossfade against ffmpeg's acrossfade with triangular curves, sample by sample.
import { spawnSync } from 'node:child_process'
import { describe, expect, it } from 'vitest'
import { frame } from '../../src/clock/frame.js'
import { ms, rig, type ButtonSpec } from '../rig.js'

/** Two sounds that resemble each other in nothing, never near zero together. */
const first = (at: number): number => Math.fround(0.4 + 0.3 * Math.sin(at * 0.013))
const second = (at: number): number => Math.fround(-0.3 + 0.2 * Math.sin(at * 0.0071 + 1))

const interleave = (frames: number, sample: (at: number) => number): Buffer => {
  const pcm = new Float32Array(frames * 2)
  for (let at = 0; at < frames; at += 1) pcm[2 * at] = pcm[2 * at + 1] = sample(at)
  return Buffer.from(pcm.buffer)
}

/** ffmpeg's answer, left side; both sounds are `frames` long and overlap by `overlap`. */
const acrossfade = (frames: number, overlap: number): Float32Array => {
  const raw = ['-f', 'f32le', '-ar', '48000', '-ac', '2']
  const split = `[0]asplit[a][b];[a]atrim=end_sample=${frames}[x];` +
    `[b]atrim=start_sample=${frames},asetpts=PTS-STARTPTS[y];` +
    `[x][y]acrossfade=ns=${overlap}:c1=tri:c2=tri`
  const args = ['-nostdin', '-v', 'error', ...raw, '-i', 'pipe:0', '-filter_complex', split]
  const { status, stdout, stderr } = spawnSync('ffmpeg', [...args, ...raw, 'pipe:1'], {
    input: Buffer.concat([interleave(frames, first), interleave(frames, second)]),
    maxBuffer: 64 * 1024 * 1024,
  })
  if (status !== 0) throw new Error(`ffmpeg: ${stderr.toString()}`)
  const pcm = new Float32Array(stdout.buffer, stdout.byteOffset, stdout.byteLength / 4)
  return pcm.filter((_, n) => n % 2 === 0)
}

const sound = (frames: number, sample: (at: number) => number): ButtonSpec => ({
  file: { frames: frame(frames), sample: (at) => [sample(at), sample(at)] },
})

describe('a crossfade beside ffmpeg acrossfade=c1=tri:c2=tri', () => {
  it.each([100, 250, 1000])('agrees over %i ms to one step of the ramp', (crossfadeMs) => {
    const overlap = ms(crossfadeMs)
    const frames = ms(2000) + 1
    const theirs = acrossfade(frames, overlap)
    const list = { mixOnTransition: true, crossfadeMs }
    const r = rig([{ ...list, buttons: [sound(frames, first), sound(frames, second)] }])
    r.start(0)
    const before = r.render(frames - overlap).left
    r.start(1)
    const after = r.render(frames).left
    const ours = new Float32Array(before.length + after.length)
    ours.set(before)
    ours.set(after, before.length)
    expect(theirs.length).toBe(2 * frames - overlap)
    // ffmpeg's gains go by index/(n-1) or index/n, by its release: one step of 1/n apart at most,
    // on each of two sounds below 0.7 and 0.5; outside of the overlap the samples are the same.
    const step = (0.7 + 0.5) / overlap
    ours.forEach((x, at) => {
      const within = at >= frames - overlap && at < frames
      const allowed = within ? step + 1e-6 : 1e-7
      const off = Math.abs(x - theirs[at]!)
      if (off > allowed) expect.fail(`frame ${at}: ours ${x}, theirs ${theirs[at]!}`)
    })
  })
})
