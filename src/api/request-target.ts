// A request's target (the path that it asks for, and a query): as the router is given it, and the
// path that the router finds in it.

/** A percent sign that spells nothing is taken as it stands: then it is an id that is no GUID. */
export const routableUrl = (url: string): string =>
  url.includes('%') && decoded(withoutQuery(url)) === null ? url.replaceAll('%', '%25') : url

/** What is checked of a path is checked of this one, decoded: `/%73how` is `/show`. */
export const pathOf = (target: string): string => {
  const path = withoutQuery(target)
  return decoded(path) ?? path
}

const withoutQuery = (target: string): string => target.split(/[?#]/, 1)[0] ?? ''

/** Null where a percent sign spells nothing. */
const decoded = (path: string): string | null => {
  try {
    return decodeURI(path)
  } catch {
    return null
  }
}
