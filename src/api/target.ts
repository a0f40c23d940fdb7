// The path that a request's target names, as the router takes it: without its query, and decoded.

/** What is checked of a path is checked of this one: `/%73how` is `/show`. */
export const pathOf = (target: string): string => decodable(target.split(/[?#]/, 1)[0] ?? '')

const decodable = (path: string): string => {
  try {
    return decodeURI(path)
  } catch {
    return path
  }
}
