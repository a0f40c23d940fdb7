// The stages: each screen by its name, how well it is in step, and what it could not show.
import type { JSX } from 'preact'
import { counted, inSentence, stageWords, WORDS } from '../../words.js'
import { useWall } from '../model-context.js'

export const StagesPanel = (): JSX.Element => {
  const model = useWall()
  const stages = model.known.value?.stages ?? []
  if (stages.length === 0) return <p class="fact">{WORDS.noStage}</p>
  const titleOf = (id: string | null, unknown: string): string =>
    inSentence(model.buttons.value.get(id ?? '')?.title ?? unknown)
  return (
    <>
      {stages.map((stage) => (
        <div class="stage" key={stage.id}>
          <span class="stage-name">{stage.report?.name || 'stage'}</span>
          <span class="stage-words">{stageWords(stage)}</span>
          {stage.report !== null && (
            <span class="stage-facts">
              shows {stage.report.on.length === 0 ? 'black'
                : stage.report.on.map((id) => titleOf(id, '?')).join(', ')}
              {`, ${counted(stage.report.seeks, 'seek')}`}
              {`, ${counted(stage.report.framesDropped, 'frame')} dropped`}
              {`, offset ${stage.report.offsetMs} ms`}
            </span>
          )}
          {stage.report?.errors.map(({ buttonId, message }) => (
            <span class="stage-facts is-bad" key={`${buttonId} ${message}`}>
              {buttonId === null ? '' : `${titleOf(buttonId, 'a button')}: `}{message}
            </span>
          ))}
        </div>
      ))}
    </>
  )
}
