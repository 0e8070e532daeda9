import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test, vi } from 'vitest'
import { addWidget } from '../../../src/db/commands/widgets'
import type { CoinId } from '../../../src/domain/ids'
import { DataCard } from '../../../src/features/settings/data-cards'
import { appWithPair } from '../support/app-with-pair'
import { coinNumber, seedLimit, START, type LocalApp, noticesOf } from '../support/local-app'
import { catchReports } from '../support/reports'

async function seeded(): Promise<LocalApp> {
  const prices = { 0: 100_000, 1: 4_000 }
  const { app } = await appWithPair({ coins: 4, seed: (app) => seedLimit(app, 5), prices })
  await addWidget(app.services.commands, { coinA: coinNumber(2).id, coinB: coinNumber(3).id })
  const columns = { times: Float64Array.of(START), prices: Float64Array.of(1) }
  await app.db.ticks.put({ coin_id: 'bitcoin' as CoinId, hour: START, ...columns })
  return app
}
const rows = async ({ db }: LocalApp) => ({
  forgotten: [await db.prices.count(), await db.ticks.count(), await db.history.count()],
  coins: (await db.meta.get('coins')) !== undefined,
  kept: [await db.session.count(), await db.widgets.count(), await db.outbox.count()],
  limits: (await db.meta.get('tier_limits')) !== undefined,
})
const confirm = async () => {
  await userEvent.click(screen.getByRole('button', { name: 'Clear Cache' }))
  const question = screen.getByRole('alertdialog')
  await userEvent.click(within(question).getByRole('button', { name: 'Clear Cache' }))
}

test('clearing the cache deletes only what can be loaded again, shows a toast, and asks for a sync', async () => {
  const stored = new Set(['workbox-precache-v2', 'coin-icons'])
  vi.stubGlobal('caches', {
    keys: () => Promise.resolve([...stored]),
    delete: (name: string) => Promise.resolve(stored.delete(name)),
  })
  const app = await seeded()
  app.render(<DataCard />)
  await confirm()
  await waitFor(() => expect(app.syncs).toEqual(['command']))
  expect(await rows(app)).toEqual({ forgotten: [0, 0, 0], coins: false, kept: [1, 1, 1], limits: true })
  expect([...stored]).toEqual(['workbox-precache-v2'])
  expect(noticesOf(app)).toMatchObject([{ kind: 'success' }])
})

test('the Clear Cache dialog deletes nothing when the user cancels', async () => {
  const app = await seeded()
  const before = await rows(app)
  app.render(<DataCard />)
  await userEvent.click(screen.getByRole('button', { name: 'Clear Cache' }))
  await userEvent.click(screen.getByRole('button', { name: 'Cancel' }))
  expect(screen.queryByRole('alertdialog')).toBeNull()
  expect(await rows(app)).toEqual(before)
})

test('a failed clearing of the cache shows an error toast and is reported once', async () => {
  const reports = catchReports()
  const app = await seeded()
  app.render(<DataCard />)
  app.db.close()
  await confirm()
  await waitFor(() =>
    expect(noticesOf(app)).toMatchObject([{ kind: 'error', message: 'Failed to clear cache. Please try again.' }]),
  )
  expect(reports).toHaveLength(1)
  await app.db.open()
})
