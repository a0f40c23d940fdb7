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

/** Puts it where its frame belongs, behind those of the same frame. */
export const insert = <Item extends { readonly at: number }>(items: Item[], item: Item): void => {
  items.splice(items.findLastIndex(({ at }) => at <= item.at) + 1, 0, item)
}
