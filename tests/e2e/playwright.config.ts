import { defineConfig } from 'playwright/test'

/** The built app in Chromium, against the real server. Needs `npm run build` first; `npm test` sees to that. */
export default defineConfig({
  testDir: '.',
  testMatch: '**/*.spec.ts',
  outputDir: '../../test-results',
  // One at a time: some tests measure, and each server with its database wants a core.
  workers: 1,
  fullyParallel: false,
  forbidOnly: process.env.CI !== undefined,
  retries: 0,
  timeout: 90_000,
  expect: { timeout: 15_000 },
  reporter: 'list',
})
