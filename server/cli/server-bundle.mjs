import { cpSync, readdirSync } from 'node:fs'
import { basename, join } from 'node:path'
import { build, context } from 'esbuild'
import { nodeFloor } from './install.mjs'
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
  // Each worker needs a file of its own, since a thread is started from a file.
  entryPoints: [
    'server/main.ts',
    'server/superuser.ts',
    'server/backup.ts',
    'server/restore.ts',
    'server/db/pglite-worker.ts',
    'server/adapters/market-stream/exchange-worker.ts',
  ],
  outdir,
  entryNames: '[name]',
  bundle: true,
  packages: 'external',
  platform: 'node',
  format: 'esm',
  target: `node${nodeFloor().join('.')}`,
  sourcemap: true,
  logLevel: 'warning',
})

/**
 * Copies what the server reads as it runs to beside the bundle.
 *
 * @param {string} outdir
 */
function copyFiles(outdir) {
  for (const from of ['server/db/migrations', 'server/policies']) {
    cpSync(join(projectRoot, from), join(outdir, basename(from)), { recursive: true })
  }
}

/**
 * The compiled parts of argon2 that are installed here: optional packages, which an installation for production may leave out.
 *
 * @param {string} outdir
 */
function copyArgon2(outdir) {
  const packages = join(projectRoot, 'node_modules/@node-rs')
  for (const name of readdirSync(packages).filter((name) => name.startsWith('argon2-'))) {
    const files = readdirSync(join(packages, name)).filter((file) => file.endsWith('.node'))
    for (const file of files) cpSync(join(packages, name, file), join(outdir, 'argon2', file))
  }
}

/** @param {string} outdir */
export async function bundleServer(outdir) {
  await build(options(outdir))
  copyFiles(outdir)
  copyArgon2(outdir)
}

/** @returns {Promise<Map<string, 'static' | 'lazy'>>} the packages that the bundle asks node_modules for, and when */
export async function packagesOfServer() {
  const { metafile } = await build({ ...options('unused'), write: false, metafile: true, sourcemap: false })
  /** @type {Map<string, 'static' | 'lazy'>} */
  const packages = new Map()
  for (const { path, kind, external } of Object.values(metafile.outputs).flatMap(({ imports }) => imports)) {
    if (external !== true || path.startsWith('node:')) continue
    const name = path.split('/', path.startsWith('@') ? 2 : 1).join('/')
    if (packages.get(name) !== 'static') packages.set(name, kind === 'dynamic-import' ? 'lazy' : 'static')
  }
  return packages
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
