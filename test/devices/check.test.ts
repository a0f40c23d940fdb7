// `cartwall check` on real media: what a stage cannot show, or not well, is said and is no fault.
import { execFileSync, spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import { runCheck } from '../../src/command/check.js'
import { listening } from '../command/command-output.js'
import { writeFloatWav } from './media-files.js'

const folder = mkdtempSync(join(tmpdir(), 'cartwall-check-'))
const said = listening()
const id = (n: number): string => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`

const OF = '(button "Clip")'

/** Four seconds of a test picture. */
const clip = (name: string, ...coding: readonly string[]): void => {
  const input = ['-f', 'lavfi', '-i', 'testsrc=size=64x64:rate=10:duration=4']
  execFileSync('ffmpeg', ['-v', 'error', ...input, ...coding, join(folder, name)])
}
const H264 = ['-c:v', 'libx264', '-preset', 'ultrafast', '-pix_fmt', 'yuv420p']

beforeAll(() => {
  clip('good.mp4', ...H264, '-g', '10')
  clip('slow.mp4', ...H264, '-g', '100')
  clip('old.avi', '-c:v', 'mpeg4')
  writeFloatWav(join(folder, 'sound.wav'), 48_000, () => [0, 0])
})
afterEach(() => void vi.unstubAllEnvs())
afterAll(() => rmSync(folder, { recursive: true }))

const checked = async (
  buttons: readonly object[], ...options: readonly string[]
): Promise<number> => {
  const path = join(folder, 'show.json')
  const all = buttons.map((button, n) => ({ id: id(n + 1), title: 'Clip', ...button }))
  const lists = [{ id: id(900), title: 'Clips', buttons: all }]
  writeFileSync(path, JSON.stringify({ title: 'x', playlists: lists }))
  return runCheck([path, ...options])
}

test('videos that no browser shows, or that are slow to seek, each with its mending', async () => {
  const code = await checked([
    { kind: 'video', media: 'good.mp4' }, { kind: 'video', media: 'slow.mp4' },
    { kind: 'video', media: 'old.avi' }, { kind: 'audio', media: 'sound.wav' },
    { kind: 'video', media: 'old.avi', startMs: 100 },
  ])
  expect(code).toBe(0)
  // How far it is, on a slow machine.
  const progress = /^(?!cartwall: (looking into files|decoding beginnings): \d of \d$)./m
  expect(said.err).not.toMatch(progress)
  const at = (n: number): string => `playlists[0].buttons[${n}].media: on a stage: `
  const mend = (name: string): string =>
    `  ffmpeg -i ${join(folder, name)} -map 0:V:0 -map '0:a:0?' -vf 'yadif=deint=interlaced'`
    + ' -c:v libx264 -pix_fmt yuv420p -g 10 -movflags +faststart'
    + ` -c:a aac ${join(folder, `${name}.stage.mp4`)}`
  const old = `${join(folder, 'old.avi')}: a browser does not show mpeg4 ${OF}`
  expect(said.out.trimEnd().split('\n')).toEqual([
    expect.stringMatching(/^playlists\[0\]\.buttons\[1\]\.media: on a stage: .*slow\.mp4: has k/),
    mend('slow.mp4'), at(2) + old, mend('old.avi'), at(4) + old, mend('old.avi'),
    `${join(folder, 'show.json')}: no fault in 5 buttons of 1 playlist`,
  ])
})

test('the line that mends a picture of odd sides makes one that is shown', async () => {
  const path = join(folder, 'odd.mov')
  const input = ['-f', 'lavfi', '-i', 'testsrc=size=525x333:rate=10:duration=1']
  execFileSync('ffmpeg', ['-v', 'error', ...input, '-c:v', 'qtrle', path])
  expect(await checked([{ kind: 'video', media: 'odd.mov' }])).toBe(0)
  const line = /^ {2}(ffmpeg .*)$/m.exec(said.out)?.[1] ?? ''
  execFileSync('sh', ['-c', line.replace(/^ffmpeg/, 'ffmpeg -v error -nostdin')])
  expect(await checked([{ kind: 'video', media: 'odd.mov.stage.mp4' }])).toBe(0)
  expect(said.out.match(/on a stage: .*/g))
    .toEqual([`on a stage: ${path}: a browser does not show qtrle ${OF}`])
})

test.each([
  ['titles.mov', '-c:v qtrle -pix_fmt argb'],
  ['mask.mov', '-c:v prores_ks -profile:v 4444 -pix_fmt yuva444p10le'],
  ['stinger.webm', '-c:v libvpx-vp9 -pix_fmt yuva420p -g 300'],
  ['lower.webm', '-c:v libvpx -pix_fmt yuva420p -auto-alt-ref 0 -g 300'],
])('the line that mends a picture with transparency puts it on black: %s', async (name, coding) => {
  // White on the left; on the right of no colour that is meant to be seen, white too.
  const white = "format=rgba,geq=r=255:g=255:b=255:a='if(lt(X,32),255,0)'"
  const input = ['-f', 'lavfi', '-i', `color=size=64x64:rate=10:duration=4,${white}`]
  execFileSync('ffmpeg', ['-v', 'error', ...input, ...coding.split(' '), join(folder, name)])
  expect(await checked([{ kind: 'video', media: name }]), said.out).toBe(0)
  const line = /^ {2}(ffmpeg .*)$/m.exec(said.out)?.[1] ?? ''
  execFileSync('sh', ['-c', line.replace(/^ffmpeg/, 'ffmpeg -v error -nostdin')])
  const mended = ['-v', 'error', '-i', join(folder, `${name}.stage.mp4`), '-frames:v', '1']
  const halves = ['-vf', 'format=gray,scale=2:1:flags=area', '-f', 'rawvideo', '-']
  const [left = 0, right = 255] = execFileSync('ffmpeg', [...mended, ...halves])
  expect([left > 240, right < 16], `${left} on the left, ${right} on the right`)
    .toEqual([true, true])
})

test('the line that mends frames of two half pictures makes whole ones of them', async () => {
  const input = ['-f', 'lavfi', '-i', 'testsrc2=size=352x288:rate=50:duration=2']
  const coding = ['-c:v', 'mpeg2video', '-flags', 'ildct+ilme', '-q:v', '2']
  const halves = ['-vf', 'tinterlace=interleave_top', ...coding]
  execFileSync('ffmpeg', ['-v', 'error', ...input, ...halves, join(folder, 'disc.vob')])
  expect(await checked([{ kind: 'video', media: 'disc.vob' }])).toBe(0)
  const line = /^ {2}(ffmpeg .*)$/m.exec(said.out)?.[1] ?? ''
  execFileSync('sh', ['-c', line.replace(/^ffmpeg/, 'ffmpeg -v error -nostdin')])
  const look = ['-hide_banner', '-i', join(folder, 'disc.vob.stage.mp4'), '-vf', 'idet']
  const { stderr } = spawnSync('ffmpeg', [...look, '-f', 'null', '-'], { encoding: 'utf8' })
  // Of 50 frames some look as if: they have thin lines.
  expect(Number(/Multi frame.* TFF: *(\d+)/.exec(stderr)?.[1])).toBeLessThan(10)
})

test('H.264 of two half pictures is told, and not again once it is mended', async () => {
  const path = join(folder, 'camcorder.mp4')
  const input = ['-f', 'lavfi', '-i', 'testsrc2=size=352x288:rate=50:duration=1']
  const coding = ['-c:v', 'libx264', '-flags', 'ildct+ilme', '-pix_fmt', 'yuv420p']
  const halves = ['-vf', 'tinterlace=interleave_top', ...coding]
  execFileSync('ffmpeg', ['-v', 'error', ...input, ...halves, path])
  expect(await checked([{ kind: 'video', media: 'camcorder.mp4' }])).toBe(0)
  const line = /^ {2}(ffmpeg .*)$/m.exec(said.out)?.[1] ?? ''
  execFileSync('sh', ['-c', line.replace(/^ffmpeg/, 'ffmpeg -v error -nostdin')])
  expect(await checked([{ kind: 'video', media: 'camcorder.mp4.stage.mp4' }])).toBe(0)
  const combs = 'its frames are of two half pictures (interlaced): what moves has combs'
  expect(said.out.match(/on a stage: .*/g)).toEqual([`on a stage: ${path}: ${combs} ${OF}`])
})

test('a recording through a pipe has a picture, though it tells no length', async () => {
  const path = join(folder, 'piped.webm')
  const piped = execFileSync('ffmpeg', [
    '-v', 'error', '-f', 'lavfi', '-i', 'testsrc=size=64x64:rate=10:duration=1',
    '-f', 'lavfi', '-i', 'sine=duration=1', '-c:v', 'libvpx', '-c:a', 'libopus', '-f', 'webm', '-',
  ])
  writeFileSync(path, piped)
  expect(await checked([
    { kind: 'video', media: 'piped.webm' }, { kind: 'audio', media: 'piped.webm' },
  ])).toBe(0)
  expect(said.out).toMatch(/: no fault in 2 buttons/)
})

test('settings that do nothing as the others stand are told, and are no fault', async () => {
  const path = join(folder, 'idle.json')
  const sound = { kind: 'audio', title: 'Warm', media: 'sound.wav' }
  const lists = [
    { wrap: true, buttons: [{ ...sound, fadeOutAtEnd: true }, { ...sound, endMs: 1_001 }] },
    { crossfadeMs: 500, mode: 'sequence', wrap: true, buttons: [{ ...sound, endMs: 1_000 }] },
    { crossfadeMs: 500, mixOnTransition: true, buttons: [
      { ...sound, fadeOutAtEnd: true, fadeOutMs: 1 },
    ] },
  ]
  let ids = 0
  const playlists = lists.map((list) => ({
    title: 'Beds', id: id(ids += 1), ...list,
    buttons: list.buttons.map((button) => ({ id: id(ids += 1), ...button })),
  }))
  writeFileSync(path, JSON.stringify({ title: 'x', playlists }))
  expect(await runCheck([path])).toBe(0)
  expect(said.out.trimEnd().split('\n')).toEqual([
    'playlists[0].wrap: does nothing where mode is manual (playlist "Beds")',
    'playlists[0].buttons[0].fadeOutAtEnd: does nothing without fadeOutMs (button "Warm")',
    'playlists[0].buttons[1].endMs: the media end before it (1000) (button "Warm")',
    'playlists[1].crossfadeMs: does nothing without mixOnTransition (playlist "Beds")',
    `${path}: no fault in 4 buttons of 3 playlists`,
  ])
})

test('a name that is blank, and keys that press nothing, are told, and are no fault', async () => {
  const sound = { kind: 'audio', media: 'sound.wav' }
  expect(await checked([
    { ...sound, hotkey: 'Digit3' }, { ...sound, hotkey: 'KeyAE' }, sound, { ...sound, title: ' ' },
  ])).toBe(0)
  const at = (n: number): string => `playlists[0].buttons[${n}]`
  expect(said.out.trimEnd().split('\n')).toEqual([
    `${at(3)}.title: is blank: pages show no name`,
    `${at(1)}.hotkey: no browser names a key KeyAE: it is a code such as KeyQ or Digit1 ${OF}`,
    `${at(2)}: Digit3, the key of its place on the first page, is the hotkey of ${at(0)} ${OF}`,
    `${join(folder, 'show.json')}: no fault in 4 buttons of 1 playlist`,
  ])
})

test('a button whose kind is not that of its file is told which kind is', async () => {
  const still = ['-f', 'lavfi', '-i', 'testsrc=size=64x64', '-frames:v', '1']
  execFileSync('ffmpeg', ['-v', 'error', ...still, join(folder, 'still.png')])
  expect(await checked([
    { kind: 'video', media: 'sound.wav' }, { kind: 'video', media: 'still.png' },
    { kind: 'audio', media: 'good.mp4' }, { kind: 'image', media: 'good.mp4' },
    { kind: 'image', media: 'sound.wav' }, { kind: 'audio', media: 'still.png' },
  ])).toBe(1)
  const [noVideo, noSound] = ['has no moving picture', 'has no sound']
  expect(said.out.match(/(?<=\.media: \S+ ).*/g)).toEqual([
    `${noVideo}: make its kind audio ${OF}`, `${noVideo}: make its kind image ${OF}`,
    `${noSound}: make its kind video ${OF}`,
    `is a video, not an image: make its kind video ${OF}`,
    `is sound, not an image: make its kind audio ${OF}`, `${noSound} ${OF}`,
  ])
})

test('each button that uses a bad file is named, and how many faults there are', async () => {
  const gone = { kind: 'audio', media: 'gone.wav' }
  expect(await checked([gone, { kind: 'audio', media: 'sound.wav', startMs: 1_000 }, gone])).toBe(1)
  expect(said.out.trimEnd().split('\n')).toEqual([
    `playlists[0].buttons[0].media: ${join(folder, 'gone.wav')} does not exist ${OF}`,
    `playlists[0].buttons[1].media: ${join(folder, 'sound.wav')} ends before startMs (1000) ${OF}`,
    `playlists[0].buttons[2].media: ${join(folder, 'gone.wav')} does not exist ${OF}`,
    `${join(folder, 'show.json')}: 3 faults`,
  ])
  said.out = ''
  expect(await checked([gone])).toBe(1)
  expect(said.out).toMatch(/: 1 fault\n$/)
})

test('a decoder that is killed, in company and alone, is no fault of its file', async () => {
  const usual = process.env['PATH'] ?? ''
  const programs = join(folder, 'programs')
  mkdirSync(programs)
  const twice = 'for n in 1 2; do mkdir "$0.$n" && kill -9 $$; done'
  const strike = `case "$*" in *sound.wav*) ${twice}; esac`
  const script = `#!/bin/sh\n${strike} 2>/dev/null\nPATH=${usual} exec ffmpeg "$@"\n`
  writeFileSync(join(programs, 'ffmpeg'), script, { mode: 0o755 })
  vi.stubEnv('PATH', `${programs}:${usual}`)
  expect(await checked([{ kind: 'audio', media: 'sound.wav' }]), said.out).toBe(0)
  expect(readdirSync(programs), 'it was struck twice').toHaveLength(3)
})

