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
} from 'node:fs'
import { basename, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { buildSync } from 'esbuild'
import { sourcesFingerprint } from '../../../server/cli/fingerprint.mjs'
import { BUNDLING } from '../../../server/cli/server-bundle.mjs'
import type { ProgramFiles } from '../../../server/program-files'
import { DAY } from '../../../src/domain/granularity'

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

export type Program = 'main' | 'superuser' | 'backup' | 'restore'

/** The server as it is built, without the app, or one of the operator's programs: the file to run. */
export function bundledServer(program: Program = 'main'): string {
  const entries = [`server/programs/${program}.ts`, 'server/db/pglite-worker.ts', EXCHANGE_WORKER]
  return join(bundled(entries, [migrations, policies]), `${program}.js`)
}

/** A program of the tests that runs in processes of its own: the file to run. */
export const bundledProgram = (entryPoint: string): string =>
  join(bundled([entryPoint]), basename(entryPoint).replace(/ts$/, 'js'))

/** Of all that a bundle is made of: the same for as long as this process lives. */
let sources: string | null = null

/**
 * Made once for the same sources: processes side by side share it, and so do runs.
 * @param beside folders that the bundles expect beside them
 * @returns the folder
 */
function bundled(entryPoints: string[], beside: readonly string[] = []): string {
  sources ??= `${sourcesFingerprint()} ${hashOfFolder(join(root, 'tests/server/support'))}`
  const folder = join(testCache, `bundle-${hashOf(`${sources} ${entryPoints.join(' ')}`)}`)
  if (existsSync(folder)) return folder
  mkdirSync(testCache, { recursive: true })
  removeOld()
  // Under another name until it is whole: a process beside this one may start a thread from it at any moment.
  const unfinished = mkdtempSync(join(testCache, 'bundling-'))
  buildSync({ ...BUNDLING, entryPoints, outdir: unfinished })
  for (const source of beside) cpSync(source, join(unfinished, basename(source)), { recursive: true })
  finish(unfinished, folder)
  return folder
}

/** Bundles of former sources: a day later no run uses them. */
function removeOld(): void {
  for (const name of readdirSync(testCache).filter((name) => /^bundl(e|ing)-/.test(name))) {
    const path = join(testCache, name)
    const made = statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? Infinity
    if (made < Date.now() - DAY) rmSync(path, { recursive: true, force: true })
  }
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

const hashOf = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 16)

/** Of the names and contents of all files in it. */
export function hashOfFolder(folder: string): string {
  const hash = createHash('sha256')
  for (const entry of readdirSync(folder, { recursive: true, encoding: 'utf8' }).toSorted()) {
    if (statSync(join(folder, entry)).isFile()) hash.update(`${entry}\0`).update(readFileSync(join(folder, entry)))
  }
  return hash.digest('hex')
}
