// All short sequences of commands, with gaps that fall on boundaries and a frame to either side.
import { flagsOf } from '../commands/arguments.js'
import { failureLines } from '../commands/tally.js'
import { Judge, type Failure } from '../oracle/judge.js'
import { playPlainly } from './play.js'
import {
  PLAIN_BUTTON, PLAIN_FILE, PLAIN_LIST, PLAIN_SCENARIO, type Act, type ButtonSpec, type FileSpec,
  type ListSpec, type Op, type OptionsSpec, type Scenario,
} from '../scenario/scenario.js'
import { shortText } from '../scenario/scenario-text.js'

/** Short, so that everything can meet: 100 ms of media, fades of 20 ms, overlaps of 20 ms. */
const MEDIA = 4_800
const FADE_MS = 20
const GAPS = [0, 1, 959, 960, 3_840, 4_799, 4_800] as const

interface Setting {
  readonly name: string
  readonly file?: Partial<FileSpec>
  readonly button?: Partial<ButtonSpec>
  readonly list?: Partial<ListSpec>
  readonly options?: OptionsSpec
}

const SETTINGS: readonly Setting[] = [
  { name: 'plain' },
  { name: 'slow to start', file: { readyAfter: 960 } },
  { name: 'looped', options: { loop: true, loopCrossfadeMs: FADE_MS } },
  { name: 'looped hard, not held', file: { holds: false }, options: { loop: true } },
  { name: 'kept', button: { pauseWhenReplaced: true, fadeOutMs: FADE_MS } },
  { name: 'sequence', list: { mode: 'sequence', wrap: true } },
  { name: 'mixed', list: { mode: 'sequence', mixOnTransition: true, crossfadeMs: FADE_MS } },
  { name: 'padlocked', button: { isLoopEnabled: true, fadeInMs: FADE_MS } },
  { name: 'fading at End', button: { fadeOutAtEnd: true, fadeOutMs: FADE_MS } },
  { name: 'starving', file: { step: { frames: 960, every: 1_920 } } },
  { name: 'lit', button: { lights: { loop: false, durationMs: 60 } } },
]

const acts = (options: OptionsSpec): readonly Act[] => [
  { op: 'play', button: 0, options },
  { op: 'play', button: 1, options: {} },
  { op: 'restart', button: 0, options },
  { op: 'pause', button: 0, run: 'live', fadeMs: null },
  { op: 'pause', button: 0, run: 'live', fadeMs: FADE_MS },
  { op: 'resume', button: 0, run: 'live', fadeMs: FADE_MS },
  { op: 'stop', button: 0, run: 'live', fadeMs: null },
  { op: 'stop', button: 0, run: 'older', fadeMs: FADE_MS },
  { op: 'panic', fadeMs: FADE_MS },
]

const scenarioOf = (setting: Setting, ops: readonly Op[]): Scenario => {
  const file = { ...PLAIN_FILE, frames: MEDIA, ...setting.file }
  const button = { ...PLAIN_BUTTON, ...setting.button }
  const buttons = [{ ...button, file: 0 }, { ...button, file: 1 }]
  return {
    ...PLAIN_SCENARIO, note: setting.name, calm: true, files: [file, file],
    lists: [{ ...PLAIN_LIST, ...setting.list, buttons }],
    ops: [...ops, { gap: 960, op: 'read' }, { gap: 6_000, op: 'wait' }],
  }
}

/** Every sequence of `depth` commands after a first play; answers the first that breaks a rule. */
export const exhaustAll = (
  depth: number, tell: (wrong: Failure, scenario: Scenario) => void,
): number => {
  let played = 0
  for (const setting of SETTINGS) {
    const { options = {} } = setting
    const choices = acts(options).flatMap((act) => GAPS.map((gap): Op => ({ ...act, gap })))
    const walk = (ops: readonly Op[]): void => {
      if (ops.length > depth) {
        played += 1
        const scenario = scenarioOf(setting, ops)
        const { violation } = playPlainly(scenario, new Judge())
        if (violation !== null) tell(violation, scenario)
      } else for (const choice of choices) walk([...ops, choice])
    }
    walk([{ gap: 0, op: 'play', button: 0, options }])
  }
  return played
}

export const exhaust = (argv: readonly string[]): number => {
  const { depth, report } = flagsOf(argv, { depth: 2 })
  let violations = 0
  const sequences = exhaustAll(depth, (wrong, scenario) => {
    violations += 1
    if (violations > 5) return
    const lines = [...failureLines(wrong), '  replay: npm run sim -- replay FILE, of this as FILE:']
    process.stderr.write(`${scenario.note}: ${lines.join('\n')}\n${shortText(scenario)}`)
  })
  return report(
    violations === 0, { sequences, violations }, `${sequences} sequences, ${violations} violations`)
}
