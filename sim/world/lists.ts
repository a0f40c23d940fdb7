// Lists that are kept by a key, or from which one thing at a time is taken.

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
