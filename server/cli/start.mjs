// npm start, and npm run backup, restore and superuser, each with its program as the first argument: for the server and restore
// installs what is missing and builds what is stale, and becomes the program. In this process, so that signals and the exit code are the program's own.
import { join } from 'node:path'
import { builtFingerprint, sourcesFingerprint } from './fingerprint.mjs'
import { ensureInstalled, requireNode } from './install.mjs'
import { projectRoot, runOrExit } from './run-command.mjs'

// Any other argument is left to the server, which names the arguments that it takes.
const PROGRAMS = ['backup.js', 'restore.js', 'superuser.js']
const [program] = PROGRAMS.includes(process.argv[2] ?? '') ? process.argv.splice(2, 1) : ['main.js']
requireNode()
// Backup and superuser look at what is there: they run the build that serves, and neither install nor build another.
const runsAsBuilt = program === 'backup.js' || program === 'superuser.js'
if (runsAsBuilt && builtFingerprint() === null) {
  console.error('The server has not been built here. Run npm run build first, or this command where the server runs.')
  process.exit(1)
}
const stale = !runsAsBuilt && builtFingerprint() !== sourcesFingerprint()
// In production a server that was built already needs no more than what it runs with.
if (!runsAsBuilt) await ensureInstalled({ toBuild: stale || process.env.NODE_ENV !== 'production' })
if (stale) {
  console.log('Building …')
  await runOrExit(process.execPath, [join(projectRoot, 'server/cli/build.mjs')])
}
await import(new URL(`../../dist/server/${program}`, import.meta.url).href)
