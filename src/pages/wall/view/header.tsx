// The header: the show, the time of day, and how connection, sound and stages do, in words.
import type { JSX } from 'preact'
import { FRAMES_PER_MS } from '../../shared/clock.js'
import type { Known } from '../../shared/live-state.js'
import type { Panel } from '../wall-model.js'
import { outputTrouble, stagesWords, stageTrouble, underrunWords, WORDS } from '../words.js'
import { timeOfDay } from './banner.js'
import { Counting } from './counting.js'
import { Icon, type Sign } from './icons.js'
import { Meter } from './meter.js'
import { useWall } from './model-context.js'

export const Header = (): JSX.Element => {
  const model = useWall()
  const known = model.known.value
  return (
    <header class="header">
      <h1 class="show-title"><span dir="auto">{model.show.value?.title ?? 'cartwall'}</span></h1>
      <Counting name="time-of-day" hidden={false} onText={null}
        text={() => timeOfDay(new Date())} />
      <Connection />
      <Output known={known} />
      <Master />
      <span class="tools">
        <Tool panel="search" sign="search" words={WORDS.search} />
        <Tool panel="stages" sign="stages" words={WORDS.stages}
          note={known === null ? ' ' : stagesWords(known.stages)}
          isBad={known !== null && stageTrouble(known.stages) !== null} />
        <Tool panel="lights" sign="lights" words={WORDS.lights}
          note={known?.lights.state === 'failing' ? WORDS.lightsFail : ''} isBad />
        <Tool panel="keys" sign="keys" words={WORDS.keys} />
        <Tool panel="settings" sign="settings" words={WORDS.settings} />
      </span>
    </header>
  )
}

const Connection = (): JSX.Element => {
  const { connection } = useWall()
  const state = connection.value
  return (
    <span class={`chip connection is-${state}`}>
      <Icon sign={state === 'live' ? 'live' : state === 'lost' ? 'lost' : 'late'} />
      <span class="chip-words">{state}</span>
    </span>
  )
}

const Output = ({ known }: { readonly known: Known | null }): JSX.Element => {
  if (known === null) return <span class="chip output" />
  const { sink, latency } = known.output
  const trouble = outputTrouble(known.output)
  const isOk = trouble === null
  const device = trouble ?? sink.split(':')[0] ?? sink
  const late = isOk ? `${Math.round(latency / FRAMES_PER_MS)} ms` : ''
  const gaps = underrunWords(known.output)
  return (
    <span class={`chip output${isOk ? '' : ' is-bad'}${gaps === '' ? '' : ' has-gaps'}`}
      title={`${sink} ${late} ${gaps}`}>
      <Icon sign={isOk ? 'audio' : 'missing'} />
      <span class="chip-words">{[device, late].filter(Boolean).join(' ')}</span>
      {gaps !== '' && <span class="chip-words is-bad">{gaps}</span>}
    </span>
  )
}

const Master = (): JSX.Element => (
  <Meter name="master" words="Level of the master" peaksIn={({ master }) => master} />
)

const Tool = (
  { panel, sign, words, note = '', isBad = false }: {
    readonly panel: Panel
    readonly sign: Sign
    readonly words: string
    readonly note?: string
    readonly isBad?: boolean
  },
): JSX.Element => {
  const model = useWall()
  const { value } = model.open
  const isOpen = value?.kind === 'panel' && value.panel === panel
  return (
    <button type="button" class="tool" title={words} aria-expanded={isOpen}
      aria-label={note.trim() === '' ? words : `${words}: ${note}`}
      onClick={() => model.openPanel(panel)}>
      <Icon sign={sign} />
      {note !== '' && <span class={`tool-note${isBad ? ' is-bad' : ''}`}>{note}</span>}
    </button>
  )
}
