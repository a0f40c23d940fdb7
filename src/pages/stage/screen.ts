// Puts weighted pictures on the screen: a cut is an order of layers, a dissolve adds them up.

/** A picture on the screen, from below. */
export interface Layer {
  readonly element: HTMLElement
  readonly weight: number
  readonly fit: 'contain' | 'cover'
}

const FIRST_LAYER = 1

export class Screen {
  readonly #root: HTMLElement
  #shown: readonly HTMLElement[] = []

  constructor(root: HTMLElement) {
    this.#root = root
  }

  add(element: HTMLElement): void {
    hide(element)
    this.#root.append(element)
  }

  show(all: readonly Layer[]): void {
    const layers = oneEach(all)
    const isMixed = layers.length > 1 || layers.some(({ weight }) => weight < 1)
    for (const element of this.#shown) {
      if (!layers.some((layer) => layer.element === element)) hide(element)
    }
    for (const [n, { element, weight, fit }] of layers.entries()) {
      element.classList.remove('hidden')
      set(element, 'zIndex', String(FIRST_LAYER + n))
      set(element, 'opacity', weight < 1 ? weight.toFixed(4) : '')
      set(element, 'objectFit', fit === 'cover' ? 'cover' : '')
      if (element.classList.contains('mixed') !== isMixed) {
        element.classList.toggle('mixed', isMixed)
      }
    }
    this.#shown = layers.map(({ element }) => element)
  }
}

/**
 * An image that comes anew while it still goes, or is restarted, is two pictures on one element,
 * which can have one opacity: their sum, since what is mixed is added up.
 */
const oneEach = (layers: readonly Layer[]): readonly Layer[] => {
  const byElement = new Map<HTMLElement, Layer>()
  for (const layer of layers) {
    const weight = (byElement.get(layer.element)?.weight ?? 0) + layer.weight
    byElement.set(layer.element, { ...layer, weight })
  }
  return [...byElement.values()]
}

const hide = (element: HTMLElement): void => {
  set(element, 'zIndex', '')
  set(element, 'opacity', '')
  element.classList.remove('mixed')
  element.classList.add('hidden')
}

const set = (
  { style }: HTMLElement, name: 'zIndex' | 'opacity' | 'objectFit', value: string,
): void => {
  if (style[name] !== value) style[name] = value
}
