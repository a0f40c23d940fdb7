// Lists kept by a key or in the order of frames, or from which one thing at a time is taken.

export const push = <Item>(lists: Map<string, Item[]>, key: string, item: Item): void => {
  const list = lists.get(key)
  if (list === undefined) lists.set(key, [item])
  else list.push(item)
}

/** The first that fits; it is gone from the list then. */
export const take = <Item>(items: Item[], fits: (item: Item) => boolean): Item | null => {
  const place = items.findIndex(fits)
  return place < 0 ? null : items.splice(place, 1)[0]!
}

/** Puts it behind those of its frame; by halving, for small steps of supply are thousands. */
export const insert = <Item extends { readonly at: number }>(items: Item[], item: Item): void => {
  let [low, high] = [0, items.length]
  while (low < high) {
    const middle = (low + high) >>> 1
    if (items[middle]!.at <= item.at) low = middle + 1
    else high = middle
  }
  items.splice(low, 0, item)
}
