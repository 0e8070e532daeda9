import { act, fireEvent, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import type { AdminProfile } from '../../../src/contract/admin'
import { setWidth } from '../support/viewport'
import { asked, at, heading, isAt, later, openAdmin, profile, UNANSWERED } from './office'
import { SLOW } from '../support/slow'
import { goTo } from '../support/go-to'
import { refused } from '../support/local-app'

beforeEach(() => setWidth(1440))

const many = (count: number): AdminProfile[] =>
  Array.from({ length: count }, (_, index) => profile(`user-${index + 1}@example.com`))
const list = async () => within(await screen.findByRole('list', { name: 'Users' }, SLOW))
const emails = async () => (await list()).getAllByRole('link').map((link) => link.textContent)
const field = () => screen.getByRole<HTMLInputElement>('searchbox', { name: 'Search users' })
const button = (name: string) => screen.getByRole('button', { name })
const isOff = (name: string) => button(name).getAttribute('aria-disabled') === 'true'

test('the users list shows each account’s address, tier and unusual states, and links to the account', async () => {
  const ada = profile('ada@example.com', { has_premium_access: true, is_superuser: true, last_login_at: at(0) })
  const bob = profile('bob@example.com', { email_verified: false, is_active: false, deletion_scheduled_at: at(-1) })
  await openAdmin('/admin/users', { users: [ada, bob] })
  const rows = (await list()).getAllByRole('listitem').map(({ textContent }) => textContent)
  expect(rows[0]).toMatch(/^ada@example\.comSuperuserPremiumLast login .*21.*Joined .*2026$/)
  expect(rows[1]).toMatch(/^bob@example\.comNot verifiedDisabledTo be deletedFree TierLast login neverJoined /)
  expect(screen.getByRole('status').textContent).toBe('2 users')
  expect(screen.queryByRole('button', { name: 'Next page' })).toBeNull()

  await userEvent.click(screen.getByRole('link', { name: 'bob@example.com' }))
  await heading('bob@example.com')
  isAt(`/admin/users/${bob.id}`)
  expect(history.state).toEqual({ from: '/admin/users' })
})

test('the users list shows an address that contains markup as plain text', async () => {
  await openAdmin('/admin/users', { users: [profile('<img src=x>@example.com')] })
  expect(await emails()).toEqual(['<img src=x>@example.com'])
  expect(screen.getByRole('main').querySelector('img')).toBeNull()
})

test('the users list shows twenty placeholder rows while it loads', async () => {
  const app = await openAdmin('/settings')
  const answers = later(app, 'adminUsers', () => ({ ok: true, value: { rows: many(1), total: 1 } }))
  await userEvent.click(await screen.findByRole('link', { name: 'Admin Panel' }, SLOW))
  await heading('Users')
  const waiting = (await screen.findByText('Loading users')).parentElement!
  expect(waiting.getAttribute('aria-busy')).toBe('true')
  expect(waiting.querySelector('[aria-hidden]:last-child')?.children).toHaveLength(20)
  act(() => answers[0]?.())
  expect(await emails()).toEqual(['user-1@example.com'])
})

test('the users list is paged by buttons, keeps the page in the address, and follows the browser’s Back', async () => {
  const scrollTo = vi.spyOn(window, 'scrollTo')
  const app = await openAdmin('/admin/users', { users: many(45) })
  expect(await emails()).toHaveLength(20)
  expect(screen.getByText('1–20 of 45 users')).toBeDefined()
  expect(isOff('Previous page')).toBe(true)
  await userEvent.click(button('Previous page'))
  isAt('/admin/users')

  scrollTo.mockClear()
  await userEvent.click(button('Next page'))
  isAt('/admin/users?page=2')
  await waitFor(async () => expect((await emails())[0]).toBe('user-21@example.com'))
  expect(screen.getByText('21–40 of 45 users')).toBeDefined()
  expect(scrollTo).toHaveBeenCalledWith(0, 0)
  expect(document.activeElement).toBe(button('Next page'))

  await userEvent.keyboard('{Enter}')
  await waitFor(async () => expect(await emails()).toHaveLength(5))
  expect(screen.getByText('41–45 of 45 users')).toBeDefined()
  expect(isOff('Next page')).toBe(true)
  await userEvent.keyboard('{Enter}')
  isAt('/admin/users?page=3')

  goTo('/admin/users?page=2')
  await waitFor(async () => expect((await emails())[0]).toBe('user-21@example.com'))
  expect(asked(app, 'adminUsers').map(({ skip }) => skip)).toEqual([0, 20, 40, 20])
})

test('a page number behind the last page of the users list leads to the last page', async () => {
  await openAdmin('/admin/users?search=user&page=7', { users: many(21) })
  await waitFor(() => isAt('/admin/users?search=user&page=2'), SLOW)
  await waitFor(async () => expect(await emails()).toEqual(['user-21@example.com']))
})

test('the users list drops an answer that arrives after the answer to a later request', async () => {
  const app = await openAdmin('/admin/users', { users: many(60) })
  await list()
  const answers = later(app, 'adminUsers', ({ skip = 0 }) => ({
    ok: true,
    value: { rows: many(60).slice(skip, skip + 20), total: 60 },
  }))
  await userEvent.click(button('Next page'))
  await userEvent.click(button('Next page'))
  expect(screen.getByRole('region', { name: 'Accounts' }).getAttribute('aria-busy')).toBe('true')
  await act(async () => answers[1]?.())
  await waitFor(async () => expect((await emails())[0]).toBe('user-41@example.com'))
  await act(async () => answers[0]?.())
  expect((await emails())[0]).toBe('user-41@example.com')
  expect(screen.getByRole('region', { name: 'Accounts' }).getAttribute('aria-busy')).toBeNull()
})

test('the user search starts half a second after the last key, on page 1, and adds no history entry', async () => {
  const app = await openAdmin('/admin/users?page=2', { users: [...many(30), profile('ada@example.com')] })
  await list()
  const before = history.length
  act(() => field().focus())
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  fireEvent.change(field(), { target: { value: 'ad' } })
  act(() => void vi.advanceTimersByTime(499))
  fireEvent.change(field(), { target: { value: 'ada' } })
  act(() => void vi.advanceTimersByTime(499))
  isAt('/admin/users?page=2')
  expect(field().value).toBe('ada')
  act(() => void vi.advanceTimersByTime(1))
  isAt('/admin/users?search=ada')
  vi.useRealTimers()
  await waitFor(async () => expect(await emails()).toEqual(['ada@example.com']))
  expect(asked(app, 'adminUsers').map(({ search }) => search)).toEqual([undefined, 'ada'])
  expect(history.length).toBe(before)
  expect(document.activeElement).toBe(field())
})

test('Enter starts the user search at once, without the white space around the term', async () => {
  const app = await openAdmin('/admin/users', { users: many(3) })
  await list()
  await userEvent.type(field(), ' user-3 {Enter}')
  await waitFor(async () => expect(await emails()).toEqual(['user-3@example.com']))
  expect(asked(app, 'adminUsers').at(-1)).toEqual({ route: 'adminUsers', search: 'user-3', skip: 0 })
})

test('the user search field follows the address on Back, and “Clear search” empties it', async () => {
  await openAdmin('/admin/users?search=user-2', { users: many(3) })
  expect(await emails()).toEqual(['user-2@example.com'])
  expect(field().value).toBe('user-2')
  goTo('/admin/users?search=user-1')
  expect(field().value).toBe('user-1')
  await waitFor(async () => expect(await emails()).toEqual(['user-1@example.com']))
  await userEvent.click(button('Clear search'))
  expect(document.activeElement).toBe(field())
  await waitFor(async () => expect(await emails()).toHaveLength(3))
  isAt('/admin/users')
})

test('a user search without a match says so, and “Show all users” lists all accounts', async () => {
  await openAdmin('/admin/users?search=%3Cb%3E%25_', { users: many(2) })
  expect((await screen.findByText('Nobody matches “<b>%_”', {}, SLOW)).closest('[role=status]')).not.toBeNull()
  await userEvent.click(button('Show all users'))
  expect(await emails()).toHaveLength(2)
})

test('the users list shows why it could not be fetched, and “Try again” loads the accounts', async () => {
  const app = await openAdmin('/settings', { users: many(1) })
  app.answerCall('adminUsers', () => refused(500, 'INTERNAL_ERROR', 'Something went wrong.'))
  await userEvent.click(await screen.findByRole('link', { name: 'Admin Panel' }, SLOW))
  const alert = await screen.findByRole('alert', {}, SLOW)
  expect(alert.textContent).toBe('Failed to fetch users.Something went wrong.')
  app.answerCall('adminUsers', () => ({ ok: true, value: { rows: many(1), total: 1 } }))
  await userEvent.click(button('Try again'))
  expect(await emails()).toEqual(['user-1@example.com'])
  expect(screen.queryByRole('alert')).toBeNull()
})

test('a 403 answer to the users list makes the page reload the operator’s own account', async () => {
  const app = await openAdmin('/settings')
  app.answerCall('adminUsers', () => refused(403, 'FORBIDDEN', 'Only for superusers.'))
  await userEvent.click(await screen.findByRole('link', { name: 'Admin Panel' }, SLOW))
  await waitFor(() => expect(app.calls).toContainEqual({ route: 'me' }), SLOW)
})

test('the users list opened offline says that it needs the network, and loads once the browser is online', async () => {
  const online = vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false)
  const app = await openAdmin('/settings')
  app.answerCall('adminUsers', () => UNANSWERED)
  await userEvent.click(await screen.findByRole('link', { name: 'Admin Panel' }, SLOW))
  const alert = await screen.findByRole('alert', {}, SLOW)
  expect(alert.textContent).toMatch(/^Failed to fetch users\.You are offline\. The admin area needs a connection/)
  expect(screen.queryByRole('button', { name: 'Try again' })).toBeNull()
  app.answerCall('adminUsers', () => ({ ok: true, value: { rows: many(1), total: 1 } }))
  online.mockReturnValue(true)
  act(() => void window.dispatchEvent(new Event('online')))
  expect(await emails()).toEqual(['user-1@example.com'])
})

