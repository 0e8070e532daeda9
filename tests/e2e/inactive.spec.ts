import type { Page } from 'playwright/test'
import { card, onCard, removePair } from './support/app'
import { openBoard } from './support/board'
import { startAppServer, type AppServer } from './support/app-server'
import { ageSettings, waitingChanges } from './support/truth'
import { expect, test as base } from './support/test'

const test = base.extend<{ generous: AppServer }>({
  // oxlint-disable-next-line no-empty-pattern -- Playwright reads the fixtures' names from the pattern
  generous: async ({}, use) => {
    const server = await startAppServer({ env: { FREE_MAX_WIDGETS: '3' } })
    await use(server)
    await server.stop()
  },
  baseURL: async ({ generous }, use) => use(generous.origin),
})

const section = (page: Page, name: string) => page.getByRole('region', { name: new RegExp(`^${name}`) })

test(
  'a lowered widget limit makes the last pairs inactive; an exchange or the removal of a pair activates another',
  { tag: '@full' },
  async ({ page, generous }) => {
    await openBoard(page, ['BTC / ETH', 'SOL / ETH', 'XRP / BTC'])
    await expect(section(page, 'Active Widgets').getByRole('article')).toHaveCount(3)

    await generous.restart({ env: { FREE_MAX_WIDGETS: '1' } })
    await ageSettings(page)
    await page.reload()
    await expect(section(page, 'Active Widgets').getByRole('article')).toHaveCount(1)
    await expect(section(page, 'Inactive Widgets').getByRole('article')).toHaveCount(2)
    for (const pair of ['SOL / ETH', 'XRP / BTC']) {
      await expect(card(page, pair).getByText('Limit Reached')).toBeVisible()
      await expect(onCard(page, pair, 'High threshold'), 'nothing can be set on it').toHaveCount(0)
    }

    await card(page, 'SOL / ETH')
      .getByRole('button', { name: /upgrade/i })
      .click()
    const login = page.getByRole('dialog', { name: 'Log In' })
    await expect(login).toBeVisible()
    await page.keyboard.press('Escape')
    await expect(login).toBeHidden()

    // A pair takes the place of another one, and back: by keyboard, kept by the server over a reload.
    const active = section(page, 'Active Widgets').getByRole('article')
    for (const [next, leaving] of [
      ['SOL / ETH', 'BTC / ETH'],
      ['BTC / ETH', 'SOL / ETH'],
    ] as const) {
      await onCard(page, next, 'Make active').press('Enter')
      const dialog = page.getByRole('dialog', { name: `Make ${next} active` })
      await expect(dialog.getByRole('radio', { name: leaving })).toBeFocused()
      await page.keyboard.press('Enter')
      await expect(active).toHaveAccessibleName(next)
      await expect(card(page, next)).toBeFocused()
      await expect.poll(() => waitingChanges(page)).toBe(0)
      await page.reload()
      await expect(active).toHaveAccessibleName(next)
    }

    // Sorting stays within a section: the handle of an inactive card moves it among the inactive ones.
    await onCard(page, 'XRP / BTC', 'Move pair').click()
    await page.getByRole('menuitem', { name: 'Move first' }).click()
    await expect(section(page, 'Inactive Widgets').getByRole('article').first()).toHaveAccessibleName('XRP / BTC')
    await expect(page.getByText('Unsaved changes')).toBeVisible()
    await expect(page.getByText('Saved', { exact: true })).toBeVisible()
    await expect(page.getByText('Saved', { exact: true })).toBeHidden()

    await removePair(page, 'BTC / ETH')
    await expect(section(page, 'Active Widgets').getByRole('article')).toHaveAccessibleName('XRP / BTC')
    await expect(onCard(page, 'XRP / BTC', 'High threshold')).toBeVisible()
    await removePair(page, 'SOL / ETH')
    await expect(section(page, 'Inactive Widgets')).toHaveCount(0)

    const add = page.getByRole('button', { name: 'Add Pair', exact: true }).first()
    await expect(add).toBeDisabled()
    await expect(add).toHaveAccessibleDescription('Maximum number of widgets (1) reached for your account tier.')
  },
)
