import { join } from 'node:path'
import { builtFingerprint, sourcesFingerprint } from './fingerprint.mjs'
import { ensureInstalled, requireNode } from './install.mjs'
import { projectRoot, runOrExit } from './run-command.mjs'

/**
 * Installs what is missing, builds what is stale, and becomes one of the programs that were built. In this process, so that
 * signals and the exit code are the program's own.
 *
 * @param {string} program its file in dist/server
 */
export async function becomeBuilt(program) {
  requireNode()
  const stale = builtFingerprint() !== sourcesFingerprint()
  // In production a server that was built already needs no more than what it runs with.
  await ensureInstalled({ toBuild: stale || process.env.NODE_ENV !== 'production' })
  if (stale) {
    console.log('Building …')
    await runOrExit(process.execPath, [join(projectRoot, 'server/cli/build.mjs')])
  }
  process.setSourceMapsEnabled(true)
  await import(new URL(`../../dist/server/${program}`, import.meta.url).href)
}
