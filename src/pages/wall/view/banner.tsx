// Says over the grid what stands in the way: a lost connection, a service that ends; and at the
// foot what can wait: a new version, a fault of the show file.
import type { JSX } from 'preact'
import { faultsIn } from '../show/show-fault.js'
import { rowsOf } from '../shown-runs.js'
import { inSentence, WORDS } from '../words.js'
import { Icon } from './icons.js'
import { useWall } from './model-context.js'

export const Banner = (): JSX.Element => {
  const model = useWall()
  const isLost = model.connection.value === 'lost'
  const words = isLost ? lostWords(model.lostSince.value, wasEnding(model)) : endingWords(model)
  return (
    <div class="banners" role="status" aria-live="assertive">
      {words !== null && (
        <div class="banner is-lost"><Icon sign="lost" />{words}</div>
      )}
      {!isLost && <Unseen />}
    </div>
  )
}

/** What became of a press by a hotkey or a menu whose button is on another page, and has no row. */
const Unseen = (): JSX.Element | null => {
  const { presses, places, known, buttons } = useWall()
  const told = presses.lastTold.value
  if (told === null) return null
  const { buttonId, message } = told
  const isSeen = places.cells.value.some(({ button }) => button.id === buttonId)
    || rowsOf(known.value).runs.some((run) => run.buttonId === buttonId)
  if (isSeen) return null
  const title = buttons.value.get(buttonId)?.title
  return (
    <div class="banner is-told">
      {title === undefined ? message : `${inSentence(title)}: ${message}`}
    </div>
  )
}

/**
 * At the foot, where they hide no button, and put aside by hand: the evening goes on. Above, on a
 * phone, a new version would cover the playlists and the arrows until its end.
 */
export const FootNotes = (): JSX.Element => {
  const { showFault, otherVersion } = useWall()
  const fault = showFault.told.value
  return (
    <div class="foot-notes" role="status">
      {otherVersion.value && (
        <div class="banner is-version">
          <span>{WORDS.otherVersion}</span>
          <button type="button" class="plain" onClick={() => location.reload()}>
            {WORDS.reload}
          </button>
          <Close act={() => (otherVersion.value = false)} />
        </div>
      )}
      {fault !== null && <FaultNote message={fault} putAside={() => showFault.putAside()} />}
    </div>
  )
}

const FaultNote = (
  { message, putAside }: { readonly message: string; readonly putAside: () => void },
): JSX.Element => {
  const { shown, more } = faultsIn(message)
  return (
    <div class="banner is-fault">
      <Close act={putAside} />
      {WORDS.showFault}
      {shown.map((each) => <b key={each}> {each}</b>)}
      {more > 0 && <span> and {more} more</span>}
    </div>
  )
}

const Close = ({ act }: { readonly act: () => void }): JSX.Element => (
  <button type="button" class="plain" onClick={act}>{WORDS.close}</button>
)

type Model = ReturnType<typeof useWall>

const wasEnding = (model: Model): boolean => model.known.value?.service === 'shutting_down'

const endingWords = (model: Model): string | null =>
  wasEnding(model) ? 'The service is shutting down.' : null

const lostWords = (since: Date | null, wasShutDown: boolean): string => {
  const time = since === null ? '' : ` since ${timeOfDay(since)}`
  const what = wasShutDown ? 'The service was shut down' : 'No connection'
  return `${what}${time}. Buttons do nothing; what is shown may be out of date.`
}

export const timeOfDay = (date: Date): string => {
  const two = (n: number): string => `${n}`.padStart(2, '0')
  return `${two(date.getHours())}:${two(date.getMinutes())}:${two(date.getSeconds())}`
}
