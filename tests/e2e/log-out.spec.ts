import type { Page } from 'playwright/test'
import { addPair, card, cardNames, installed, openChart } from './support/app'
import { expect, test } from './support/account-test'
import {
  expectGuest,
  expectSignedIn,
  guestPairsDialog,
  leaveGuestPairs,
  logIn,
  logOut,
  openSignedIn,
} from './support/auth'
import { call, newPerson, register, signInElsewhere, verify } from './support/person'
import { anonymousId, readTable, waitingChanges, widgetsOnServer } from './support/truth'
import { savePair } from './support/saved-pair'

const question = (page: Page) => page.getByRole('alertdialog')

/** All rows of this browser that name an owner. */
async function traces(page: Page, owner: string): Promise<string[]> {
  const tables = ['widgets', 'checkpoints', 'outbox', 'notices', 'ids', 'owners', 'session', 'meta']
  const found: string[] = []
  for (const table of tables) {
    const rows = await readTable(page, table)
    if (JSON.stringify(rows).includes(owner)) found.push(table)
  }
  return found
}

test(
  'the logout asks for confirmation when changes wait, leaves no data of the user and ends the session',
  { tag: '@full' },
  async ({ page, context, world, member }) => {
    await openSignedIn(page, member)
    const owner = ((await readTable(page, 'session')) as { owner: string }[])[0]?.owner ?? ''
    await savePair(page, 'Bitcoin', 'Ethereum')
    const refresh = ((await readTable(page, 'session')) as { tokens: { refresh: string } }[])[0]?.tokens.refresh

    await context.setOffline(true)
    await addPair(page, 'Solana', 'Ethereum')
    await logOut(page)
    await expect(question(page)).toContainText(/change/i)
    await question(page).getByRole('button', { name: 'Cancel', exact: true }).click()
    await expectSignedIn(page, member.email)
    await expect(card(page, 'SOL / ETH')).toBeVisible()

    await logOut(page)
    await question(page)
      .getByRole('button', { name: /log ?out/i })
      .click()
    await expectGuest(page)
    await expect.poll(() => cardNames(page)).toEqual([])
    expect(await traces(page, owner), 'the revision of their rows, and nothing else').toEqual(['owners'])
    await page.reload()
    await expectGuest(page)

    await context.setOffline(false)
    const resume = () => call(world.server.origin, 'POST', '/auth/refresh-token', { body: { refresh_token: refresh } })
    const verdict = () => resume().then(() => 'still good', String)
    await expect
      .poll(verdict, { message: 'the server hears of it when it can', timeout: 30_000 })
      .toContain('INVALID_REFRESH_TOKEN')
    const { access_token } = await signInElsewhere(world.server.origin, member)
    expect(await widgetsOnServer(world.server.origin, { token: access_token })).toHaveLength(1)
  },
)

test(
  'login and logout in one tab take effect in every tab, and each user sees only their own pairs',
  { tag: '@full' },
  async ({ page, context, world, member }) => {
    const second = newPerson()
    await register(world, second)
    await verify(world, second)
    await page.goto('/')
    await installed(page)
    await addPair(page, 'XRP', 'Bitcoin')
    const guest = await anonymousId(page)
    const other = await context.newPage()
    await other.goto('/')
    await expect(card(other, 'XRP / BTC')).toBeVisible()

    await logIn(page, member)
    await expectSignedIn(other, member.email)
    await leaveGuestPairs(page)
    await expect(guestPairsDialog(other), 'answered in one tab, it is in every tab').toBeHidden()
    await expect.poll(() => cardNames(other)).toEqual([])
    await addPair(page, 'Bitcoin', 'Ethereum')
    await openChart(other, 'BTC / ETH')
    await expect.poll(() => waitingChanges(page)).toBe(0)

    await logOut(page)
    await expectGuest(other)
    await expect(
      other.getByRole('region', { name: 'BTC/ETH Historical Ratio' }),
      'a chart goes with its owner',
    ).toHaveCount(0)
    await other.goto('/')
    await expect.poll(() => cardNames(other)).toEqual(['XRP / BTC'])

    await logIn(page, second)
    await expectSignedIn(other, second.email)
    await leaveGuestPairs(page)
    for (const tab of [page, other]) await expect.poll(() => cardNames(tab)).toEqual([])
    await page.getByRole('button', { name: 'Add Pair', exact: true }).first().click()
    await expect(page.getByRole('dialog', { name: 'Create New Pair' })).toBeVisible()
    await logOut(other)
    await expectGuest(page)
    await expect(page.getByRole('dialog'), 'a dialog of somebody who has gone closes').toHaveCount(0)
    expect(await anonymousId(page)).toBe(guest)
  },
)
