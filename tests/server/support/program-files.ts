import { createHash } from 'node:crypto'
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
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
  pgliteWorker ??= pathToFileURL(join(bundled(['server/db/pglite-worker.ts']), 'pglite-worker.js'))
  return {
    pgliteWorker,
    get exchangeWorker() {
      return pathToFileURL(join(bundled([EXCHANGE_WORKER]), 'exchange-worker.js'))
    },
    // The whole server is bundled for it, so only for a test that wants it.
    get backup() {
      return bundledServer('backup')
    },
    migrations,
    policies,
    client: null,
  }
}
const EXCHANGE_WORKER = 'server/adapters/market-stream/exchange-worker.ts'

/** Bundled once in a process: every database and every app under test asks for it. */
let pgliteWorker: URL | null = null

const PROGRAMS = ['main', 'superuser', 'backup', 'restore'] as const
export type Program = (typeof PROGRAMS)[number]

/** The server as it is built, without the app, or one of the operator's programs: the file to run. */
export function bundledServer(program: Program = 'main'): string {
  const entries = [...PROGRAMS.map((name) => `server/${name}.ts`), 'server/db/pglite-worker.ts', EXCHANGE_WORKER]
  server ??= bundled(entries, [migrations, policies])
  return join(server, `${program}.js`)
}
/** The folder. Bundled once in a test file: a server is started many times. */
let server: string | null = null

/** A program of the tests that runs in processes of its own: the file to run. */
export const bundledProgram = (entryPoint: string): string =>
  join(bundled([entryPoint]), basename(entryPoint).replace(/ts$/, 'js'))

/**
 * @param beside folders that the bundles expect beside them
 * @returns a folder named by its content, which processes side by side can share
 */
function bundled(entryPoints: string[], beside: readonly string[] = []): string {
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
  const folder = join(testCache, `bundle-${hashOf(outputFiles, beside)}`)
  if (existsSync(folder)) return folder
  // Under another name until it is whole: a process beside this one may start a thread from it at any moment.
  mkdirSync(testCache, { recursive: true })
  const unfinished = mkdtempSync(join(testCache, 'bundling-'))
  for (const { path, contents } of outputFiles) writeFileSync(join(unfinished, path.slice(testCache.length)), contents)
  for (const source of beside) cpSync(source, join(unfinished, basename(source)), { recursive: true })
  finish(unfinished, folder)
  return folder
}

/** Gives what has been made its name, unless another process was first. */
export function finish(unfinished: string, folder: string): void {
  try {
    renameSync(unfinished, folder)
  } catch (error) {
    if (!existsSync(folder)) throw error
    rmSync(unfinished, { recursive: true })
  }
}

function hashOf(files: readonly OutputFile[], folders: readonly string[]): string {
  const hash = createHash('sha256')
  for (const { contents } of files) hash.update(contents)
  for (const folder of folders) hash.update(hashOfFolder(folder))
  return hash.digest('hex').slice(0, 16)
}

/** Of the names and contents of all files in it. */
export function hashOfFolder(folder: string): string {
  const hash = createHash('sha256')
  for (const entry of readdirSync(folder, { recursive: true, encoding: 'utf8' }).toSorted()) {
    if (statSync(join(folder, entry)).isFile()) hash.update(`${entry}\0`).update(readFileSync(join(folder, entry)))
  }
  return hash.digest('hex')
}