test('the users list stays on screen when the browser goes offline, with the time of its data', async () => {
  await openAdmin('/admin/users', { users: many(21) })
  await list()
  vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false)
  act(() => void window.dispatchEvent(new Event('offline')))
  expect(screen.getByText(/^You are offline\. This is as of \d\d:\d\d\./)).toBeDefined()
  expect(await emails()).toHaveLength(20)
  expect(isOff('Next page')).toBe(true)
  await userEvent.click(button('Next page'))
  isAt('/admin/users')
})

test('the local database stores no account of the users list except the operator’s own', async () => {
  const app = await openAdmin('/admin/users', { users: many(3) })
  await list()
  const stored = await Promise.all(app.db.tables.map((table) => table.toArray()))
  expect(JSON.stringify(stored)).toContain('ada@example.com')
  expect(JSON.stringify(stored)).not.toContain('user-1@example.com')
})

describe('focus in the users list', () => {
  const list = () => screen.getByRole('region', { name: 'Accounts' })

  test('the focus moves to the users list after “Try again” has loaded it', async () => {
    const app = await openAdmin('/admin/users')
    app.answerCall('adminUsers', () => refused(500, null, 'It broke.'))
    await userEvent.type(await screen.findByRole('searchbox', {}, SLOW), 'grace{Enter}')
    const again = await screen.findByRole('button', { name: 'Try again' })
    app.answerCall('adminUsers', () => ({
      ok: true,
      value: { rows: [profile('grace@example.com')], total: 1 },
    }))
    await userEvent.click(again)
    await screen.findByText('grace@example.com')
    await waitFor(() => expect(document.activeElement).toBe(list()))
  })

  test('the focus moves to the users list after “Show all users” has loaded it', async () => {
    await openAdmin('/admin/users?search=nobody', { users: [profile('grace@example.com')] })
    await userEvent.click(await screen.findByRole('button', { name: 'Show all users' }, SLOW))
    await screen.findByText('grace@example.com')
    await waitFor(() => expect(document.activeElement).toBe(list()))
  })
})
