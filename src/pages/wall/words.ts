// Every word that the wall says to people, in one file.
import { isBlank } from '../../contract/blank-text.js'
import type { LiveOutput, LiveParts, LiveRun, LiveStage } from '../../contract/live.js'
import type { ShowButton } from '../../contract/show-page.js'
import type { End } from './ends.js'
import type { Look } from './look.js'
import type { PanicState } from './panic.js'
import type { Ignored } from './press/press-machine.js'

export const WORDS = {
  panic: 'Panic',
  panicHint: 'Sound fades, images and lights end at once; again within 5 seconds: silence',
  panicClose: 'Touch here or press a key to see the wall; PANIC and Esc try again',
  playlists: 'Playlists',
  buttons: 'Buttons',
  nowPlaying: 'Now playing',
  nothingPlays: 'Nothing is playing',
  lastEnds: 'Last ends',
  nothingEnded: 'Nothing has ended yet',
  loading: 'Waiting for the show',
  emptyList: 'This playlist has no buttons',
  emptyShow: 'This show has no playlists',
  previousPage: 'Previous page',
  nextPage: 'Next page',
  search: 'Search',
  searchHint: 'A title, in all playlists',
  noneFound: 'No title has that in it',
  lights: 'Lights',
  stages: 'Stages',
  keys: 'Keys',
  settings: 'Settings',
  close: 'Close',
  connected: 'Connected again',
  reload: 'Reload',
  otherVersion: 'The service was updated. Reload this page when nothing is going on.',
  showFault: 'The show file cannot be used as it is now; the show before it plays on.',
  noStage: 'No stage is open. Open /stage on the second screen.',
  noLights: 'No lighting timeline is running, and nothing was sent to the lights yet.',
  theme: 'Look',
  actOnRelease: 'Act when a button is let go, not when it is pressed',
  letterKeys: 'Letter and digit keys press buttons',
  address: 'This wall on another device',
  addressHint: 'Its camera reads the address from this picture.',
  addressOwn: 'Only this machine can open it: api.host in the configuration names others.',
  next: 'next',
  armed: 'armed',
  repeats: 'repeats',
  hasLights: 'with lights',
  key: 'key',
  noPicture: 'no picture',
  notLit: 'no lights',
  pressSwitch: 'Pressing',
  lightsFail: 'lights fail',
  ofAnotherShow: 'its button is not in the show any more',
} as const

export const moreFound = (count: number): string => `and ${count} more: type on`

export const THEME_WORDS = { dark: 'Dark', dim: 'Dim', light: 'Light' } as const

/** Of what is on without a run: where its button has no title, and what it does. */
export const LONE_WORDS = {
  shown: { title: 'A picture', state: 'shown' }, lit: { title: 'Lights', state: 'running' },
} as const

export const KIND_WORDS = {
  audio: 'sound', video: 'video', image: 'image', dmx: 'lights', navigation: 'opens a playlist',
} as const

/** Read out in the place of a blank title, which nobody hears; null: it has one that is read. */
export const unnamed = (title: string, what: 'button' | 'playlist'): string | null =>
  isBlank(title) ? `${what} without a title` : null

export const nameOf = (title: string): string => unnamed(title, 'button') ?? title

/** Letters that are read from the right, and marks that turn what follows them. */
const TURNS = /[\u0590-\u08FF\u200F\u202A-\u202E\u2066-\u2069\uFB1D-\uFDFF\uFE70-\uFEFC]/

/** A title within a sentence: its own direction is its own, and the sentence keeps that it has. */
export const inSentence = (title: string): string => {
  const name = nameOf(title)
  return TURNS.test(name) ? `\u2068${name}\u2069` : name
}

/** What a press would play without; a button of nothing but lights is missing then. */
export const idleWords = ({ media, dmx }: Pick<ShowButton, 'media' | 'dmx'>): string => {
  if (media !== null && media.notShown !== null) return WORDS.noPicture
  return dmx !== null && dmx.error !== null ? WORDS.notLit : ''
}

/** What a button is, in a word; `at` is the position where it is paused. */
export const lookWords = (look: Look, at: string): string => {
  switch (look.kind) {
    case 'idle':
      return ''
    case 'starting':
      return '…'
    case 'playing':
      return look.run.starving ? 'sound is late' : 'playing'
    case 'pausing':
      return 'pausing'
    case 'paused':
      return `paused at ${at}`
    case 'fading_out':
      return 'fading'
    case 'shown':
      return LONE_WORDS.shown.state
    case 'lit':
      return LONE_WORDS.lit.state
    case 'missing':
      return look.isThere ? 'cannot be played' : 'missing'
  }
}

