import type { Page } from 'playwright/test'
import { onCard, ratioOf, untilToast } from './support/app'
import { described, openBoard, PAIR } from './support/board'
import type { AppServer } from './support/app-server'
import { livePrices } from './support/live-prices'
import { freshBoard } from './support/seed-board'
import { signIn, startServerWithAccounts, type Account } from './support/premium'
import { alertSwitch, openThreshold, setThreshold, shownRatio } from './support/threshold'
import { ageSettings, waitingChanges } from './support/truth'
import { checkViews, PHONE } from './support/views'
import { expect, test as base } from './support/test'

const test = base.extend<object, { accounts: { server: AppServer; premium: Account } }>({
  accounts: [
    async ({ pushService }, use) => {
      const env = { FREE_MAX_WIDGETS: '3', PUSH_ALLOWED_HOSTS: pushService.host }
      const accounts = await startServerWithAccounts({ env })
      await use(accounts)
      await accounts.server.stop()
    },
    { scope: 'worker' },
  ],
  baseURL: async ({ accounts }, use) => use(accounts.server.origin),
})

interface State {
  readonly name: string
  readonly open: (page: Page) => Promise<void>
  readonly close?: (page: Page) => Promise<void>
}
const escape = (page: Page) => page.keyboard.press('Escape')

/** In this order: each goes on where the one before left the page. */
const guestStates: readonly State[] = [
  {
    name: 'thresholds, a checkpoint, an alert and its toast',
    open: async (page) => {
      await openBoard(page, [PAIR, 'ICP / SOL', 'XRP / BTC'])
      const ratio = await shownRatio(page, PAIR)
      await setThreshold(page, PAIR, 'Low', String(ratio * 2))
      await onCard(page, PAIR, 'Checkpoint').click()
      await ratioOf(page, PAIR).click()
      await alertSwitch(page, PAIR).click()
      // The high threshold is set 5 % above the ratio of the moment at which push is ready: the price moves after it.
      await described(page, 'High', /(?<!dis)armed/)
      await expect.poll(() => waitingChanges(page)).toBe(0)
      await (await livePrices(page)).move({ bitcoin: 1.2 })
      await untilToast(page, /^Sell alert/)
    },
  },
  {
    name: 'a checkpoint about to be saved',
    open: (page) => onCard(page, 'XRP / BTC', 'Checkpoint').click(),
    close: escape,
  },
  {
    name: 'High Alert',
    open: async (page) => void (await openThreshold(page, PAIR, 'High')),
    close: escape,
  },
  {
    name: 'Low Alert with a mistake in it',
    open: async (page) => {
      const dialog = await openThreshold(page, PAIR, 'Low')
      await dialog.getByLabel('Threshold').fill('nothing')
      await expect(dialog.getByText('Enter a numeric value.')).toBeVisible()
    },
    close: escape,
  },
  {
    name: 'the menu that moves a card',
    open: async (page) => {
      await onCard(page, PAIR, 'Move pair').click()
      await expect(page.getByRole('menuitem', { name: 'Move last' })).toBeVisible()
    },
    close: escape,
  },
  {
    name: 'changes that wait',
    open: async (page) => {
      await expect.poll(() => waitingChanges(page)).toBe(0)
      await page.context().setOffline(true)
      await setThreshold(page, 'XRP / BTC', 'High', '1')
      await page.getByRole('button', { name: /changes? waits?/ }).click()
      await expect(page.getByRole('dialog', { name: 'Waiting changes' }).getByRole('listitem')).toBeVisible()
    },
    close: async (page) => {
      await escape(page)
      await page.context().setOffline(false)
      await expect.poll(() => waitingChanges(page), { timeout: 30_000 }).toBe(0)
    },
  },
]

const inactive: State = {
  name: 'inactive cards and their dialog',
  open: async (page) => {
    await ageSettings(page)
    await page.reload()
    await expect(page.getByText('Limit Reached').first()).toBeVisible()
    await page
      .getByRole('button', { name: /upgrade/i })
      .first()
      .click()
    await expect(page.getByRole('dialog', { name: 'Log In' })).toBeVisible()
  },
  close: escape,
}

const managed: State = {
  name: 'Manage Checkpoints',
  open: async (page) => {
    await shownRatio(page, PAIR)
    await onCard(page, PAIR, 'Manage checkpoints').click()
    const dialog = page.getByRole('dialog', { name: 'Manage Checkpoints' })
    const rows = dialog.getByRole('listitem')
    for (const count of [1, 2]) {
      await dialog.getByRole('button', { name: 'Add checkpoint', exact: true }).click()
      await expect(rows).toHaveCount(count)
    }
  },
  close: escape,
}

async function check(page: Page, { name, open, close }: State): Promise<void> {
  await test.step(name, async () => {
    await open(page)
    await checkViews(page, name)
    await close?.(page)
  })
}

test.use(PHONE)

test('every state of a guest’s dashboard is accessible, fits its width and has large touch targets', async ({
  page,
  accounts,
  push,
}) => {
  for (const state of guestStates) await check(page, state)
  expect(push.subscription()).not.toBeNull()
  await accounts.server.restart({ env: { FREE_MAX_WIDGETS: '1' } })
  await check(page, inactive)
})

test('the checkpoint dialog of a premium user is accessible, fits its width and has large touch targets', async ({
  page,
  accounts,
}) => {
  const { server, premium } = accounts
  await freshBoard(server.origin, { token: premium.accessToken }, [PAIR])
  await signIn(page, premium)
  await check(page, managed)
})
