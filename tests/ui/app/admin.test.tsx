import { act, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, describe, expect, test } from 'vitest'
import { Screens } from '../../../src/app/screens'
import { accountAtom } from '../../../src/state/account'
import { type LocalApp, seedCoins, signIn, startLocalApp, changeUser } from '../support/local-app'
import { setWidth } from '../support/viewport'
import { SLOW } from '../support/slow'

beforeEach(() => setWidth(1440))

const nobody = () => Promise.resolve()
const superuser = (app: LocalApp) => signIn(app, { superuser: true })

async function open(address: string, prepare: (app: LocalApp) => Promise<unknown>): Promise<LocalApp> {
  history.replaceState(null, '', address)
  const app = await startLocalApp()
  await seedCoins(app, 2)
  await prepare(app)
  const session = await app.db.session.get('current')
  await waitFor(() => expect(app.store.get(accountAtom)?.owner).toBe(session?.owner))
  app.render(<Screens />)
  return app
}
const heading = (name: string) => screen.findByRole('heading', { level: 1, name }, SLOW)
const isAt = (address: string) => waitFor(() => expect(location.pathname).toBe(address), SLOW)
const link = () => screen.queryByRole('link', { name: 'Admin Panel' })
const inShell = () => screen.findByRole('navigation', { name: 'Main' }, SLOW)

describe.each([
  ['a guest', nobody],
  ['a free user', (app: LocalApp) => signIn(app, { premium: false })],
  ['a premium user', (app: LocalApp) => signIn(app)],
] as const)('%s', (_who, prepare) => {
  test.each(['/admin', '/admin/users', '/admin/users/7c9e6679', '/admin/audit-log', '/admin/x/y', '/ADMIN/users'])(
    'a user who is no superuser is led from %s to the dashboard, and no admin request is sent',
    async (address) => {
      const app = await open(address, prepare)
      await isAt('/')
      await inShell()
      expect(app.calls).toEqual([])
    },
  )

  test('a user who is no superuser finds no link to the admin panel', async () => {
    await open('/settings', prepare)
    await heading('Settings')
    // By then the link would have been loaded.
    await act(async () => void (await import('../../../src/features/shell/admin-link')))
    expect(link()).toBeNull()
  })
})

test('the Admin Panel link comes last for a superuser, opens the users list, and stays marked on the audit log', async () => {
  const app = await open('/settings', superuser)
  await heading('Settings')
  await screen.findByRole('link', { name: 'Admin Panel' }, SLOW)
  const entries = within(await inShell()).getAllByRole('listitem')
  expect(entries.at(-1)!.textContent).toBe('Admin Panel')
  expect(link()!.getAttribute('aria-current')).toBeNull()
  await userEvent.click(link()!)
  await heading('Users')
  expect(location.pathname).toBe('/admin/users')
  expect(document.title).toBe('Users · Crypto Ratio Tracker')
  expect(document.activeElement).toBe(screen.getByRole('main'))
  expect(link()!.getAttribute('aria-current')).toBe('page')
  await userEvent.click(screen.getByRole('link', { name: 'Audit log' }))
  await heading('Audit log')
  expect(document.title).toBe('Audit log · Crypto Ratio Tracker')
  expect(link()!.getAttribute('aria-current')).toBe('page')
  const asked = app.calls.map(({ route }) => route)
  expect(asked.filter((kind) => kind === 'adminUsers' || kind === 'auditLog')).toEqual(['adminUsers', 'auditLog'])
})

test('a superuser opens the admin panel from the menu drawer of a phone, and the drawer closes', async () => {
  setWidth(360)
  await open('/settings', superuser)
  await userEvent.click(await screen.findByRole('button', { name: 'Open menu' }, SLOW))
  const drawer = within(await screen.findByRole('dialog', { name: 'Menu' }, SLOW))
  await userEvent.click(await drawer.findByRole('link', { name: 'Admin Panel' }, SLOW))
  await heading('Users')
  expect(screen.queryByRole('dialog')).toBeNull()
})

test('a superuser who opens an unknown address below /admin reads that there is no such page', async () => {
  await open('/admin/nonsense', superuser)
  await heading('There is no such page')
  expect(document.title).toBe('Not found · Crypto Ratio Tracker')
})

test('a superuser who loses the right is led from the admin area to the dashboard', async () => {
  const app = await open('/admin/users', superuser)
  await heading('Users')
  await changeUser(app, { is_superuser: false })
  await isAt('/')
  await waitFor(() => expect(link()).toBeNull())
})

test('a superuser who has not accepted the policies sees them first, and no admin request is sent', async () => {
  const app = await open('/admin/users', (one) => signIn(one, { superuser: true, accepted: false }))
  await heading('Before you start')
  expect(app.calls).toEqual([{ route: 'currentPolicies' }])
})

test('the admin area keeps its address while the session is loading', async () => {
  const app = await open('/admin/users', superuser)
  await heading('Users')
  act(() => app.store.set(accountAtom, undefined))
  expect(screen.getByText('Loading session...')).toBeDefined()
  expect(location.pathname).toBe('/admin/users')
})