export const endWords = (end: End): string => {
  switch (end.kind) {
    case 'completed':
      return 'played to its end'
    case 'stopped':
      return 'stopped'
    case 'replaced':
      return 'replaced'
    case 'failed':
      return end.message === null ? 'failed' : `failed: ${end.message}`
  }
}

/** For screen readers: what became of a run. */
export const runAnnounced = (run: LiveRun): string => {
  const state = { starting: 'starts', playing: 'plays', pausing: 'pauses', paused: 'is paused',
    fading_out: 'fades out', completed: 'has ended', stopped: 'is stopped', failed: 'has failed' }
  return `${nameOf(run.title)} ${state[run.state]}`
}

export const panicWords = (state: PanicState, isLost: boolean): string => {
  switch (state.kind) {
    case 'calm':
      return ''
    case 'sent':
      if (isLost) return 'No connection: trying'
      return state.way === 'cut' ? 'Cutting' : 'Fading'
    case 'done':
      return panicDone(state.fading, state.stopped)
    case 'not_sent':
      if (state.message !== null) return `PANIC WAS REFUSED: ${state.message}`
      return state.mayHaveArrived ? 'NO ANSWER TO PANIC' : 'PANIC WAS NOT SENT'
    case 'missed':
      return state.mayHaveArrived ? 'Connected again: panic had no answer, look what plays'
        : 'Connected again: panic was not sent'
  }
}

const panicDone = (fading: number, stopped: number): string => {
  if (fading === 0 && stopped === 0) return 'Nothing was on'
  if (stopped === 0) return `${fading} fading`
  return fading === 0 ? `${stopped} stopped` : `${fading} fading, ${stopped} stopped`
}

export const ignoredWords = (why: Ignored): string => {
  switch (why) {
    case 'guard':
      return ''
    case 'coming':
      return 'on its way'
    case 'no_connection':
      return 'not sent: no connection'
  }
}

export const NOT_SENT = 'not sent: no answer'
export const NOT_PAUSED = 'not paused: it is being stopped'

export const stageWords = ({ gone, report }: LiveStage): string => {
  if (gone) return 'gone'
  if (report === null) return 'opening'
  if (!report.visible) return 'hidden'
  switch (report.pace) {
    case 'idle':
      return 'nothing moves'
    case 'in_step':
      return report.p95 === null ? 'in step' : `in step ${Math.round(report.p95)} ms`
    case 'catching_up':
      return 'catching up'
    case 'late':
      return 'cannot keep up'
  }
}

/**
 * What is wrong with a stage, of several with the first one; null: nothing is. The word that
 * matters stands first, where little room cuts off what comes after it.
 */
export const stageTrouble = (stages: readonly LiveStage[]): string | null => {
  const gone = stages.filter((stage) => stage.gone).length
  if (gone > 0) return `gone: ${gone}`
  // Nothing moves there, and all is in step: yet what was pressed is not seen.
  const errors = stages.flatMap(({ report }) => report?.errors ?? [])
  const notSeen = new Set(errors.map(({ buttonId }) => buttonId)).size
  if (notSeen > 0) return `not shown: ${notSeen}`
  const off = stages.find(({ report }) => report !== null && !inStep(report))
  return off === undefined ? null : stageWords(off)
}

/** The stages in the header: those that are there, or what is wrong with one. */
export const stagesWords = (stages: readonly LiveStage[]): string =>
  stages.length === 0 ? 'no stage' : stageTrouble(stages) ?? `${stages.length} in step`

const inStep = (report: NonNullable<LiveStage['report']>): boolean =>
  report.visible && (report.pace === 'in_step' || report.pace === 'idle')

/** The null sink, asked for or fallen back to: in a room that expects music it must be seen. */
export const outputTrouble = ({ state, sink }: LiveOutput): string | null =>
  state !== 'ok' ? 'no sound output' : sink === 'null' ? 'nothing is heard' : null

export const underrunWords = ({ underruns }: LiveOutput): string =>
  underruns === 0 ? '' : counted(underruns, 'underrun')

/** What else is wrong, for windows whose header has no room to say it. */
export const troubleWords = (
  { output, lights, stages }: Pick<LiveParts, 'output' | 'lights' | 'stages'>,
): string => {
  const stage = stageTrouble(stages)
  return [
    lights.state === 'failing' ? WORDS.lightsFail : '',
    stage === null ? '' : `stage ${stage}`,
    underrunWords(output),
  ].filter(Boolean).join(' · ')
}

/** `1 seek`, `2 seeks`. */
export const counted = (count: number, noun: string): string =>
  `${count} ${count === 1 ? noun : `${noun}s`}`
