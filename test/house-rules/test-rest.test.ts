// What `npm test` runs after the unit tests: where a part of it fails, so does the whole, by name.
import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ENOUGH } from '../../sim/play/seeds.js'

const SCRIPT = resolve(import.meta.dirname, '../../scripts/test-rest.mjs')

/** In the place of vitest and of the simulation: notes that it ran, and fails where it is to. */
const STAND_IN = `
import { appendFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
const words = process.argv.slice(2)
const names = words.filter((_word, n) => words[n - 1] === '--project')
const name = names.join(' and ') || 'seeds'
const shard = words.find((word) => word.startsWith('--shard'))
if (shard !== undefined) writeFileSync(join(process.cwd(), 'shard'), shard)
const isAgain = words.includes('a.test.ts')
appendFileSync(join(process.cwd(), 'ran'), name + (isAgain ? ' again' : '') + '\\n')
if (names.length === 0) writeFileSync(join(process.cwd(), 'seeds'), words.join(' '))
const report = words.find((word) => word.startsWith('--outputFile.json='))
const set = process.env.FAILS === name ? process.env.HOW : 'fine'
const how = set !== 'once' ? set : isAgain ? 'fine' : '1'
if (report !== undefined && how === '1') {
  const assertionResults = [
    { status: 'passed', fullName: 'is fine' }, { status: 'failed', fullName: 'is heard' },
  ]
  const one = { status: 'failed', name: join(process.cwd(), 'a.test.ts'), assertionResults }
  writeFileSync(report.split('=')[1], JSON.stringify({ testResults: [one] }))
}
if (how === 'SIGKILL') process.kill(process.pid, 'SIGKILL')
process.exitCode = how === 'fine' ? 0 : Number(how)
`

const STAGES = ['devices', 'pages', 'sound', 'pages-timed']
const BESIDE = ['house-rules and sim', 'seeds']

let tree = ''
beforeAll(() => {
  tree = mkdtempSync(join(tmpdir(), 'cartwall-test-rest-'))
  for (const path of ['node_modules/vitest/vitest.mjs', 'sim/start.mjs', 'scripts/test-rest.mjs']) {
    mkdirSync(dirname(join(tree, path)), { recursive: true })
    writeFileSync(join(tree, path), STAND_IN)
  }
  cpSync(SCRIPT, join(tree, 'scripts/test-rest.mjs'))
})
afterAll(() => rmSync(tree, { recursive: true }))

/** @param secondsLeft until all has to be over, as CI sets it; null: it has time, as a person. */
const rest = (fails = '', how = '', secondsLeft: number | null = null) => {
  const end = secondsLeft === null ? {}
    : { CARTWALL_TESTS_END: String(Date.now() / 1_000 + secondsLeft) }
  const { CARTWALL_TESTS_END: _ofThisRun, ...env } = process.env
  for (const noted of ['ran', 'shard']) writeFileSync(join(tree, noted), '')
  const { status, stderr } = spawnSync(
    process.execPath, [join(tree, 'scripts/test-rest.mjs')],
    { encoding: 'utf8', env: { ...env, ...end, FAILS: fails, HOW: how } },
  )
  const ran = readFileSync(join(tree, 'ran'), 'utf8').trimEnd().split('\n')
  const [, told = ''] = stderr.split('\nFailed:\n')
  return { status, ran, stderr, told: told.trimEnd().split('\n').map((line) => line.trim()) }
}

test('of the fixed seeds as many are played as must meet every coincidence', () => {
  rest()
  expect(readFileSync(join(tree, 'seeds'), 'utf8')).toBe(`run --seeds ${ENOUGH} --from 1 --json`)
})

test('all of it is run, and is 0 where nothing fails', () => {
  const { status, ran, told } = rest()
  expect([status, told]).toEqual([0, ['']])
  expect(ran.toSorted()).toEqual([...STAGES, ...BESIDE].toSorted())
  expect(ran.filter((name) => STAGES.includes(name))).toEqual(STAGES)
})

