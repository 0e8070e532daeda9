import type { AppServer } from './app-server'
import { startFaultyProxy, type FaultyProxy } from './faulty-proxy'
import { startServerWithAccounts, type Account } from './premium'
import { expect, test as base } from './test'

export { expect } from './test'

interface Accounts {
  readonly server: AppServer
  readonly premium: Account
  readonly free: Account
}

/** Playwright's `test` with a server that knows a premium and a free account, behind a network that may refuse. */
export const test = base.extend<{ network: FaultyProxy }, { accounts: Accounts }>({
  accounts: [
    async ({ pushService }, use) => {
      const accounts = await startServerWithAccounts({ env: { PUSH_ALLOWED_HOSTS: pushService.host } })
      await use(accounts)
      expect(await accounts.server.stop(), 'the server ends cleanly').toBe(0)
    },
    { scope: 'worker' },
  ],
  network: async ({ accounts }, use) => {
    const proxy = await startFaultyProxy(accounts.server.origin)
    await use(proxy)
    await proxy.stop()
  },
  baseURL: async ({ network }, use) => use(network.origin),
})
