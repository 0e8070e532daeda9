import { accessSync, constants } from 'node:fs'
import { delimiter, join } from 'node:path'
import { chromium } from 'playwright'

/** Paths of each system's own Chromium or Chrome, best first. */
const SYSTEM_BROWSERS = {
  linux: onPath(['chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome']),
  darwin: [
    '/Applications/Chromium.app/Contents/MacOS/Chromium',
    '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  ],
  win32: [
    'C:/Program Files/Google/Chrome/Application/chrome.exe',
    'C:/Program Files (x86)/Google/Chrome/Application/chrome.exe',
  ],
}

export const BROWSER_HELP = [
  'The end-to-end tests need Chromium or Chrome, and none was found. Any one of these gives them one:',
  '  npx playwright install chromium',
  '  apt-get install chromium          (Debian; elsewhere your system’s package)',
  '  CHROMIUM_PATH=/path/to/chromium   (one that you have already)',
].join('\n')

/** Flags under which a browser runs in a container as well, and asks nobody but the server under test. */
export const BROWSER_FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

/**
 * The browser of CHROMIUM_PATH, else Playwright's own, else the system's.
 *
 * @returns {string | null} its path; null: there is none
 */
export function findChromium() {
  const named = process.env.CHROMIUM_PATH
  if (named !== undefined && named !== '') {
    if (!isExecutable(named)) throw new Error(`CHROMIUM_PATH is ${named}, which cannot be run.`)
    return named
  }
  const system = process.platform in SYSTEM_BROWSERS ? process.platform : 'linux'
  const candidates = [chromium.executablePath(), ...SYSTEM_BROWSERS[/** @type {'linux'} */ (system)]]
  return candidates.find(isExecutable) ?? null
}

/** @returns {string} as `findChromium`, for those who cannot do without */
export function requireChromium() {
  const found = findChromium()
  if (found === null) throw new Error(BROWSER_HELP)
  return found
}

/** @returns {string | null} the Firefox of FIREFOX_PATH, else the system's; null: there is none */
export function findFirefox() {
  const named = process.env.FIREFOX_PATH
  if (named !== undefined && named !== '') {
    if (!isExecutable(named)) throw new Error(`FIREFOX_PATH is ${named}, which cannot be run.`)
    return named
  }
  const system = ['/Applications/Firefox.app/Contents/MacOS/firefox', 'C:/Program Files/Mozilla Firefox/firefox.exe']
  return [...onPath(['firefox-esr', 'firefox']), ...system].find(isExecutable) ?? null
}

/** Whether there is D-Bus, by which desktops on Linux are handed notifications. */
export const hasMessageBus = () => onPath(['dbus-daemon']).some(isExecutable)

/** One line for each program that end-to-end tests are skipped for the want of. @returns {string[]} */
export const withoutPrograms = () => [
  ...(hasMessageBus() ? [] : ['dbus-daemon is not there: notifications are shown, but not clicked.']),
  ...(findFirefox() === null ? ['Firefox is not there (FIREFOX_PATH): push is tried in Chromium only.'] : []),
]

/** @param {readonly string[]} names */
function onPath(names) {
  const folders = (process.env.PATH ?? '').split(delimiter)
  return names.flatMap((name) => folders.map((folder) => join(folder, name)))
}

/** @param {string} path */
function isExecutable(path) {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}
