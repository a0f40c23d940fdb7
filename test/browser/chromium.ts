// The distribution's Chromium without a window, as every test and bench of the pages starts it.
import { existsSync } from 'node:fs'
import { chromium, type Browser } from 'playwright-core'

const FLAGS = [
  '--headless', '--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run',
  '--disable-background-networking', '--disable-component-update', '--disable-sync',
  '--autoplay-policy=no-user-gesture-required',
]

const PLACES = ['/usr/bin/chromium', '/usr/bin/google-chrome']
/** Ubuntu has Chromium as a snap alone: there it is Google's package that is installed. */
export const CHROMIUM = PLACES.find((path) => existsSync(path)) ?? '/usr/bin/chromium'

/**
 * The pages of all contexts in one process: to start one costs more than most tests take. For those
 * that look at one page at a time, and at what it shows rather than when.
 */
const ONE_PROCESS = [
  '--disable-site-isolation-trials', '--process-per-site', '--renderer-process-limit=1',
]

const launch = (args: readonly string[]): Promise<Browser> =>
  chromium.launch({ executablePath: CHROMIUM, args: [...args] })

export const launchChromium = (): Promise<Browser> => launch(FLAGS)

export const launchFrugalChromium = (): Promise<Browser> => launch([...FLAGS, ...ONE_PROCESS])
