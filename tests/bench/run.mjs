// npm run bench: our computation and our chart beside others' in Chromium; `npm run bench -- live` what the stream and the
// answers of the built server cost, `-- live widgets` a part of it. Exits non-zero when a bar is missed.
import { join } from 'node:path'
import { builtFingerprint, sourcesFingerprint } from '../../server/cli/fingerprint.mjs'
import { ensureInstalled, requireNode } from '../../server/cli/install.mjs'
import { projectRoot, runOrExit, runProgram } from '../../server/cli/run-command.mjs'

requireNode()
await ensureInstalled()
const { ensureBrowser } = await import('../ensure-browser.mjs')

const browser = await ensureBrowser()
if (browser === null) process.exit(1)
const asked = process.argv.slice(2)
const live = asked[0] === 'live'
const rest = live ? asked.slice(1) : asked
const begin = rest.findIndex((each) => each.startsWith('-'))
const options = begin < 0 ? [] : rest.slice(begin)
// The live measurements are of the built server.
if (live && builtFingerprint() !== sourcesFingerprint())
  await runOrExit(process.execPath, [join(projectRoot, 'server/cli/build.mjs')])
const parts = rest.slice(0, rest.length - options.length).map((part) => (live ? `bench/live/${part}` : part))
const args = ['test', ...(live && parts.length === 0 ? ['bench/live/'] : parts), ...options]
const config = ['--config', join(projectRoot, `tests/bench/${live ? 'live/' : ''}playwright.config.ts`)]
const env = { CHROMIUM_PATH: browser }
process.exit(
  await runProgram(process.execPath, [join(projectRoot, 'node_modules/playwright/cli.js'), ...args, ...config], {
    env,
  }),
)
