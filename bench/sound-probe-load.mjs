// For sound-probe.mjs: the program of the sound thread, which is one file with all that it imports,
// hands out the class that paces its output.

export const load = async (url, context, next) => {
  const loaded = await next(url, context)
  if (!url.endsWith('/run/sound-sound-thread.js')) return loaded
  return { ...loaded, source: `${loaded.source}\nglobalThis.handOut(Feeder)\n` }
}
