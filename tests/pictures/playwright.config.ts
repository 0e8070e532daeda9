import { defineConfig } from 'playwright/test'

/** npx playwright test --config tests/pictures/playwright.config.ts: takes the pictures anew. Needs a build. */
export default defineConfig({
  testDir: '.',
  testMatch: 'screenshots.spec.ts',
  outputDir: '../../test-results',
  workers: 1,
  timeout: 90_000,
  expect: { timeout: 15_000 },
  reporter: 'list',
})
