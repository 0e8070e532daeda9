import type { BrowserContext, Page } from 'playwright/test'
import { expect, test } from './support/alert-test'
import { addPair, card, installed, ratioOf, removePair } from './support/app'
import { openSignedIn } from './support/auth'
import { fetchBoard } from './support/board'
import { serverKnows } from './support/known-prices'
import { seedPairs } from './support/seed-board'
import { anonymousId, readTable } from './support/truth'
import { CALM, CROSSED } from './support/watched-pair'

const PAIR = 'BTC / ETH'

/** Waits until news come by the stream, as the browser's own record says. */
async function expectLive(page: Page): Promise<void> {
  const kind = async () => {
    const records = (await readTable(page, 'meta')) as readonly { key: string; value: { kind?: string } }[]
    return records.find(({ key }) => key === 'stream')?.value.kind
  }
  await expect.poll(kind, { message: 'the stream is live', timeout: 30_000 }).toBe('live')
}

/** Paths that a browser asks the API for from now on, its service worker included. */
function askedPaths(context: BrowserContext): string[] {
  const asked: string[] = []
  context.on('request', (request) => {
    const { pathname } = new URL(request.url())
    if (pathname.startsWith('/api/')) asked.push(pathname)
  })
  return asked
}

test('a pair that a user adds and removes in one browser comes and goes in another by the stream, without a reload', async ({
  page,
  openBrowser,
  world,
}) => {
  await openSignedIn(page, world.member)
  const other = (await openBrowser()).pages()[0]!
  await openSignedIn(other, world.member)
  await expectLive(other)
  await addPair(page, 'Bitcoin', 'Ethereum')
  await expect(card(other, PAIR)).toBeVisible()
  await removePair(page, PAIR)
  // It is sent when it can be undone no longer.
  await expect(card(other, PAIR)).toBeHidden({ timeout: 25_000 })
})

test('a stored price comes to the card by the stream, and the app polls neither prices nor pairs', async ({
  page,
  context,
  world,
}) => {
  await world.market.pin(CALM)
  await serverKnows(world.server.origin, CALM)
  await page.goto('/')
  await installed(page)
  await seedPairs(world.server.origin, { guest: await anonymousId(page) }, [PAIR])
  await fetchBoard(page)
  await expect(ratioOf(page, PAIR)).toHaveText('25.0000')
  await expectLive(page)
  const asked = askedPaths(context)
  await world.market.pin(CROSSED)
  await expect(ratioOf(page, PAIR)).toHaveText('27.5000')
  expect(asked.filter((path) => /price|widgets$/.test(path))).toEqual([])
})
