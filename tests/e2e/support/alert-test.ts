import type { AlertWorld } from './alert-world'
import { test as base } from './test'

export { expect } from './test'

/** Playwright's `test` with a server whose prices a test moves. */
export const test = base.extend<{ world: AlertWorld }>({
  world: async ({ movingWorld }, use) => use(movingWorld),
  baseURL: async ({ world }, use) => use(world.server.origin),
})
