import type { Page } from 'playwright/test'
import { installed, untilToast } from './support/app'
import { SUPPORT } from './support/account-world'
import { expect, test } from './support/account-test'
import { logIn } from './support/auth'

const dialog = (page: Page) => page.getByRole('dialog', { name: 'Submit Feedback', exact: true })

async function open(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Feedback', exact: true }).first().click()
  await expect(dialog(page).getByRole('textbox')).toBeFocused()
}

for (const who of ['a guest', 'a user'] as const) {
  test(
    `feedback of ${who} reaches support, and the draft survives a failed submit and a reload`,
    { tag: '@full' },
    async ({ page, world, member }) => {
      await page.goto('/')
      await installed(page)
      if (who === 'a user') await logIn(page, member)
      await open(page)
      const box = dialog(page).getByRole('textbox')
      const submit = dialog(page).getByRole('button', { name: 'Submit', exact: true })
      await expect(submit).toBeDisabled()
      await box.fill('  short   ')
      await expect(dialog(page).getByText('5 more characters needed')).toBeVisible()
      await expect(submit).toBeDisabled()
      await box.fill('x'.repeat(5001))
      await expect(submit).toBeDisabled()

      const words = `The bands of ${who} are lovely <b>& bold</b>`
      await box.fill(words)
      await expect(dialog(page).getByText(new RegExp(`${words.length}\\s*/\\s*5,?000`))).toBeVisible()
      await page.context().setOffline(true)
      await submit.click()
      await expect(dialog(page).locator('form').getByRole('alert'), 'it is said at the form').toContainText(
        /[Nn]etwork/,
      )
      await untilToast(page, /[Nn]etwork/)
      await page.keyboard.press('Escape')
      await page.context().setOffline(false)
      await page.reload()
      await open(page)
      await expect(box, 'what was typed outlives failure, closing and reload').toHaveValue(words)
      await submit.click()
      await expect(dialog(page)).toBeHidden()
      const mail = await world.mailbox.next(SUPPORT)
      expect(mail.text).toContain(words)
      if (who === 'a user') expect(mail.text + JSON.stringify(mail.headers)).toContain(member.email)
      await open(page)
      await expect(box, 'what was sent is not offered again').toHaveValue('')
    },
  )
}
