import { accessSync } from 'node:fs'
import { join } from 'node:path'
import { projectRoot, runProgram } from '../server/cli/run-command.mjs'
import { BROWSER_HELP, findChromium } from './browser.mjs'

/**
 * Finds a browser for the end-to-end tests, or installs one where this machine allows it.
 *
 * @returns {Promise<string | null>} its path; null: there is none, and how to get one has been said
 */
export async function ensureBrowser() {
  let found = findChromium()
  if (found !== null) return found
  console.log('No Chromium found. Asking Playwright for one …')
  await runProgram(process.execPath, [join(projectRoot, 'node_modules/playwright/cli.js'), 'install', 'chromium'])
  found = findChromium()
  if (found === null && process.getuid?.() === 0 && hasAptGet()) {
    console.log('Asking the system’s packages for one …')
    const env = { DEBIAN_FRONTEND: 'noninteractive' }
    await runProgram('apt-get', ['update', '-qq'], { env })
    await runProgram('apt-get', ['install', '-y', '-qq', '--no-install-recommends', 'chromium'], { env })
    found = findChromium()
  }
  if (found === null) console.error(BROWSER_HELP)
  return found
}

function hasAptGet() {
  try {
    accessSync('/usr/bin/apt-get')
    return true
  } catch {
    return false
  }
}
