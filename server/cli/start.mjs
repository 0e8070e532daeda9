// npm start: installs what is missing, builds what is stale, and becomes the server.
import { join } from 'node:path'
import { builtFingerprint, sourcesFingerprint } from './fingerprint.mjs'
import { ensureInstalled, requireNode } from './install.mjs'
import { projectRoot, runOrExit } from './run-command.mjs'

requireNode()
await ensureInstalled()
if (builtFingerprint() !== sourcesFingerprint()) {
  console.log('Building …')
  await runOrExit(process.execPath, [join(projectRoot, 'server/cli/build.mjs')])
}
process.setSourceMapsEnabled(true)
// In this process, so that signals and the exit code are the server's own.
await import(new URL('../../dist/server/main.js', import.meta.url).href)
