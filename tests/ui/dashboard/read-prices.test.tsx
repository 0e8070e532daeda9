import { fireEvent, screen, waitFor } from '@testing-library/react'
import { expect, it } from 'vitest'
import { FedDashboard } from '../support/fed'
import { appWithPair } from '../support/app-with-pair'
import { seedPrices, START, summaryOf } from '../support/local-app'

it('Read prices says name, ratio and change of every pair once, and no figure is a live region', async () => {
  const { app } = await appWithPair({
    prices: { 0: 10, 1: 5 },
    worker: { summaries: () => Promise.resolve([summaryOf(0, 1)]) },
  })
  app.render(<FedDashboard />)
  await screen.findByText('+1.23%')
  fireEvent.click(await screen.findByRole('button', { name: 'Read prices' }))
  const words = await screen.findByText('BTC / ETH: 2.0000, +1.23% in 24 hours.')
  expect(words.closest('[role=status]')).not.toBeNull()
  await seedPrices(app, { 0: 20, 1: 5 }, START + 1)
  await waitFor(() => expect(screen.getByText('4.0000')).toBeDefined())
  // Only the next press reads the new figure.
  expect(words.textContent).toBe('BTC / ETH: 2.0000, +1.23% in 24 hours.')
  fireEvent.click(screen.getByRole('button', { name: 'Read prices' }))
  await screen.findByText('BTC / ETH: 4.0000, +1.23% in 24 hours.')
  expect(screen.getByText('4.0000').closest('[aria-live], [role=status], [role=alert]')).toBeNull()
})
