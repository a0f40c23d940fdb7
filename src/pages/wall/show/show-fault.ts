// Why the show file was refused when it was read last: until it is mended, or put aside here.
import { signal, type Signal } from '@preact/signals'
import type { LiveChange } from '../../../contract/live.js'
import type { ShowPorts } from '../../shared/show-loader.js'

/** A wall that opens is usable first. */
const LOOK_AFTER_MS = 1_000

const KEY = String.raw`[\p{L}_$][\p{L}\p{N}_$-]*`
/** An index, or a key that is no name: `["fade out"]`. */
const STEP = String.raw`\[(?:\d+|"(?:[^"\\]|\\.)*")\]`
/** Each fault begins with its place, as `playlists[0].endMs: `; titles may hold a `; ` too. */
const PLACE = String.raw`(?:${KEY}|${STEP})(?:\.${KEY}|${STEP})*: `
const BETWEEN = new RegExp(String.raw`; (?=and \d+ more$|line \d+|${PLACE})`, 'u')
/** Who mends the first ones finds the others by `cartwall check`. */
const SHOWN_MOST = 2

/** The first faults of a message, and how many others there are. */
export const faultsIn = (
  message: string,
): { readonly shown: readonly string[]; readonly more: number } => {
  const all = message.split(BETWEEN)
  const [, untold] = /^and (\d+) more$/.exec(all.at(-1) ?? '') ?? []
  const told = untold === undefined ? all : all.slice(0, -1)
  const shown = told.slice(0, SHOWN_MOST)
  return { shown, more: told.length - shown.length + Number(untold ?? 0) }
}

export class ShowFault {
  /** Null: the file is the show that plays, or the fault was seen and put aside. */
  readonly told: Signal<string | null> = signal(null)

  /** A look after the next connection does not bring it back. */
  #aside: string | null = null

  constructor(private readonly ports: ShowPorts) {}

  /** After a connection: what happened before it is in the state of the service alone. */
  look(): void {
    this.ports.after(LOOK_AFTER_MS, () => {
      this.ports.read('/api/v1/status', null).then(
        (answer) => {
          const { showError = null } = (answer?.body ?? {}) as { showError?: string | null }
          if (showError === null) this.#aside = null
          this.told.value = showError === this.#aside ? null : showError
        },
        // The next connection looks again.
        () => undefined,
      )
    })
  }

  note({ events }: LiveChange): void {
    for (const { name, data } of events) {
      if (name !== 'catalogue') continue
      if (data.change !== 'busy') this.#aside = null
      if (data.change === 'kept') this.told.value = data.message
      if (data.change === 'replaced') this.told.value = null
    }
  }

  putAside(): void {
    this.#aside = this.told.value
    this.told.value = null
  }
}
