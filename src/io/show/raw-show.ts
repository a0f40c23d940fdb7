// A show as it stands in its file, whatever is wrong with it.

export type Raw = Readonly<Record<string, unknown>>

export const isRaw = (value: unknown): value is Raw =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** The list at a key; empty where there is none. */
export const rawList = (value: unknown, key: string): readonly unknown[] => {
  const inner = isRaw(value) ? value[key] : null
  return Array.isArray(inner) ? inner : []
}

/** In which playlist a place lies, and in which button of it; null: outside of all, of a button. */
export const placeInShow = (
  place: string,
): { readonly playlist: number; readonly button: number | null } | null => {
  const [, playlist, button] = /^playlists\[(\d+)\](?:\.buttons\[(\d+)\])?/.exec(place) ?? []
  if (playlist === undefined) return null
  return { playlist: Number(playlist), button: button === undefined ? null : Number(button) }
}
