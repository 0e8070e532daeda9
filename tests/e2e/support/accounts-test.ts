import type { AppServer } from './app-server'
import { startFaultyProxy, type FaultyProxy } from './faulty-proxy'
import type { Account } from './seeded-server'
import { test as base } from './test'

export { expect } from './test'

interface Accounts {
  readonly server: AppServer
  readonly premium: Account
  readonly free: Account
}

/** Playwright's `test` with a premium and a free account, behind a network that may refuse. */
export const test = base.extend<{ accounts: Accounts; network: FaultyProxy }>({
  accounts: async ({ sharedWorld: { server, people } }, use) => use({ server, ...people }),
  network: async ({ accounts }, use) => {
    const proxy = await startFaultyProxy(accounts.server.origin)
    await use(proxy)
    await proxy.stop()
  },
  baseURL: async ({ network }, use) => use(network.origin),
})
