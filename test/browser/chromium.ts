// The distribution's Chromium without a window, as every test and bench of the pages starts it.
import { chromium, type Browser } from 'playwright-core'

const FLAGS = [
  '--headless', '--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run',
  '--disable-background-networking', '--disable-component-update', '--disable-sync',
  '--autoplay-policy=no-user-gesture-required',
]

export const launchChromium = (): Promise<Browser> =>
  chromium.launch({ executablePath: '/usr/bin/chromium', args: FLAGS })

declare global {
  var chromiumOfTests: Promise<Browser> | undefined
}

/**
 * The browser of a test process, for the files that it runs one after the other: a start costs as
 * much as three tests. It ends with its process. Each file leaves it with `leaveBrowser`.
 */
export const testBrowser = async (): Promise<Browser> => {
  const known = await globalThis.chromiumOfTests
  if (known?.isConnected() === true) return known
  globalThis.chromiumOfTests = launchChromium()
  return globalThis.chromiumOfTests
}

/** Closes every page of it, whoever opened them. */
export const leaveBrowser = async (browser: Browser | null): Promise<void> => {
  await Promise.all((browser?.contexts() ?? []).map((context) => context.close()))
}
