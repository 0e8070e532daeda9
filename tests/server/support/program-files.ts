import { createHash } from 'node:crypto'
import { cpSync, mkdirSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { buildSync, type OutputFile } from 'esbuild'
import type { ProgramFiles } from '../../../server/program-files'

const root = fileURLToPath(new URL('../../..', import.meta.url))
/** Inside node_modules, so that what is bundled there finds its packages. */
export const testCache = join(root, 'node_modules/.cache/test-server')
const migrations = join(root, 'server/db/migrations')
const policies = join(root, 'server/policies')

/** The program's files as the tests use them: a thread starts from a bundle even when all else runs from source. */
export function testProgramFiles(): ProgramFiles {
  const folder = bundled(['server/db/pglite-worker.ts'])
  return { pgliteWorker: pathToFileURL(join(folder, 'pglite-worker.js')), migrations, policies, client: null }
}

/** The server as it is built, without the app, or the program that appoints superusers: the file to run. */
export function bundledServer(program: 'main.js' | 'superuser.js' = 'main.js'): string {
  if (server === null) {
    server = bundled(['server/main.ts', 'server/superuser.ts', 'server/db/pglite-worker.ts'])
    cpSync(migrations, join(server, 'migrations'), { recursive: true })
    cpSync(policies, join(server, 'policies'), { recursive: true })
  }
  return join(server, program)
}
/** The folder. Bundled once in a test file: a server is started many times. */
let server: string | null = null

/** A program of the tests that runs in processes of its own: the file to run. */
export const bundledProgram = (entryPoint: string): string =>
  join(bundled([entryPoint]), basename(entryPoint).replace(/ts$/, 'js'))

/** @returns a folder named by its content, since test files that run side by side write the same bytes */
function bundled(entryPoints: string[]): string {
  const { outputFiles } = buildSync({
    absWorkingDir: root,
    entryPoints,
    outdir: testCache,
    entryNames: '[name]',
    bundle: true,
    packages: 'external',
    platform: 'node',
    format: 'esm',
    write: false,
  })
  const folder = join(testCache, `bundle-${hashOf(outputFiles)}`)
  mkdirSync(folder, { recursive: true })
  for (const { path, contents } of outputFiles) writeFileSync(join(folder, path.slice(testCache.length)), contents)
  return folder
}

function hashOf(files: readonly OutputFile[]): string {
  const hash = createHash('sha256')
  for (const { contents } of files) hash.update(contents)
  return hash.digest('hex').slice(0, 16)
}
