import { screen, within } from '@testing-library/react'
import { FedDashboard } from '../support/fed'
import { Toasts } from '../../../src/features/toasts/toasts'
import { appWithPair } from '../support/app-with-pair'
import type { LocalApp } from '../support/local-app'

/** The dashboard with BTC / ETH on it, as a guest: at 10 and 5 USD its ratio is 2. */
export async function oneCard({ prices = { 0: 10, 1: 5 }, ...setup }: Parameters<typeof appWithPair>[0] = {}) {
  const { app, id } = await appWithPair({ prices, ...setup })
  app.render(
    <>
      <FedDashboard />
      <Toasts />
    </>,
  )
  const article = await screen.findByRole('article', { name: 'BTC / ETH' })
  return { app, id, article, card: within(article) }
}

/** The description that a screen reader gives of an element after its name. */
export const descriptionOf = (element: HTMLElement): string =>
  (element.getAttribute('aria-describedby') ?? '')
    .split(' ')
    .map((id) => document.getElementById(id)?.textContent ?? '')
    .join(' ')

/** The changes that wait to be sent, oldest first. */
export const waitingChanges = async (app: LocalApp) =>
  (await app.db.outbox.orderBy('seq').toArray()).map(({ kind, payload }) => ({ kind, payload }))
