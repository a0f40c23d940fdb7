// The planted bugs: for each rule of the oracle those that it must find. How to write one:
// docs/simulation.md, "Planted bugs".
import { DEVICE_BUGS } from './device-bugs.js'
import type { Mutant } from './mutant-place.js'
import { RUN_BUGS } from './run-bugs.js'
import { SERVICE_BUGS } from './service-bugs.js'
import { SOUND_BUGS } from './sound-bugs.js'
import { THREADS_BUGS } from './threads-bugs.js'

export const MUTANTS: readonly Mutant[] = [
  ...RUN_BUGS, ...SOUND_BUGS, ...SERVICE_BUGS, ...DEVICE_BUGS, ...THREADS_BUGS,
].map(([rule, name, change], at) => ({ n: at + 1, rule, name, change }))
