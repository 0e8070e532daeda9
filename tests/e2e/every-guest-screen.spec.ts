import type { Page } from 'playwright/test'
import { expect, test } from './support/account-test'
import { onCard, openChart, ratioOf, untilToast } from './support/app'
import { authDialog, send } from './support/auth'
import { described, openBoard, PAIR } from './support/board'
import { crossHigh } from './support/live-prices'
import { escape, go, lookAt, type Screen } from './support/screen'
import { alertSwitch, openThreshold, setThreshold, shownRatio } from './support/threshold'
import { waitingChanges } from './support/truth'
import { PHONE } from './support/views'

/** Opens a dialog that a button of the phone's menu leads to. */
const fromMenu = async (page: Page, button: string) => {
  await page.getByRole('button', { name: 'Open menu', exact: true }).click()
  await page.getByRole('dialog').getByRole('button', { name: button, exact: true }).first().click()
}

const dashboard: readonly Screen[] = [
  {
    name: 'empty dashboard',
    open: async (page) => {
      await openBoard(page, [])
      await expect(page.getByText("You haven't added any crypto pairs yet.")).toBeVisible()
    },
  },
  {
    name: 'Create New Pair, its list open',
    open: async (page) => {
      await page.getByRole('button', { name: '+ Add Your First Pair' }).click()
      await page.getByRole('combobox', { name: 'Base coin', exact: true }).fill('co')
      await expect(page.getByRole('listbox').getByRole('option').first()).toBeVisible()
    },
    close: async (page) => {
      await escape(page)
      await escape(page)
      await expect(page.getByRole('dialog')).toHaveCount(0)
    },
  },
  {
    name: 'thresholds, a checkpoint, an alert and its toast',
    open: async (page) => {
      await openBoard(page, [PAIR, 'ICP / SOL', 'XRP / BTC'])
      const ratio = await shownRatio(page, PAIR)
      await setThreshold(page, PAIR, 'Low', String(ratio * 2))
      await onCard(page, PAIR, 'Checkpoint').click()
      await ratioOf(page, PAIR).click()
      await alertSwitch(page, PAIR).click()
      await described(page, 'High', /(?<!dis)armed/)
      await expect.poll(() => waitingChanges(page)).toBe(0)
      await crossHigh(page, PAIR)
      await untilToast(page, /^Sell alert/)
    },
  },
  {
    name: 'a checkpoint about to be saved',
    open: (page) => onCard(page, 'XRP / BTC', 'Checkpoint').click(),
    close: escape,
  },
  { name: 'High Alert', open: (page) => openThreshold(page, PAIR, 'High'), close: escape },
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
  {
    name: 'Confirm Deletion',
    open: async (page) => {
      await page.getByRole('button', { name: 'Remove pair' }).first().click()
      await expect(page.getByRole('alertdialog', { name: 'Confirm Deletion' })).toBeVisible()
    },
    close: escape,
  },
  {
    name: 'chart',
    open: async (page) => {
      await openChart(page, PAIR)
      await page.getByRole('button', { name: 'Bands (2σ)' }).click()
    },
  },
  {
    name: 'swap math',
    open: async (page) => {
      await page.getByRole('button', { name: 'Swap math' }).click()
      const dialog = page.getByRole('dialog', { name: `${PAIR} - Swap Math` })
      await expect(dialog.getByRole('button', { name: 'Close' }).locator('svg')).toBeVisible()
    },
    close: escape,
  },
]

const pages: readonly Screen[] = [
  {
    name: 'Radar, as a list',
    open: async (page) => {
      await go(page, '/radar')
      await expect(page.getByRole('region', { name: 'Pairs' }).getByRole('listitem').first()).toBeVisible()
    },
  },
  {
    name: 'Radar, as a matrix',
    open: async (page) => {
      await page.getByRole('button', { name: 'Open matrix' }).click()
      await expect(page.getByRole('application')).toBeVisible()
    },
  },
  ...['alerts', 'status', 'settings', 'nowhere', 'figures', 'login'].map((name) => ({
    name,
    open: (page: Page) => go(page, `/${name}`),
  })),
  {
    name: 'a way to reach the user is added',
    open: async (page) => {
      await go(page, '/settings')
      await page.getByRole('button', { name: 'Add a way', exact: true }).click()
      await page.getByRole('combobox', { name: 'Written for' }).selectOption('ntfy')
    },
    close: escape,
  },
  {
    name: 'the registration page, refused',
    open: async (page) => {
      await go(page, '/register')
      await send(page.getByRole('main'), { Email: 'nobody', Password: 'short', 'Confirm password': 'other' })
      await expect(page.getByText('Passwords do not match.')).toBeVisible()
    },
  },
  {
    name: 'a forgotten password, sent',
    open: async (page) => {
      await go(page, '/forgot-password')
      await send(page.getByRole('main'), { Email: 'nobody@example.com' })
      await expect(page.getByText(/If an account with this email exists/)).toBeVisible()
    },
  },
  {
    name: 'a verification link without a token',
    open: async (page) => {
      await go(page, '/verify-email')
      await expect(page.getByText('Verification token not found in the link.')).toBeVisible()
    },
  },
  {
    name: 'a verification link that is not good',
    open: async (page) => {
      await page.goto('/verify-email?token=x')
      await expect(page.getByText('This verification link is invalid or has expired.')).toBeVisible()
    },
  },
  { name: 'thanks for a checkout', open: (page) => go(page, '/checkout-success') },
  { name: 'a checkout that was left', open: (page) => go(page, '/checkout-canceled') },
]

const dialogs: readonly Screen[] = [
  {
    name: 'the dialog of a reset link',
    open: async (page) => {
      await page.goto('/reset-password?token=x')
      await expect(authDialog(page, 'Reset Password')).toBeVisible()
    },
    close: escape,
  },
  {
    name: 'the login dialog, refused',
    open: async (page) => {
      await fromMenu(page, 'Login')
      await send(authDialog(page, 'Log In'), { Email: 'nobody@example.com', Password: 'wrong' })
      await expect(authDialog(page, 'Log In').getByRole('alert')).toBeVisible()
    },
    close: escape,
  },
  {
    name: 'the registration dialog',
    open: async (page) => {
      await fromMenu(page, 'Register')
      await expect(authDialog(page, 'Register')).toBeVisible()
    },
    close: escape,
  },
  {
    name: 'feedback',
    open: async (page) => {
      await fromMenu(page, 'Feedback')
      await page.getByRole('dialog').getByRole('textbox').fill('short')
    },
    close: escape,
  },
  { name: 'the terms', open: (page) => fromMenu(page, 'Terms of Use'), close: escape },
]

test.use({ ...PHONE, firstVisit: true })

test('every screen, dialog and state of a guest is accessible in both themes, fits its width and has large touch targets', async ({
  page,
  push,
}) => {
  test.setTimeout(600_000)
  await lookAt(page, dashboard)
  expect(push.subscription()).not.toBeNull()
  await lookAt(page, [...pages, ...dialogs])
})
