import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, expect, test } from 'vitest'
import { START, refused } from '../support/local-app'
import { setWidth } from '../support/viewport'
import { asked, at, entry, heading, isAt, openAdmin, profile } from './office'
import { SLOW } from '../support/slow'

beforeEach(() => setWidth(1440))

const rows = () => within(screen.getByRole('main')).getAllByRole('listitem')
const words = () => rows().map(({ textContent }) => textContent)

test('the audit log groups by day who did what to whom, also what a newer server calls by another name, and links the accounts that still exist', async () => {
  await openAdmin('/admin/audit-log', {
    log: [
      entry({ at: new Date(START - 60_000).toISOString() }),
      entry({ at: at(-1), action: 'revoke-premium', details: null, target_id: null }),
      entry({ at: at(-1), action: 'appoint-superuser', details: null, actor_email: null }),
      entry({ at: at(-9), action: 'dismiss-superuser', details: null }),
      entry({ at: at(-9), action: 'written-by-the-future', details: null }),
    ],
  })
  await heading('Audit log')
  await screen.findByRole('region', { name: 'Today' }, SLOW)
  expect(within(screen.getByRole('region', { name: 'Yesterday' })).getAllByRole('listitem')).toHaveLength(2)
  expect(words()).toEqual([
    expect.stringMatching(/^Granted premium to grace@example\.com .*30 days, until 2026-12-21 · by ops@example\.com$/),
    expect.stringMatching(/^Revoked premium of grace@example\.com {2}\(account deleted\).*by ops@example\.com$/),
    expect.stringMatching(/^Appointed grace@example\.com as superuser.*by the configuration or the command line$/),
    expect.stringMatching(/^Dismissed grace@example\.com as superuser.*by ops@example\.com$/),
    expect.stringMatching(/^written-by-the-future: grace@example\.com .*by ops@example\.com$/),
  ])
  expect(screen.getAllByRole('link', { name: 'grace@example.com' })).toHaveLength(4)
})

test('the audit log is paged by 20 actions, and a link in its rows opens the account', async () => {
  const user = profile('grace@example.com')
  const log = Array.from({ length: 23 }, () => entry({ target_id: user.id }))
  const app = await openAdmin('/admin/audit-log', { users: [user], log })
  expect(await screen.findByText('1–20 of 23 actions', {}, SLOW)).toBeDefined()
  await userEvent.click(screen.getByRole('button', { name: 'Next page' }))
  isAt('/admin/audit-log?page=2')
  await waitFor(() => expect(rows()).toHaveLength(3))
  expect(asked(app, 'auditLog').map(({ skip }) => skip)).toEqual([0, 20])
  await userEvent.click(screen.getAllByRole('link', { name: 'grace@example.com' })[0]!)
  await heading('grace@example.com')
  expect(history.state).toEqual({ from: '/admin/audit-log?page=2' })
})

test('the audit log of one account shows its actions alone, and “Show everything” shows all actions', async () => {
  const user = profile('grace@example.com')
  const app = await openAdmin(`/admin/audit-log?user=${user.id}`, {
    users: [user],
    log: [entry({ target_id: user.id }), entry({ target_email: 'other@example.com' })],
  })
  expect(await screen.findByText(/Only about grace@example\.com\./, {}, SLOW)).toBeDefined()
  expect(rows()).toHaveLength(1)
  expect(asked(app, 'auditLog')).toEqual([{ route: 'auditLog', target: user.id, skip: 0 }])
  await userEvent.click(screen.getByRole('link', { name: 'Show everything' }))
  isAt('/admin/audit-log')
  await waitFor(() => expect(rows()).toHaveLength(2))
})

test('the audit log without entries says that nothing has been done yet', async () => {
  await openAdmin('/admin/audit-log')
  expect(await screen.findByText('Nothing has been done yet', {}, SLOW)).toBeDefined()
})

test('the audit log shows why it could not be fetched, and “Try again” loads its entries', async () => {
  const app = await openAdmin('/admin/users', { log: [entry()] })
  await heading('Users')
  app.answerCall('auditLog', () => refused(503, null, 'Too busy.'))
  await userEvent.click(screen.getByRole('link', { name: 'Audit log' }))
  expect((await screen.findByRole('alert', {}, SLOW)).textContent).toBe('Failed to fetch the audit log.Too busy.')
  expect(screen.getByRole('link', { name: 'Audit log' }).getAttribute('aria-current')).toBe('page')
  app.answerCall('auditLog', () => ({ ok: true, value: { rows: [entry()], total: 1 } }))
  await userEvent.click(screen.getByRole('button', { name: 'Try again' }))
  await waitFor(() => expect(rows()).toHaveLength(1))
})
