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
 * the others to PostgreSQL. Its thread and folder, kills, migrations and races; one file of each kind of statement.
 */
const ON_BOTH = [
  'account-races',
  'alert-races',
  'alert-rule',
  'billing-races',
  'checkpoint-races',
  'exchange-prices',
  'health',
  'history-kept',
  'kill',
  'market-prices',
  'migrate',
  'periodic',
  'reorder',
  'stream',
  'revisions',
  'widgets',
]

// Generous limits: a test that hangs still fails, a busy machine does not fail one that is merely slow.
const layer = (
  name: string,
  { setupFiles = [], ...test }: { setupFiles?: readonly string[]; [option: string]: unknown } = {},
) => ({
  extends: true as const,
  test: {
    name,
    include: [`tests/${name}/**/*.test.{ts,tsx}`],
    testTimeout: 60_000,
    hookTimeout: 120_000,
    setupFiles: ['tests/support/processor-setup.ts', ...setupFiles],
    ...test,
  },
})

/** One file after the other in the same modules, which takes half the time: no test leaves anything behind in them. */
const SHARED = { isolate: false }
/** Values in, values out: no clock, no process, no socket, so that a test which fails does so for a reason. */
const PURE = { ...SHARED, retry: 0 }
const ui = { setupFiles: ['tests/ui/support/setup.ts'] }
/** Dexie looks for IndexedDB when it is first imported, by whichever file of a worker comes first. */
const LOCAL_DATABASE = { setupFiles: ['fake-indexeddb/auto'] }
/** Tests that open a database of the server. */
const database = { globalSetup: ['tests/server/support/run-setup.ts'] }
/** Tests of the server itself. */
const server = { ...database, setupFiles: ['tests/server/support/setup.ts'] }
/** The server's database is the embedded one, whatever the environment says. */
const EMBEDDED = { ...database, env: { TEST_DATABASE_URL: '' } }

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
        name: 'full',
        description:
          'Runs in `npm run test:full` alone: shares of the long runs, waits for a real clock, ratios of measured times.',
      },
    ],
    projects: [
      layer('domain', PURE),
      layer('contract', PURE),
      layer('db', { ...SHARED, ...LOCAL_DATABASE }),
      // Judges the client, so its server has one engine always.
      layer('sync', { ...SHARED, ...EMBEDDED, setupFiles: [...LOCAL_DATABASE.setupFiles, ...server.setupFiles] }),
      layer('sw', { ...SHARED, ...LOCAL_DATABASE }),
      layer('workers', { ...SHARED, ...LOCAL_DATABASE }),
      // One document a worker. Tests without a component that want one end in .tsx too: a worker ends with its environment.
      layer('ui', { include: ['tests/ui/**/*.test.tsx'], environment: 'happy-dom', ...SHARED, ...ui }),
      layer('ui-logic', { include: ['tests/ui/**/*.test.ts'], ...PURE, ...ui }),
      layer('server', { ...SHARED, ...server }),
      // With a PostgreSQL server in TEST_DATABASE_URL: the tests that can differ on the embedded database.
      ...(process.env.TEST_DATABASE_URL === undefined
        ? []
        : [
            layer('embedded', {
              include: ON_BOTH.map((name) => `tests/server/${name}.test.ts`),
              ...SHARED,
              ...server,
              ...EMBEDDED,
            }),
          ]),
      layer('repo', { testTimeout: 120_000, hookTimeout: 180_000 }),
      // The long runs: one file after the other, so that measured times are their own.
      layer('bars', {
        include: ['tests/bars/**/*.bars.ts'],
        fileParallelism: false,
        testTimeout: 40 * 60_000,
        ...database,
      }),
    ],
  },
})
