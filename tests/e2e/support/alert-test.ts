import { startAlertWorld, type AlertWorld } from './alert-world'
import { expect, test as base } from './test'

export { expect } from './test'

/** Playwright's `test` with a server whose prices a test moves. */
export const test = base.extend<object, { world: AlertWorld }>({
  world: [
    async ({ pushService }, use) => {
      const world = await startAlertWorld(pushService)
      await use(world)
      expect(await world.stop(), 'the server ends cleanly').toBe(0)
    },
    { scope: 'worker' },
  ],
  baseURL: async ({ world }, use) => use(world.server.origin),
})
