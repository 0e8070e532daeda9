// npm run bench: our computation and our chart beside others' in Chromium; exits non-zero when a bar is missed.
import { join } from 'node:path'
import { ensureInstalled, requireNode } from '../../server/cli/install.mjs'
import { projectRoot, runProgram } from '../../server/cli/run-command.mjs'

requireNode()
await ensureInstalled()
const { ensureBrowser } = await import('../ensure-browser.mjs')

const browser = await ensureBrowser()
if (browser === null) process.exit(1)
const args = ['test', ...process.argv.slice(2), '--config', join(projectRoot, 'tests/bench/playwright.config.ts')]
const env = { CHROMIUM_PATH: browser }
process.exit(
  await runProgram(process.execPath, [join(projectRoot, 'node_modules/playwright/cli.js'), ...args], { env }),
)
