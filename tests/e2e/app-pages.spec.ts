import type { Page } from 'playwright/test'
import { addPair, card, installed, untilToast } from './support/app'
import { openBoard } from './support/board'
import { expect, test } from './support/account-test'
import { SUPPORT } from './support/account-world'
import { authDialog, expectGuest, expectSignedIn, logIn, openSignedIn } from './support/auth'
import { savePair } from './support/saved-pair'

const settings = (page: Page) => page.getByRole('link', { name: 'Settings', exact: true }).first().click()
const region = (page: Page, name: string) => page.getByRole('region', { name, exact: true })

test(
  'the page after a checkout requests the account again, and a canceled checkout says nothing was charged',
  { tag: '@full' },
  async ({ page, member }) => {
    await openSignedIn(page, member)
    const asked = page.context().waitForEvent('request', (request) => request.url().endsWith('/api/v1/users/me'))
    await page.goto('/checkout-success')
    await expect(page.getByText(/thank/i).first()).toBeVisible()
    await asked
    await page.getByRole('link', { name: /dashboard/i }).click()
    await expectSignedIn(page, member.email)
    await page.goto('/checkout-canceled')
    await expect(page.getByText(/canceled/i).first()).toBeVisible()
    await expect(page.getByText(/not (been )?charged/i)).toBeVisible()
  },
)

test(
  'settings show the plan of guest and user, and clearing the cache keeps the user signed in',
  { tag: '@full' },
  async ({ page, member }) => {
    await page.goto('/')
    await installed(page)
    await settings(page)
    const plan = region(page, 'Subscription Plan')
    await expect(plan).toContainText(/log in/i)
    await expect(region(page, 'Account Management'), 'guests have none').toHaveCount(0)
    await expect(region(page, 'Support & Help').getByRole('link', { name: SUPPORT })).toHaveAttribute(
      'href',
      new RegExp(`^mailto:${SUPPORT}`),
    )
    await region(page, 'Legal').getByRole('button', { name: 'Read Terms of Use' }).click()
    await expect(page.getByRole('dialog', { name: 'Terms of Use' })).toBeVisible()
    await page.keyboard.press('Escape')

    await logIn(page, member)
    await expect(region(page, 'Account Management')).toBeVisible()
    await expect(plan).toContainText('Free')
    await expect(plan).toContainText(/Max widgets.*in use 5Checkpoints per widget1Real-time/)
    await expect(plan.getByRole('button', { name: /upgrade/i })).toBeVisible()
    await page.goto('/')
    await savePair(page, 'Bitcoin', 'Ethereum')
    await settings(page)
    await page.getByRole('button', { name: 'Clear Cache', exact: true }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: /clear/i }).click()
    await expect(page.getByRole('alertdialog')).toHaveCount(0)
    await page.goto('/')
    await expectSignedIn(page, member.email)
    await expect(card(page, 'BTC / ETH')).toBeVisible()
  },
)

test(
  'the status page shows version, stored data and the number of waiting changes',
  { tag: '@full' },
  async ({ page }) => {
    await openBoard(page, ['BTC / ETH'])
    await page.getByRole('link', { name: 'Status', exact: true }).first().click()
    const main = page.getByRole('main').first()
    await expect(main.getByText('v1.0.0', { exact: true }).first()).toBeVisible()
    await expect(main).toContainText('Stored here')
    await expect(main).toContainText(/service worker/i)
    await page.getByRole('button', { name: /refresh/i }).click()
    await untilToast(page, /Settings > Clear Cache/)
    await page.goto('/')
    await page.context().setOffline(true)
    await addPair(page, 'Solana', 'Ethereum')
    await page.getByRole('link', { name: 'Status', exact: true }).first().click()
    await expect(region(page, 'Sync')).toContainText(/Waiting changes\s*1/)
    await page.context().setOffline(false)
    await page.getByRole('link', { name: 'Alerts', exact: true }).first().click()
    await expect(page.getByRole('heading', { name: /Alerts/ })).toBeVisible()
    await expect(page.getByText('COMING SOON')).toBeVisible()
  },
)

test(
  'on a phone the login is one tap away, and the menu holds every link and button',
  { tag: '@full' },
  async ({ page, member }) => {
    await page.setViewportSize({ width: 360, height: 780 })
    await page.goto('/')
    await installed(page)
    await page.getByRole('button', { name: 'Account', exact: true }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Login', exact: true }).click()
    const dialog = authDialog(page, 'Log In')
    await dialog.getByLabel('Email', { exact: true }).fill(member.email)
    await dialog.getByLabel('Password', { exact: true }).fill(member.password)
    await dialog.getByLabel('Password', { exact: true }).press('Enter')
    await expect(dialog).toBeHidden()

    await page.getByRole('button', { name: 'Open menu', exact: true }).click()
    const drawer = page.getByRole('dialog')
    for (const link of ['Dashboard', 'Alerts', 'Status', 'Settings']) {
      await expect(drawer.getByRole('link', { name: link, exact: true })).toBeVisible()
    }
    for (const button of ['Add Pair', 'Feedback', 'Logout', 'Terms of Use', 'Privacy Policy']) {
      await expect(drawer.getByRole('button', { name: button, exact: true }).first()).toBeVisible()
    }
    await expect(drawer).toContainText(member.email)
    await expect(drawer).toContainText('Free')
    await expect(drawer).toContainText('Unlock 50 total widgets and advanced features!')
    await drawer.getByRole('button', { name: 'Logout', exact: true }).click()
    await page.setViewportSize({ width: 1280, height: 720 })
    await expectGuest(page)
  },
)
