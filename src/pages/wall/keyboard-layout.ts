// What is written on the keys of this keyboard. Chromium tells it, to pages of its own machine.
import { signal, type ReadonlySignal } from '@preact/signals'

/** By the code of a key the sign that it writes; empty where nobody tells. */
export type Layout = ReadonlyMap<string, string>

/** The part of the browser's Keyboard that is used, which its types lack. */
interface Keyboard {
  getLayoutMap(): Promise<Layout>
}

export const layoutSignal = (): ReadonlySignal<Layout> => {
  const layout = signal<Layout>(new Map())
  const { keyboard } = navigator as { readonly keyboard?: Keyboard }
  keyboard?.getLayoutMap().then(
    (map) => (layout.value = map),
    // In a frame, or where a person forbade it: the American one is as good as any.
    () => undefined,
  )
  return layout
}
