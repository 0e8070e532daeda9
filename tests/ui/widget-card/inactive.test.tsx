import { screen, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { describe, expect, it } from 'vitest'
import { writeMeta } from '../../../src/db/queries/meta'
import { Dashboard } from '../../../src/features/dashboard/dashboard'
import { WidgetCard } from '../../../src/features/widget-card/widget-card'
import { authOpenAtom, upgradeOpenAtom } from '../../../src/state/panels'
import { type LocalApp, seedCoins, seedPrices, seedWidgets, signIn, START, startLocalApp } from '../support/local-app'

/** Three pairs of which the tier tracks one. */
async function threePairs(account: (app: LocalApp) => Promise<unknown>, max = 1) {
  const app = await startLocalApp()
  await seedCoins(app, 4)
  await account(app)
  const limits = { max_widgets: max, max_checkpoints_per_widget: 1 }
  await writeMeta(app.db, 'tier_limits', { limits: { free: limits, premium: limits }, fetched_at: START })
  await seedWidgets(app, [
    [0, 1],
    [1, 0],
    [2, 3],
  ])
  await seedPrices(app, { 0: 10, 1: 5, 2: 4, 3: 2 })
  app.render(<Dashboard Card={WidgetCard} onOpenChart={() => undefined} />)
  const inactive = await screen.findByRole('region', { name: /^Inactive Widgets/ })
  const [first, second] = within(inactive)
    .getAllByRole('article')
    .map((article) => within(article))
  return { app, first: first!, second: second! }
}

describe('inactive pair', () => {
  it('a premium user’s first inactive pair is next in line, and no inactive pair offers an upgrade', async () => {
    const { first, second } = await threePairs(signIn)
    expect(first.getByText('Limit Reached')).toBeDefined()
    expect(first.getByText('Next in line: it becomes active when you remove an active pair.')).toBeDefined()
    expect(second.getByText('Limit Reached')).toBeDefined()
    expect(second.getByText('Waits in line: it moves up when you remove an active pair.')).toBeDefined()
    for (const card of [first, second]) expect(card.queryByRole('button', { name: /upgrade/i })).toBeNull()
  })

  it('a guest’s inactive pair leads to the login', async () => {
    const { app, first, second } = await threePairs(async () => undefined)
    for (const card of [first, second]) {
      expect(card.getByText('Limit Reached')).toBeDefined()
      expect(
        card.getByText('Your tier tracks 1 pair. Remove an active pair to track this one, or upgrade to track more.'),
      ).toBeDefined()
    }
    await userEvent.click(second.getByRole('button', { name: 'Log in to upgrade' }))
    expect(app.store.get(authOpenAtom)).toEqual({ view: 'login' })
  })

  it('a free user’s inactive pair leads to the upgrade', async () => {
    const { app, first } = await threePairs((one) => signIn(one, { premium: false }))
    await userEvent.click(first.getByRole('button', { name: 'Upgrade' }))
    expect(app.store.get(upgradeOpenAtom)).toBe(true)
  })

  it('an inactive pair has no switch, and its only buttons move and remove the pair', async () => {
    const { first } = await threePairs(signIn)
    expect(first.queryByRole('switch')).toBeNull()
    expect(first.getAllByRole('button').map((button) => button.getAttribute('aria-label'))).toEqual([
      'Move pair',
      'Remove pair',
    ])
  })
})
