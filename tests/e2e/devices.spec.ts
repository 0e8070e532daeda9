import { addPair, installed } from './support/app'
import { expect, test } from './support/account-test'
import { expectSignedIn, logIn, openSignedIn } from './support/auth'

test(
  'a user logs out another device from the list in Settings, and that device asks for a login with its next change',
  { tag: '@full' },
  async ({ page, openBrowser, member }) => {
    await openSignedIn(page, member)
    const other = (await openBrowser()).pages()[0]!
    await other.goto('/')
    await installed(other)
    await logIn(other, member)

    await page.goto('/settings')
    const rows = page.getByRole('list', { name: 'Devices', exact: true }).getByRole('listitem')
    await expect(rows.filter({ hasText: 'This device' })).toHaveCount(1)
    // Newest use first after this device: the other browser, and the one that accepted the policies.
    const before = await rows.count()
    await rows
      .nth(1)
      .getByRole('button', { name: /^Log out/ })
      .click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Log out', exact: true }).click()
    await expect(rows).toHaveCount(before - 1)

    await addPair(other, 'Bitcoin', 'Ethereum')
    await expect(other.getByRole('alertdialog', { name: 'Session Expired', exact: true })).toBeVisible({
      timeout: 30_000,
    })
    await expectSignedIn(page, member.email)
  },
)
