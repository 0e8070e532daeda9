import { availableParallelism } from 'node:os'
import { fileURLToPath } from 'node:url'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vitest/config'

const root = fileURLToPath(new URL('..', import.meta.url))
// Generous limits: a test that hangs still fails, a busy machine does not fail one that is merely slow.
const room = (name: string, test: object = {}) => ({
  extends: true as const,
  test: { name, include: [`tests/${name}/**/*.test.{ts,tsx}`], testTimeout: 30_000, hookTimeout: 60_000, ...test },
})

export default defineConfig({
  root,
  plugins: [react()],
  test: {
    // By default Vitest leaves one core free, which on a machine with two is half of it.
    maxWorkers: availableParallelism(),
    projects: [
      room('domain'),
      room('contract'),
      room('db'),
      room('sync'),
      room('sw'),
      room('workers'),
      room('ui', { environment: 'happy-dom', setupFiles: ['tests/ui/support/setup.ts'], testTimeout: 30_000 }),
      room('server', { testTimeout: 60_000, hookTimeout: 120_000 }),
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
