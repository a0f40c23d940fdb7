// Play with options: the run options of the API (2.3) as a small form, for this one run.
import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import type { RunOptionsBody } from '../../../../contract/schemas.js'
import { nameOf } from '../../words.js'
import { useWall } from '../model-context.js'
import { WithTitle } from '../with-title.js'
import { PanelFrame } from './panel-frame.js'

interface Choices {
  readonly loop: boolean
  readonly loopCrossfadeMs: string
  readonly allowOverlap: boolean
  readonly pauseWhenReplaced: boolean
  readonly externalSequencing: boolean
}

const SWITCHES = [
  ['loop', 'Loop'],
  ['allowOverlap', 'Sound over what plays'],
  ['pauseWhenReplaced', 'Keep in pause when replaced'],
  ['externalSequencing', 'Do not go on to the next of the list'],
] as const

export const OptionsPanel = (): JSX.Element | null => {
  const model = useWall()
  const { value } = model.open
  if (value?.kind !== 'options') return null
  const { button } = value.menu
  return (
    <PanelFrame key={button.id} title={`Play ${nameOf(button.title)} with`}
      heading={<WithTitle before="Play " title={button.title} after=" with" />}>
      <OptionsForm
        isSaved={{
          loop: button.isLoopEnabled, allowOverlap: button.allowOverlap,
          pauseWhenReplaced: button.pauseWhenReplaced,
        }}
        onChosen={(options) => {
          model.close()
          // A start of its own: options have no effect on a run that is there already (4.1).
          model.presses.choose({ kind: 'restart', buttonId: button.id, options })
        }}
      />
    </PanelFrame>
  )
}

const OptionsForm = (
  { isSaved, onChosen }: {
    readonly isSaved: Pick<Choices, 'loop' | 'allowOverlap' | 'pauseWhenReplaced'>
    readonly onChosen: (options: RunOptionsBody) => void
  },
): JSX.Element => {
  const [choices, setChoices] = useState<Choices>({
    ...isSaved, loopCrossfadeMs: '', externalSequencing: false,
  })
  const crossfade = Number(choices.loopCrossfadeMs)
  return (
    <form
      class="options"
      onSubmit={(event) => {
        event.preventDefault()
        const { loopCrossfadeMs: text, ...switches } = choices
        onChosen(text === '' ? switches : { ...switches, loopCrossfadeMs: Math.round(crossfade) })
      }}
    >
      {SWITCHES.map(([name, words]) => (
        <label class="switch" key={name}>
          <input type="checkbox" checked={choices[name]}
            onChange={(event) =>
              setChoices({ ...choices, [name]: event.currentTarget.checked })} />
          {words}
        </label>
      ))}
      <label class="field">
        Crossfade of the loop, in ms (empty: as saved)
        <input type="number" min="0" max="60000" step="1" value={choices.loopCrossfadeMs}
          onInput={(event) =>
            setChoices({ ...choices, loopCrossfadeMs: event.currentTarget.value })} />
      </label>
      <button type="submit" class="plain is-main">Start</button>
    </form>
  )
}
