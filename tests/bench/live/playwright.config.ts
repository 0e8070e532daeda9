import { defineConfig } from 'playwright/test'

/** npm run bench -- live: one thing at a time, and no second try: a figure that is good only sometimes is not good. */
export default defineConfig({
  testDir: '.',
  outputDir: '../../../test-results',
  workers: 1,
  fullyParallel: false,
  retries: 0,
  timeout: 40 * 60_000,
  reporter: 'list',
})
