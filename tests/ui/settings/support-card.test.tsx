import { screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { writeMeta } from '../../../src/db/database'
import { SettingsPage } from '../../../src/features/settings/settings-page'
import { START, startLocalApp } from '../support/local-app'

test('the support card appears once the server’s settings are known, with mail address and price source', async () => {
  const app = await startLocalApp()
  app.render(<SettingsPage />)
  expect(screen.queryByRole('region', { name: 'Support & Help' })).toBeNull()
  await writeMeta(app.db, 'config', {
    fetched_at: START,
    config: {
      version: '1.0.0',
      vapid_public_key: null,
      google: null,
      billing: { available: false, sandbox: true },
      market_data: { source: 'coingecko', price_url: '/api/v3', attribution: { text: 'Data', url: null } },
      support_email: 'help@example.org',
    },
  })
  const link = await screen.findByRole<HTMLAnchorElement>('link', { name: 'help@example.org' })
  expect(link.href).toBe('mailto:help@example.org')
  expect(screen.getByText('CoinGecko')).toBeDefined()
})
