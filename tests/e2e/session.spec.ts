import type { Page } from 'playwright/test'
import { addPair, card, cardNames, installed } from './support/app'
import { expect, test as base } from './support/account-test'
import { startAccountWorld } from './support/account-world'
import { expectGuest, expectSignedIn, leaveGuestPairs, logIn, openSignedIn } from './support/auth'
import { call, signInElsewhere } from './support/person'
import { setThreshold } from './support/threshold'
import { readTable, waitingChanges, widgetsOnServer } from './support/truth'
import { savePair } from './support/saved-pair'

/** Access tokens that are old before anybody notices. */
const LIFETIME_S = 2

const test = base.extend({
  // oxlint-disable-next-line no-empty-pattern -- Playwright reads the fixtures' names from the pattern
  world: async ({}, use) => {
    const world = await startAccountWorld({ env: { ACCESS_TOKEN_TTL_SECONDS: String(LIFETIME_S) } })
    await use(world)
    expect(await world.stop(), 'the server ends cleanly').toBe(0)
  },
})

interface StoredSession {
  readonly tokens: { readonly refresh: string } | null
}
const session = async (page: Page) => ((await readTable(page, 'session')) as StoredSession[])[0]

const ownPairs = async (origin: string, token: string) =>
  (await widgetsOnServer(origin, { token })).map(({ coin_a_id, coin_b_id }) => `${coin_a_id}/${coin_b_id}`)

/** Ends every session of an account, as support or another device can. */
async function endSessions(page: Page, origin: string): Promise<void> {
  const refresh_token = (await session(page))?.tokens?.refresh
  await call(origin, 'POST', '/auth/logout', { body: { refresh_token } })
}
const expiredDialog = (page: Page) => page.getByRole('alertdialog', { name: 'Session Expired', exact: true })

test(
  'expired access tokens are renewed unseen in two tabs and after an offline start',
  { tag: '@full' },
  async ({ page, context, world, member }) => {
    await openSignedIn(page, member)
    await savePair(page, 'Bitcoin', 'Ethereum')
    const first = (await session(page))?.tokens?.refresh

    const other = await context.newPage()
    await other.goto('/')
    await expectSignedIn(other, member.email)
    // Old for certain: the server's own clock has moved on.
    await expect
      .poll(
        async () =>
          (await call(world.server.origin, 'GET', '/users/me', { token: await access(page) }).catch(String)) as string,
      )
      .toContain('TOKEN_EXPIRED')
    await Promise.all([
      setThreshold(page, 'BTC / ETH', 'High', '1000'),
      setThreshold(other, 'BTC / ETH', 'Low', '0.001'),
    ])
    await expect.poll(() => waitingChanges(page)).toBe(0)
    expect((await session(page))?.tokens?.refresh, 'it was renewed').not.toBe(first)

    await context.setOffline(true)
    await page.reload()
    await expectSignedIn(page, member.email)
    await expect(card(page, 'BTC / ETH')).toBeVisible()
    await addPair(page, 'Solana', 'Ethereum')
    await context.setOffline(false)
    await expect.poll(() => waitingChanges(page), { timeout: 30_000 }).toBe(0)
    await expectSignedIn(page, member.email)
    await expect(expiredDialog(page)).toHaveCount(0)
    const { access_token } = await signInElsewhere(world.server.origin, member)
    expect(await ownPairs(world.server.origin, access_token)).toEqual(['bitcoin/ethereum', 'solana/ethereum'])
  },
)

const access = async (page: Page) =>
  ((await readTable(page, 'session')) as { tokens: { access: string } | null }[])[0]?.tokens?.access ?? ''

test(
  'a session ended by the server asks in every tab; going on as guest shows the guest’s pairs',
  { tag: '@full' },
  async ({ page, context, world, member }) => {
    await page.goto('/')
    await installed(page)
    await addPair(page, 'XRP', 'Bitcoin')
    await logIn(page, member)
    await leaveGuestPairs(page)
    await savePair(page, 'Bitcoin', 'Ethereum')
    const other = await context.newPage()
    await other.goto('/')
    await expect(card(other, 'BTC / ETH')).toBeVisible()

    await endSessions(page, world.server.origin)
    await context.setOffline(true)
    await addPair(page, 'Solana', 'Ethereum')
    await context.setOffline(false)
    for (const tab of [page, other]) await expect(expiredDialog(tab)).toBeVisible({ timeout: 30_000 })
    await expiredDialog(page).getByRole('button', { name: 'Continue as Guest', exact: true }).click()
    for (const tab of [page, other]) {
      await expectGuest(tab)
      await expect(expiredDialog(tab)).toHaveCount(0)
      await expect.poll(() => cardNames(tab)).toEqual(['XRP / BTC'])
    }

    // The change that the user made before the session ended is kept, and sent after their next login.
    await logIn(page, member)
    await leaveGuestPairs(page)
    await expect.poll(() => cardNames(page)).toEqual(['BTC / ETH', 'SOL / ETH'])
    await expect.poll(() => waitingChanges(page), { timeout: 30_000 }).toBe(0)
    const { access_token } = await signInElsewhere(world.server.origin, member)
    expect(await ownPairs(world.server.origin, access_token)).toEqual(['bitcoin/ethereum', 'solana/ethereum'])
  },
)
