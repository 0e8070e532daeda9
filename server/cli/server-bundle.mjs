import { cpSync } from 'node:fs'
import { join } from 'node:path'
import { build, context } from 'esbuild'
import { projectRoot } from './run-command.mjs'

/**
 * Our own modules bundled for plain Node; packages stay outside and are found in node_modules. Entries lie side by side
 * with the files that they read, where server/program-files.ts looks for them.
 *
 * @param {string} outdir
 * @returns {import('esbuild').BuildOptions}
 */
const options = (outdir) => ({
  absWorkingDir: projectRoot,
  // The worker needs a file of its own, since a thread is started from a file.
  entryPoints: ['server/main.ts', 'server/superuser.ts', 'server/db/pglite-worker.ts'],
  outdir,
  entryNames: '[name]',
  bundle: true,
  packages: 'external',
  platform: 'node',
  format: 'esm',
  target: 'node20.19',
  sourcemap: true,
  logLevel: 'warning',
})

/** What the server reads as it runs, and the name it has beside the bundle. */
const FILES = { migrations: 'server/db/migrations', policies: 'server/policies' }

/** @param {string} outdir */
function copyFiles(outdir) {
  for (const [name, from] of Object.entries(FILES)) {
    cpSync(join(projectRoot, from), join(outdir, name), { recursive: true })
  }
}

/** @param {string} outdir */
export async function bundleServer(outdir) {
  await build(options(outdir))
  copyFiles(outdir)
}

/**
 * Bundles once, then again after every change, for as long as this process lives.
 *
 * @param {string} outdir
 */
export async function watchServer(outdir) {
  const watching = await context(options(outdir))
  await watching.rebuild()
  copyFiles(outdir)
  await watching.watch()
}
