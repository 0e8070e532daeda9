import { screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test } from 'vitest'
import { writeMeta } from '../../../src/db/database'
import { SettingsPage } from '../../../src/features/settings/settings-page'
import { openDialog } from '../support/open-dialog'
import { START, startLocalApp } from '../support/local-app'

test('the legal card opens both policy texts, and names their versions once the versions are known', async () => {
  const app = await startLocalApp()
  app.render(<SettingsPage />)
  await userEvent.click(screen.getByRole('button', { name: 'Read Privacy Policy' }))
  expect(openDialog(app.store, 'policy')).toEqual({ kind: 'policy', policy: 'privacy' })
  await userEvent.click(screen.getByRole('button', { name: 'Read Terms of Use' }))
  expect(openDialog(app.store, 'policy')).toEqual({ kind: 'policy', policy: 'terms' })
  expect(screen.queryByText(/^Version/)).toBeNull()

  const policy = (version: string) => ({ version, path: `/api/v1/policies/${version}` })
  await writeMeta(app.db, 'policies', {
    policies: { terms: policy('2026-11-01'), privacy: policy('2026-10-01') },
    fetched_at: START,
  })
  expect(await screen.findByText('Version 2026-11-01')).toBeDefined()
  expect(screen.getByText('Version 2026-10-01')).toBeDefined()
})
