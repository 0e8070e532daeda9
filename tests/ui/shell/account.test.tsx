import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, expect, test } from 'vitest'
import { Shell } from '../../../src/features/shell/shell'
import { openDialog } from '../support/open-dialog'
import { seedLimit, signIn, startLocalApp, type LocalApp } from '../support/local-app'
import { setWidth } from '../support/viewport'
import { SLOW } from '../support/slow'

// The first import of a lazy part compiles it.
const EMAIL = 'ada@example.com'

beforeEach(() => history.replaceState(null, '', '/'))

const shell = (
  <Shell>
    <p>content</p>
  </Shell>
)
async function start(width: number, seed?: (app: LocalApp) => Promise<unknown>): Promise<LocalApp> {
  setWidth(width)
  const app = await startLocalApp()
  await seed?.(app)
  app.render(shell)
  return app
}
const click = (name: string) => userEvent.click(screen.getByRole('button', { name }))

test('a guest can log in or register from the sidebar', async () => {
  const app = await start(1440)
  await screen.findByRole('button', { name: 'Login' })
  await click('Login')
  expect(openDialog(app.store, 'auth')).toEqual({ kind: 'auth', view: 'login' })
  await click('Register')
  expect(openDialog(app.store, 'auth')).toEqual({ kind: 'auth', view: 'register' })
  expect(screen.queryByRole('button', { name: 'Logout' })).toBeNull()
})

test.each([
  [true, 'Premium'],
  [false, 'Free Tier'],
])('the sidebar shows a user the e-mail address, the tier and the logout (premium: %s)', async (premium, tier) => {
  const app = await start(1440, (one) => signIn(one, { premium }))
  expect(await screen.findByText(EMAIL)).toBeDefined()
  expect(screen.getByText(tier)).toBeDefined()
  expect(screen.queryByRole('button', { name: 'Login' })).toBeNull()
  await click('Logout')
  expect(openDialog(app.store, 'log-out')).toBeDefined()
})

test('the open sidebar shows the address of a user as soon as the session is stored', async () => {
  const app = await start(1440)
  await screen.findByRole('button', { name: 'Login' })
  await signIn(app)
  expect(await screen.findByText(EMAIL)).toBeDefined()
})

test('the sidebar opens the terms, the privacy policy and the feedback with one click each', async () => {
  const app = await start(1440)
  const legal = within(within(screen.getByRole('banner')).getByRole('list', { name: 'Legal' }))
  await userEvent.click(legal.getByRole('button', { name: 'Terms of Use' }))
  expect(openDialog(app.store, 'policy')).toEqual({ kind: 'policy', policy: 'terms' })
  await userEvent.click(legal.getByRole('button', { name: 'Privacy Policy' }))
  expect(openDialog(app.store, 'policy')).toEqual({ kind: 'policy', policy: 'privacy' })
  await click('Feedback')
  expect(openDialog(app.store, 'feedback')).toBeDefined()
})

const sentence = 'Unlock 50 total widgets and advanced features!'

test.each(['guest', 'free'])('the upgrade banner tells a %s user what Premium adds and opens it', async (who) => {
  const app = await start(1440)
  await signIn(app, { premium: false })
  if (who === 'guest') await app.db.session.update('current', { owner: 'anon-1' as never, tokens: null, user: null })
  expect(await screen.findByText(sentence)).toBeDefined()
  await click('Upgrade')
  expect(openDialog(app.store, 'upgrade')).toBeDefined()
})

test('the upgrade banner leaves premium users alone, and waits until the number of widgets is known', async () => {
  const app = await start(1440, signIn)
  expect(await screen.findByText(EMAIL)).toBeDefined()
  expect(screen.queryByText(/^Unlock/)).toBeNull()

  await app.db.meta.delete('tier_limits')
  await app.db.session.update('current', { owner: 'anon-1' as never, tokens: null, user: null })
  await screen.findByRole('button', { name: 'Login' })
  expect(screen.queryByText(/^Unlock/)).toBeNull()
  await seedLimit(app, 7)
  expect(await screen.findByText('Unlock 7 total widgets and advanced features!')).toBeDefined()
})

test('the drawer on a phone has the account actions, and closes when an action opens its dialog', async () => {
  const app = await start(360)
  await click('Open menu')
  const drawer = within(await screen.findByRole('dialog', { name: 'Menu' }, SLOW))
  await userEvent.click(await drawer.findByRole('button', { name: 'Register' }, SLOW))
  expect(openDialog(app.store, 'auth')).toEqual({ kind: 'auth', view: 'register' })
  expect(screen.queryByRole('dialog')).toBeNull()

  await click('Open menu')
  const again = within(await screen.findByRole('dialog', { name: 'Menu' }, SLOW))
  await userEvent.click(await again.findByRole('button', { name: 'Feedback' }, SLOW))
  expect(openDialog(app.store, 'feedback')).toBeDefined()
  expect(screen.queryByRole('dialog')).toBeNull()
})

test('the Account button on a phone opens a sheet with the user’s address and the logout', async () => {
  const app = await start(360, signIn)
  await click('Account')
  const sheet = within(await screen.findByRole('dialog', { name: 'Account' }, SLOW))
  expect(sheet.getByText(EMAIL)).toBeDefined()
  await userEvent.click(await sheet.findByRole('button', { name: 'Logout' }, SLOW))
  expect(openDialog(app.store, 'log-out')).toBeDefined()
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
})

test.each([360, 820, 1440])('the footer at a width of %i px opens the terms and the privacy policy', async (width) => {
  const app = await start(width)
  const footer = within(screen.getByRole('contentinfo'))
  await userEvent.click(footer.getByRole('button', { name: 'Terms of Use' }))
  expect(openDialog(app.store, 'policy')).toEqual({ kind: 'policy', policy: 'terms' })
  await userEvent.click(footer.getByRole('button', { name: 'Privacy Policy' }))
  expect(openDialog(app.store, 'policy')).toEqual({ kind: 'policy', policy: 'privacy' })
})
