// A file as apps and pages hear of it: by its name, without the folders of this machine.

/** What stands after the last slash of either kind. */
const fileName = (path: string): string =>
  path.slice(Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\')) + 1)

/** The message with the name of the file in place of its path, wherever that stands in it. */
export const withoutFolder = (message: string, path: string): string =>
  message.replaceAll(path, fileName(path))
