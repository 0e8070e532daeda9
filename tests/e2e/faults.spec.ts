import type { Page } from 'playwright/test'
import { startAppServer, type AppServer } from './support/app-server'
import { addPair, cardNames, movePairFirst, removePair } from './support/app'
import { openBoard } from './support/board'
import { startFaultyProxy, type Asked, type FaultyProxy } from './support/faulty-proxy'
import { anonymousId, pairsOnServer, waitingChanges } from './support/truth'
import { expect, test as base } from './support/test'

/** A server that may die and a network that may lie; the browser sees only the proxy. */
const test = base.extend<{ mortal: AppServer; network: FaultyProxy }>({
  // oxlint-disable-next-line no-empty-pattern -- Playwright reads the fixtures' names from the pattern
  mortal: async ({}, use) => {
    const server = await startAppServer()
    await use(server)
    await server.stop()
  },
  network: async ({ mortal }, use) => {
    const proxy = await startFaultyProxy(mortal.origin)
    await use(proxy)
    await proxy.stop()
  },
  baseURL: async ({ network }, use) => use(network.origin),
})

const isChange = ({ method, path }: Asked) => method !== 'GET' && path.startsWith('/api/v1/widgets')
const AFTER = ['ripple/bitcoin', 'bitcoin/ethereum', 'cardano/ethereum']
const AFTER_CARDS = ['XRP / BTC', 'BTC / ETH', 'ADA / ETH']

/** Two pairs that the server has, then five changes without a network. */
async function changeOffline(page: Page): Promise<string> {
  await openBoard(page, ['BTC / ETH', 'SOL / ETH'])
  const guest = await anonymousId(page)

  await page.context().setOffline(true)
  await addPair(page, 'XRP', 'Bitcoin')
  await addPair(page, 'Cardano', 'Ethereum')
  await removePair(page, 'SOL / ETH')
  await movePairFirst(page, 'XRP / BTC')
  await expect.poll(() => cardNames(page)).toEqual(AFTER_CARDS)
  return guest
}

async function expectArrived(page: Page, origin: string, guest: string) {
  await expect.poll(() => waitingChanges(page), { timeout: 60_000 }).toBe(0)
  await expect.poll(() => cardNames(page)).toEqual(AFTER_CARDS)
  expect(await pairsOnServer(origin, guest)).toEqual(AFTER)
  await page.reload()
  await expect.poll(() => cardNames(page)).toEqual(AFTER_CARDS)
}

test(
  'offline changes arrive once when the server is killed while it takes them',
  { tag: '@full' },
  async ({ page, network, mortal }) => {
    const guest = await changeOffline(page)
    let changes = 0
    const killed = new Promise<void>((resolve) => {
      // The second change was acted on, its answer dies with the server; those after it meet nobody.
      network.onAnswer = async (asked) => {
        if (!isChange(asked)) return
        changes += 1
        if (changes !== 2) return
        await mortal.kill()
        resolve()
        throw new Error('the server is dead')
      }
    })
    await page.context().setOffline(false)
    await killed
    await expect(page.getByText(/changes? waits?/)).toBeVisible()
    expect(await cardNames(page)).toEqual(AFTER_CARDS)

    await mortal.restart()
    await expectArrived(page, mortal.origin, guest)
  },
)
