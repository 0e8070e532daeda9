import { readdirSync, readFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vitest/config'

const root = fileURLToPath(new URL('..', import.meta.url))
/** All icons in one file: as modules, what the package gives by itself, they are 1,700 files to load. */
const icons = join(root, 'node_modules/lucide-react/dist/cjs/lucide-react.js')

/**
 * Files whose subject can differ between the two engines: Vitest runs them on PGlite as well where TEST_DATABASE_URL leads
 * the others to PostgreSQL. A filter of tags is of all projects, so that this one reads the files' tags itself.
 */
const onBoth = () =>
  readdirSync(join(root, 'tests/server'))
    .filter((name) => name.endsWith('.test.ts'))
    .map((name) => `tests/server/${name}`)
    .filter((path) => readFileSync(join(root, path), 'utf8').startsWith('/** @module-tag both-engines'))

const onPostgres = process.env.TEST_DATABASE_URL !== undefined

const testsOf = (...folders: readonly string[]) => folders.map((folder) => `tests/${folder}/**/*.test.ts`)

// Generous limits: a test that hangs still fails, a busy machine does not fail one that is merely slow.
const project = (
  name: string,
  include: readonly string[],
  { setupFiles = [], ...test }: { setupFiles?: readonly string[]; [option: string]: unknown } = {},
) => ({
  extends: true as const,
  test: {
    name,
    include: [...include],
    testTimeout: 60_000,
    hookTimeout: 120_000,
    setupFiles: ['tests/support/processor-setup.ts', 'tests/support/waits-setup.ts', ...setupFiles],
    ...test,
  },
})

/** One file after the other in the same modules, which takes half the time: no test leaves anything behind in them. */
const SHARED = { isolate: false }
const ui = { setupFiles: ['tests/ui/support/setup.ts'] }
/** Tests that open a database of the server, in folders that are made once for all of them. */
const database = { globalSetup: ['tests/server/support/run-setup.ts'] }
/** Dexie looks for IndexedDB when it is first imported, by whichever file of a worker comes first. */
const node = { ...SHARED, ...database, setupFiles: ['fake-indexeddb/auto', 'tests/server/support/setup.ts'] }
/** The server's database is the embedded one, whatever the environment says. */
const EMBEDDED = { env: { TEST_DATABASE_URL: '' } }

export default defineConfig({
  root,
  plugins: [react()],
  resolve: { alias: { 'lucide-react': icons } },
  test: {
    // One more than there are cores: a third of the time a worker waits for a database, a process or a timer.
    maxWorkers: availableParallelism() + 1,
    // The embedded database's WebAssembly is compiled once, not again for speed: its threads live as long as a worker.
    execArgv: ['--liftoff-only', '--max-semi-space-size=128', '--min-semi-space-size=64', '--single-threaded-gc'],
    // A second try in CI alone, where the log names each test that needed one: a race is to be found, not to be tried away.
    retry: process.env.CI === undefined ? 0 : 1,
    tags: [
      {
        name: 'both-engines',
        description:
          'Its subject can differ between PGlite and PostgreSQL: its thread and folder, kills, migrations, races.',
      },
      {
        name: 'full',
        description:
          'Runs in `npm run test:full` alone: shares of the long runs, waits for a real clock, ratios of measured times.',
      },
    ],
    // Few: each worker of a project is a process that loads, and learns to run, the same modules again.
    projects: [
      // Values in, values out: no clock, no process, no socket, so that a test which fails does so for a reason.
      project('pure', [...testsOf('domain', 'contract'), 'tests/ui/**/*.test.ts'], { ...SHARED, ...ui, retry: 0 }),
      project('node', testsOf('db', 'sw', 'workers', 'server', ...(onPostgres ? [] : ['sync'])), node),
      // One document a worker. Tests without a component that want one end in .tsx too: a worker ends with its environment.
      project('ui', ['tests/ui/**/*.test.tsx'], { ...SHARED, ...ui, environment: 'happy-dom' }),
      // With a PostgreSQL server in TEST_DATABASE_URL, on the embedded database all the same: the tests that can differ there,
      // and those that judge the client, whose server has one engine always.
      ...(onPostgres
        ? [
            project('embedded', onBoth(), { ...node, ...EMBEDDED }),
            project('sync', testsOf('sync'), { ...node, ...EMBEDDED }),
          ]
        : []),
      project('repo', testsOf('repo'), { testTimeout: 120_000, hookTimeout: 180_000 }),
      // The long runs: one file after the other, so that measured times are their own.
      project('bars', ['tests/bars/**/*.bars.ts'], {
        fileParallelism: false,
        testTimeout: 40 * 60_000,
        ...database,
      }),
    ],
  },
})
