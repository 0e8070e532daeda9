import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vitest/config'

const root = fileURLToPath(new URL('..', import.meta.url))
/** All icons in one file: as modules, what the package gives by itself, they are 1,700 files to load in each test file. */
const icons = join(root, 'node_modules/lucide-react/dist/cjs/lucide-react.js')
/** Tests of the server that have no database, or the embedded one by intention: on PostgreSQL they are the same again. */
const WITHOUT_DATABASE = [
  'env',
  'folder-lock',
  'market-coingecko',
  'market-rules',
  'market-simulated',
  'process',
  'push-process',
  'restart',
  'superuser-process',
  'token-key',
  'vapid-keys',
]
// Generous limits: a test that hangs still fails, a busy machine does not fail one that is merely slow.
const room = (name: string, test: object = {}) => ({
  extends: true as const,
  test: { name, include: [`tests/${name}/**/*.test.{ts,tsx}`], testTimeout: 30_000, hookTimeout: 60_000, ...test },
})

/**
 * One file after the other in the same modules: these rooms keep nothing between calls, and load in half the time. They know
 * no clock either, so that none of their tests has a second try.
 */
const SHARED = { isolate: false, retry: 0 }
const ui = { setupFiles: ['tests/ui/support/setup.ts'] }

export default defineConfig({
  root,
  plugins: [react()],
  resolve: { alias: { 'lucide-react': icons } },
  test: {
    // By default Vitest leaves one core free, which on a machine with two is half of it.
    maxWorkers: availableParallelism(),
    // A second try where nobody watches, and none where a race is to be found; `npm test` names whoever needed it.
    retry: process.env.CI === undefined ? 0 : 1,
    projects: [
      room('domain', SHARED),
      room('contract', SHARED),
      room('db'),
      room('sync'),
      room('sw'),
      room('workers'),
      room('ui', { include: ['tests/ui/**/*.test.tsx'], environment: 'happy-dom', ...ui }),
      // What has no component does without a document, which takes longer to make than most of these tests.
      room('ui-logic', { include: ['tests/ui/**/*.test.ts'], ...SHARED, ...ui }),
      room('server', { testTimeout: 60_000, hookTimeout: 120_000 }),
      // The server's tests once more where TEST_DATABASE_URL names a PostgreSQL server: those that open a database.
      ...(process.env.TEST_DATABASE_URL === undefined
        ? []
        : [
            room('postgres', {
              include: ['tests/server/**/*.test.ts'],
              exclude: WITHOUT_DATABASE.map((name) => `tests/server/${name}.test.ts`),
              testTimeout: 60_000,
              hookTimeout: 120_000,
            }),
          ]),
      room('house', { testTimeout: 120_000, hookTimeout: 180_000 }),
      // The long runs: one file after the other, so that measured times are their own.
      room('bars', {
        include: ['tests/bars/**/*.bars.ts'],
        fileParallelism: false,
        testTimeout: 40 * 60_000,
        hookTimeout: 120_000,
      }),
    ],
  },
})