test('pages and most seeds are left out, and that is told, where they would be cut off', () => {
  const late = rest('', '', 400)
  expect(late.status).toBe(0)
  expect(late.ran.toSorted()).toEqual(
    [...STAGES.filter((name) => name !== 'pages'), ...BESIDE].toSorted())
  expect(late.stderr.trimEnd())
    .toMatch(/Left out:\n {2}with \d+ s left: --project pages; seeds above 2000$/)
  expect(readFileSync(join(tree, 'seeds'), 'utf8')).toBe('run --seeds 2000 --from 1 --json')
})

test('with too little time for that, what is timed in a browser is left out, and told', () => {
  const late = rest('', '', 200)
  expect(late.status).toBe(0)
  expect(late.ran.toSorted()).toEqual(['devices', 'sound', ...BESIDE].toSorted())
  expect(late.stderr).toMatch(/Left out:\n.*--project pages;.*\n.*left: --project pages-timed\n$/)
})

test('with time for a part of the pages that is run, another one for each commit', () => {
  // Fixed in all of it, so that each has the same number in every run of this test.
  const env = {
    GIT_AUTHOR_NAME: 'a', GIT_AUTHOR_EMAIL: 'a@b', GIT_AUTHOR_DATE: '1795860000 +0000',
    GIT_COMMITTER_NAME: 'a', GIT_COMMITTER_EMAIL: 'a@b', GIT_COMMITTER_DATE: '1795860000 +0000',
  }
  const git = (...words: string[]) =>
    spawnSync('git', ['-C', tree, ...words], { env: { ...process.env, ...env } })
  git('init')
  const ran = ['one', 'two', 'three'].map((message) => {
    git('commit', '--allow-empty', '--no-gpg-sign', '-m', message)
    // 420 s for all of the pages, and 450 for what follows.
    const { stderr } = rest('', '', 450 + 420 / 3 + 5)
    const [shard] = /--shard=[123]\/3(?=; seeds above 2000$)/.exec(stderr.trimEnd()) ?? []
    expect(readFileSync(join(tree, 'shard'), 'utf8')).toBe(shard)
    return shard
  })
  rmSync(join(tree, '.git'), { recursive: true })
  expect(new Set(ran).size).toBeGreaterThan(1)
  const all = rest('', '', 900)
  expect(all.stderr).not.toContain('Left out')
  expect(all.ran).toContain('pages')
  expect(readFileSync(join(tree, 'shard'), 'utf8')).toBe('')
})

test.each(STAGES)('a test of %s that fails beside others is run alone in CI, and told', (stage) => {
  const shared = rest(stage, 'once', 900)
  expect(shared.status).toBe(0)
  expect(shared.ran).toContain(`${stage} again`)
  expect(shared.stderr.trimEnd())
    .toMatch(/Failed beside others, fine alone:\n {2}a\.test\.ts: is heard$/)
  const broken = rest(stage, '1', 900)
  expect(broken.status).toBe(1)
  expect(broken.told[0]).toBe('a.test.ts: is heard')
  // A person is told at once.
  const own = rest(stage, 'once')
  expect(own.status).toBe(1)
  expect(own.ran).not.toContain(`${stage} again`)
})

test.each(STAGES)('a test of %s that fails is named, and nothing comes after it', (stage) => {
  const { status, ran, told } = rest(stage, '1')
  expect(status).toBe(1)
  expect(told[0]).toBe('a.test.ts: is heard')
  const command = `^node node_modules/vitest/.*--project ${stage} .*ended with 1$`
  expect(told[1]).toMatch(new RegExp(command))
  expect(ran.filter((name) => STAGES.includes(name))).toEqual(
    STAGES.slice(0, STAGES.indexOf(stage) + 1))
})

test.each([
  ['seeds', '1', /^node sim\/start\.mjs run --seeds 10000 .* ended with 1$/],
  ['house-rules and sim', '1', /^a\.test\.ts: is heard$/],
  ['sound', 'SIGKILL', /^node node_modules\/vitest.*--project sound .*ended with SIGKILL$/],
])('%s that ends with %s is told', (what, how, words) => {
  const { status, told } = rest(what, how)
  expect(status).toBe(1)
  expect(told[0]).toMatch(words)
})
