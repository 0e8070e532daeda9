import type { Page } from 'playwright/test'
import { DELETION_GRACE_DAYS } from '../../src/domain/account'
import { card, untilToast } from './support/app'
import { expect, test } from './support/account-test'
import { expectGuest, field, logIn, openSignedIn } from './support/auth'
import { savePair } from './support/saved-pair'

const WELCOME_BACK = 'Welcome back! Your scheduled account deletion has been cancelled.'
const DAY = 86_400_000

const dialog = (page: Page) => page.getByRole('dialog', { name: 'Delete Account', exact: true })

async function askToDelete(page: Page): Promise<void> {
  await page.getByRole('link', { name: 'Settings', exact: true }).first().click()
  await page.getByRole('button', { name: 'Delete Account', exact: true }).click()
  await expect(dialog(page)).toBeVisible()
}
const confirm = (page: Page) => dialog(page).getByRole('button', { name: 'Delete Account', exact: true })

/** The parts of the date, whichever order the toast has them in. */
function expectDate(text: string, at: number): void {
  const parts = new Intl.DateTimeFormat('en', { year: 'numeric', month: 'long' }).formatToParts(at)
  const year = parts.find(({ type }) => type === 'year')?.value ?? ''
  const month = parts.find(({ type }) => type === 'month')?.value.slice(0, 3) ?? ''
  expect(text).toContain(year)
  expect(text).toContain(month)
  expect(text).toMatch(new RegExp(`\\b0?${new Date(at).getDate()}\\b`))
}

test(
  'an account with a password is scheduled for deletion in 30 days, and a login cancels that',
  { tag: '@full' },
  async ({ page, world, member }) => {
    await openSignedIn(page, member)
    await savePair(page, 'Bitcoin', 'Ethereum')

    await askToDelete(page)
    await expect(field(dialog(page), 'Password')).toHaveAttribute('autocomplete', 'current-password')
    await field(dialog(page), 'Password').press('Enter')
    await expect(field(dialog(page), 'Password'), 'nothing happens without it').toBeVisible()
    await field(dialog(page), 'Password').fill('not this one')
    await confirm(page).click()
    await expect(page.getByText('The entered password is incorrect. Please try again.')).toBeVisible()
    await page.context().setOffline(true)
    await field(dialog(page), 'Password').fill(member.password)
    await confirm(page).click()
    await expect(page.getByText('Network error. Please try again.')).toBeVisible()
    await page.context().setOffline(false)
    await field(dialog(page), 'Password').fill(member.password)
    await confirm(page).click()

    const toast = await untilToast(page, /deletion|deleted/i)
    expectDate((await toast.textContent()) ?? '', Date.now() + DELETION_GRACE_DAYS * DAY)
    await expectGuest(page)
    await page.goto('/')
    await expect(card(page, 'BTC / ETH')).toHaveCount(0)
    // The first mail is of the login on a device that was not known.
    await world.mailbox.next(member.email)
    const mail = await world.mailbox.next(member.email)
    expect(mail.text).toMatch(/delet/i)

    await logIn(page, member)
    await untilToast(page, WELCOME_BACK)
    await expect(card(page, 'BTC / ETH'), 'everything is there').toBeVisible()
  },
)