test('what is wrong with a show and with its files is told at once', async () => {
  expect(await checked([
    { kind: 'audio', title: 'Gong', media: 'gone.wav', fadeInMs: -1 },
    { kind: 'audio', media: 'sound.wav', startMs: 1_000, colour: 'red' },
  ])).toBe(1)
  expect(said.out.trimEnd().split('\n')).toEqual([
    expect.stringMatching(/^playlists\[0\]\.buttons\[0\]\.fadeInMs: must be .+ \(button "Gong"\)$/),
    `playlists[0].buttons[1].colour: is an unknown key; did you mean color? ${OF}`,
    `playlists[0].buttons[0].media: ${join(folder, 'gone.wav')} does not exist (button "Gong")`,
    `playlists[0].buttons[1].media: ${join(folder, 'sound.wav')} ends before startMs (1000) ${OF}`,
    `${join(folder, 'show.json')}: 4 faults`,
  ])
})

test('a file that is empty, a folder, or nothing that is decoded is told in words', async () => {
  writeFileSync(join(folder, 'empty.mp3'), '')
  writeFileSync(join(folder, 'noise.mp3'), 'words')
  const buttons = ['empty.mp3', '.', 'noise.mp3'].map((media) => ({ kind: 'audio', media }))
  expect(await checked([...buttons, { kind: 'image', media: 'empty.mp3' }])).toBe(1)
  const lines = said.out.split('\n')
  const first = `playlists[0].buttons[0].media: ${join(folder, 'empty.mp3')} is empty ${OF}`
  expect(lines[0]).toBe(first)
  expect(lines[1]).toContain(' is a folder, not a file')
  expect(lines[2]).toContain(`${join(folder, 'noise.mp3')} cannot be played: `)
  expect(lines[3]).toContain(' is empty')
})

