import { spawnSync } from 'node:child_process'
import { chmodSync, cpSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { build, context, transform } from 'esbuild'
import { nodeFloor } from './install.mjs'
import { projectRoot } from './run-command.mjs'

/**
 * Packages that stay in node_modules: those that read files of their own or start threads from them, and those that few
 * servers load. The others are bundled, since to find, read and compile their thousand files took half of a start.
 */
const OUTSIDE = [
  '@electric-sql/pglite',
  '@electric-sql/pglite/*',
  '@fastify/swagger',
  '@node-rs/argon2',
  '@zxcvbn-ts/language-common',
  'ccxt',
  'oidc-provider',
  'pg-native',
  'pino',
  'pino-pretty',
  'stripe',
]

/** @type {{ version: string, dependencies: Record<string, string> }} */
const { version, dependencies } = JSON.parse(readFileSync(join(projectRoot, 'package.json'), 'utf8'))

/**
 * The commit that is built: as SOURCE_COMMIT says, where a build has no repository, else git.
 *
 * @param {string | undefined} said
 */
function commitOf(said) {
  if (said !== undefined && said !== '') return said
  const args = ['describe', '--always', '--dirty', '--abbrev=12', '--exclude=*']
  const { status, stdout } = spawnSync('git', args, { cwd: projectRoot, encoding: 'utf8' })
  return status === 0 ? stdout.trim() : 'unknown'
}

/** @returns {string[]} those of them that every server needs; argon2's compiled part lies beside the bundle */
export function packagesOutside() {
  return OUTSIDE.filter((name) => name in dependencies && name !== '@node-rs/argon2')
}

/**
 * How a program of the server is bundled for plain Node.
 *
 * @satisfies {import('esbuild').BuildOptions}
 */
export const BUNDLING = {
  absWorkingDir: projectRoot,
  // Without it a file is named by its folder, too.
  entryNames: '[name]',
  bundle: true,
  external: OUTSIDE,
  // CommonJS packages require the modules of Node.
  banner: {
    js: "import { createRequire as requireFrom } from 'node:module'; const require = requireFrom(import.meta.url);",
  },
  platform: 'node',
  format: 'esm',
  target: `node${nodeFloor().join('.')}`,
  define: { BUILD: JSON.stringify({ version, commit: commitOf(process.env.SOURCE_COMMIT) }) },
}

/**
 * Our own modules and most packages. Entries lie side by side with the files that they read, where server/program-files.ts
 * looks for them.
 *
 * @param {string} outdir
 * @returns {import('esbuild').BuildOptions}
 */
const options = (outdir) => ({
  ...BUNDLING,
  // Each worker needs a file of its own, since a thread is started from a file.
  entryPoints: [
    'server/programs/main.ts',
    'server/programs/superuser.ts',
    'server/programs/backup.ts',
    'server/programs/restore.ts',
    'server/db/pglite-worker.ts',
    'server/adapters/market-stream/exchange-worker.ts',
  ],
  outdir,
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

/**
 * An empty database beside the thread that copies it (pglite-worker.ts), its files their user's alone. Without the two that new
 * databases would be made from: 15 of 39 MB, which each installation would keep.
 *
 * @param {string} outdir
 */
async function makeDatabase(outdir) {
  const { PGlite } = await import('@electric-sql/pglite')
  const folder = join(outdir, 'empty-database')
  const database = await PGlite.create(folder)
  await database.exec(`UPDATE pg_database SET datistemplate = false`)
  for (const name of ['template0', 'template1']) await database.exec(`DROP DATABASE ${name}`)
  await database.close()
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true }))
    chmodSync(join(entry.parentPath, entry.name), entry.isDirectory() ? 0o700 : 0o600)
}

// oxlint-disable-next-line no-control-regex -- all of ASCII
const NOT_ASCII = /[^\x00-\x7f]/g

/**
 * Writes the bundles in ASCII: one other letter makes V8 hold a program with two bytes for each letter, 9 MB of a process. The bundler
 * escapes those of texts and leaves those of comments, which become question marks, and of regular expressions, which may not.
 *
 * @param {string} outdir
 */
async function writeInAscii(outdir) {
  for (const name of readdirSync(outdir).filter((name) => name.endsWith('.js'))) {
    const file = join(outdir, name)
    const program = readFileSync(file, 'utf8')
    const { code } = await transform(program, { minifyWhitespace: true, legalComments: 'none' })
    const found = code.match(new RegExp(`.{0,60}${NOT_ASCII.source}`))
    if (found !== null) throw new Error(`${name}: write what is not ASCII as an escape: ${found[0]}`)
    writeFileSync(file, program.replaceAll(NOT_ASCII, '?'))
  }
}

/** @param {string} outdir */
export async function bundleServer(outdir) {
  await build(options(outdir))
  await writeInAscii(outdir)
  await makeDatabase(outdir)
  copyFiles(outdir)
  copyArgon2(outdir)
}

/** @returns {Promise<Map<string, 'static' | 'lazy'>>} the packages that our own modules import, and when */
export async function packagesOfServer() {
  const ours = { ...options('unused'), packages: /** @type {const} */ ('external'), write: false, sourcemap: false }
  const { metafile } = await build({ ...ours, metafile: true })
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
