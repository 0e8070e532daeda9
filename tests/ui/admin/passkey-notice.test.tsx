import { screen, waitFor } from '@testing-library/react'
import { expect, test } from 'vitest'
import { heading, openAdmin } from './office'

test('the admin area urges a superuser without a passkey to add one, and is silent once there is one', async () => {
  const app = await openAdmin('/admin/users')
  await heading('Users')
  const has = async (has_passkeys: boolean) => {
    const session = await app.db.session.get('current')
    await app.db.session.put({ ...session!, user: { ...session!.user!, has_passkeys } })
  }
  expect(
    screen.queryByRole('link', { name: 'Add a passkey in Settings' }),
    'a server that knows no passkeys',
  ).toBeNull()
  await has(false)
  const link = await screen.findByRole('link', { name: 'Add a passkey in Settings' })
  expect(link.getAttribute('href')).toBe('/settings')
  await has(true)
  await waitFor(() => expect(screen.queryByRole('link', { name: 'Add a passkey in Settings' })).toBeNull())
})