test('a file that nothing comes out of is a fault, though what is in it can be told', async () => {
  const bytes = readFileSync(join(folder, 'sound.wav'))
  const data = bytes.indexOf('data') + 8
  writeFileSync(join(folder, 'header.wav'), bytes.subarray(0, data))
  const buttons = ['header.wav', 'sound.wav'].map((media) => ({ kind: 'audio', media }))
  expect(await checked(buttons)).toBe(1)
  expect(said.out.trimEnd().split('\n')).toEqual([
    `playlists[0].buttons[0].media: ${join(folder, 'header.wav')} cannot be played: `
      + `there is no sound in it ${OF}`,
    `${join(folder, 'show.json')}: 1 fault`,
  ])
})

test('a download that broke off is found where all of it is decoded', async () => {
  const tone = ['-f', 'lavfi', '-i', 'anoisesrc=duration=8:sample_rate=48000']
  execFileSync('ffmpeg', ['-v', 'error', ...tone, join(folder, 'whole.flac')])
  const bytes = readFileSync(join(folder, 'whole.flac'))
  writeFileSync(join(folder, 'part.flac'), bytes.subarray(0, bytes.length / 2))
  const names = ['whole.flac', 'part.flac', 'part.flac', 'sound.wav', 'good.mp4']
  const buttons = names.map((media, n) =>
    ({ kind: media.endsWith('.mp4') ? 'video' : 'audio', media, startMs: n * 100 }))
  expect(await checked(buttons)).toBe(0)
  said.out = ''
  expect(await checked(buttons, '--decode')).toBe(1)
  const at = (n: number): string =>
    `playlists\\[0\\]\\.buttons\\[${n}\\]\\.media: .*part\\.flac breaks off at [34]\\.\\d s: .+`
  expect(said.out).toMatch(new RegExp(`^${at(1)}\n${at(2)}\n.*: 2 faults\n$`))
})

test('an image whose copy broke off is a fault, whole ones are none', async () => {
  const names = ['card.png', 'card.jpg', 'card.webp']
  for (const name of names) {
    const input = ['-f', 'lavfi', '-i', 'testsrc=size=64x64', '-frames:v', '1']
    execFileSync('ffmpeg', ['-v', 'error', ...input, join(folder, name)])
    const bytes = readFileSync(join(folder, name))
    writeFileSync(join(folder, `half-${name}`), bytes.subarray(0, bytes.length / 2))
  }
  const images = (prefix: string): readonly object[] =>
    names.map((name) => ({ kind: 'image', media: `${prefix}${name}` }))
  expect(await checked(images(''))).toBe(0)
  expect(await checked(images('half-'))).toBe(1)
  expect(said.out.match(/half-.* cut off.*/g)).toEqual(names.map((name) =>
    `half-${name} is cut off: copy it, or save it, anew ${OF}`))
})
