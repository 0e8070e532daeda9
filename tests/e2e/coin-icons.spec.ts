import { coinGeckoStandIn, type CoinGeckoStandIn, wave } from '../server/support/coingecko-stand-in'
import { type ImageServer, startImageServer } from '../support/image-server'
import { addPair, card, installed } from './support/app'
import { startAppServer, type AppServer } from './support/app-server'
import { expect, test as base } from './support/test'

const PROVIDER = 'coin-images.coingecko.com'

/** An app whose coins come with icons of their provider's own address, as every production install's do. */
const test = base.extend<{ images: ImageServer; provider: CoinGeckoStandIn; fed: AppServer }>({
  // oxlint-disable-next-line no-empty-pattern -- Playwright reads the fixtures' names from the pattern
  images: async ({}, use) => {
    const images = await startImageServer()
    await use(images)
    await images.stop()
  },
  // oxlint-disable-next-line no-empty-pattern -- Playwright reads the fixtures' names from the pattern
  provider: async ({}, use) => {
    const provider = await coinGeckoStandIn(Date.now)
    for (const [rank, id] of ['bitcoin', 'ethereum'].entries()) {
      provider.coins.set(id, {
        id,
        rank: rank + 1,
        name: id,
        image: `https://${PROVIDER}/${id}.svg`,
        price: wave(1000),
      })
    }
    await use(provider)
    await provider.close()
  },
  fed: async ({ provider }, use) => {
    const server = await startAppServer({ env: { MARKET_DATA: 'coingecko', COINGECKO_BASE_URL: provider.url } })
    await use(server)
    await server.stop()
  },
  baseURL: async ({ fed }, use) => use(fed.origin),
  browserFlags: async ({ images }, use) =>
    use([`--host-resolver-rules=MAP ${PROVIDER} 127.0.0.1:${images.port}`, '--ignore-certificate-errors']),
})
test.use({ ownProfile: true })

test(
  'icons from the provider’s own address are shown at the first visit, after a reload through the service worker, and offline',
  { tag: '@full' },
  async ({ page, context, images }) => {
    await page.goto('/')
    await addPair(page, 'bitcoin', 'ethereum')
    const drawn = () =>
      card(page, 'BIT / ETH')
        .locator('img')
        .evaluateAll((icons) =>
          icons.map((icon) => (icon as HTMLImageElement).complete && (icon as HTMLImageElement).naturalWidth > 0),
        )
    await expect.poll(drawn).toEqual([true, true])
    await installed(page)

    await page.reload()
    expect(await page.evaluate(() => navigator.serviceWorker.controller !== null)).toBe(true)
    await expect.poll(drawn).toEqual([true, true])
    expect(images.seen.toSorted()).toContain('/bitcoin.svg')

    await images.stop()
    await context.setOffline(true)
    await page.reload()
    await expect.poll(drawn).toEqual([true, true])
  },
)
