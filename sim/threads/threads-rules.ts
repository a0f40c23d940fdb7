// The rules of the way between the daemon's two threads, each with the sentence it stands for.

export const THREADS_RULES = {
  'threads/answered': 'each command that is handed over is answered once, until the shutdown',
  'threads/own-command': 'who hears an answer reads what the command did',
  'threads/in-order':
    'the engine is told what the main thread tells, in its order; left out is nothing but a show ' +
    'in whose place another one came, and what a shutdown overtakes',
  'threads/show': 'readers have the show that the engine had when it told them its latest news',
  'threads/not-busy': 'while no show is read, no command is refused because one is',
  'threads/at-rest': 'once all is told, readers read what the engine has, and what is armed',
  'threads/time':
    'the time of readers never falls, is never ahead of the engine, and nobody reads a run past ' +
    'the place at which it comes to rest',
  'threads/recording': 'the same events follow from what was recorded',
  'threads/end': 'after the shutdown nothing is live for readers, and they read that it came',
} as const

export type ThreadsRule = keyof typeof THREADS_RULES
