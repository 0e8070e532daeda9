import { defineConfig } from 'playwright/test'

/** The built app in Chromium, against the real server. Needs `npm run build` first; `npm test` sees to that. */
export default defineConfig<{ firstVisit: boolean }>({
  testDir: '.',
  outputDir: '../../test-results',
  projects: [
    // As many as the usual cores: each worker has a browser and a server of its own, and they keep a core busy.
    { name: 'app', testMatch: '**/*.spec.ts', testIgnore: '**/measured/**', workers: 2 },
    // One at a time and each in a browser of its own, so that what is measured is its own; `npm test` runs them apart.
    { name: 'measured', testMatch: '**/measured/*.spec.ts', workers: 1, use: { firstVisit: true } },
  ],
  workers: 2,
  fullyParallel: false,
  forbidOnly: process.env.CI !== undefined,
  // A second try where nobody watches, and none where a race is to be found; `npm test` says how many needed it.
  retries: process.env.CI === undefined ? 0 : 1,
  // Several times what the longest take on a machine of their own: one that hangs still fails, one that is slow does not.
  timeout: 180_000,
  expect: { timeout: 15_000 },
  reporter: 'list',
})
