import { createHash } from 'node:crypto'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { buildSync } from 'esbuild'
import type { ProgramFiles } from '../../../server/program-files'

const root = fileURLToPath(new URL('../../..', import.meta.url))
/** Inside node_modules, so that what is bundled there finds its packages. */
export const testCache = join(root, 'node_modules/.cache/test-server')

/** The program's files as the tests use them: a thread starts from a bundle even when all else runs from source. */
export function testProgramFiles(): ProgramFiles {
  const { outputFiles } = buildSync({
    entryPoints: [join(root, 'server/db/pglite-worker.ts')],
    bundle: true,
    packages: 'external',
    platform: 'node',
    format: 'esm',
    write: false,
  })
  const [worker] = outputFiles
  if (worker === undefined) throw new Error('esbuild made no file')
  // Named by its content: test files that run side by side write the same bytes.
  const hash = createHash('sha256').update(worker.contents).digest('hex').slice(0, 16)
  const file = join(testCache, `pglite-worker-${hash}.mjs`)
  mkdirSync(testCache, { recursive: true })
  writeFileSync(file, worker.contents)
  return { pgliteWorker: pathToFileURL(file), migrations: join(root, 'server/db/migrations'), client: null }
}
