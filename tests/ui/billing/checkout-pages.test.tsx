import { act, screen, waitFor } from '@testing-library/react'
import { beforeEach, expect, test, vi } from 'vitest'
import { changeOwnerSyncState } from '../../../src/db/owner-sync-state'
import type { CallResult } from '../../../src/db/call'
import { CheckoutCanceledPage, CheckoutSuccessPage } from '../../../src/features/billing/checkout-pages'
import { accountAtom } from '../../../src/state/account'
import { type LocalApp, signIn, startLocalApp, changeUser } from '../support/local-app'

/** Milliseconds after which the confirmation counts as late. */
const LATE_AFTER = 120_000
const FREE: CallResult = { ok: true, value: null }
const UNANSWERED: CallResult = { ok: false, status: 0, error_code: null, message: 'Failed to fetch' }

const wayBack = () => screen.getByRole<HTMLAnchorElement>('link', { name: 'Go to the dashboard' }).pathname
const says = (words: string) => vi.waitFor(() => expect(screen.getByRole('status').textContent).toContain(words))

let online = true
let visible: DocumentVisibilityState = 'visible'
const turn = (event: 'online' | 'offline' | 'visibilitychange') =>
  act(() => void (event === 'visibilitychange' ? document : window).dispatchEvent(new Event(event)))
beforeEach(() => {
  online = true
  visible = 'visible'
  vi.spyOn(navigator, 'onLine', 'get').mockImplementation(() => online)
  vi.spyOn(document, 'visibilityState', 'get').mockImplementation(() => visible)
})

/** The server's next answers about the account; Premium is written as the engine would. */
function answer(app: LocalApp, what: 'free' | 'premium' | 'nothing') {
  app.answerCalls(async () => {
    if (what === 'nothing') return UNANSWERED
    if (what === 'premium') {
      await changeUser(app, { has_premium_access: true })
    }
    return FREE
  })
}

async function paid() {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'], shouldAdvanceTime: true })
  const app = await startLocalApp()
  await signIn(app, { premium: false })
  app.render(<CheckoutSuccessPage />)
  await says('Confirming your payment…')
  await vi.waitFor(() => expect(app.calls).toEqual([{ route: 'me' }]))
  return app
}
const pass = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms))

test('the checkout success page thanks and links to the dashboard before the session is known', async () => {
  const app = await startLocalApp()
  app.render(<CheckoutSuccessPage />)
  expect(screen.getByRole('heading', { name: 'Thank you!' })).toBeDefined()
  expect(wayBack()).toBe('/')
})

test('the checkout success page shows Premium once the server knows of the payment, and then stops asking', async () => {
  const app = await paid()
  answer(app, 'premium')
  await pass(2_000)
  await says('Premium is active')
  expect(screen.getByRole('status').textContent).toContain('50 pairs now, with 20 checkpoints each')
  expect(wayBack()).toBe('/')
  await pass(60_000)
  expect(app.calls).toHaveLength(2)
})

test('the checkout success page asks ever less often, says when it takes long, and asks again on a click', async () => {
  const app = await paid()
  await pass(9_000)
  expect(app.calls).toHaveLength(4)
  await pass(LATE_AFTER)
  await says('Still waiting for the confirmation')
  const asked = app.calls.length
  expect(asked).toBeGreaterThan(24)
  expect(asked).toBeLessThan(32)
  await pass(60_000)
  expect(app.calls).toHaveLength(asked)
  answer(app, 'premium')
  act(() => screen.getByRole('button', { name: 'Ask again' }).click())
  await says('Premium is active')
  expect(app.calls).toHaveLength(asked + 1)
})

test('the checkout success page asks for as long again after “Ask again”', async () => {
  const app = await paid()
  await pass(2 * LATE_AFTER)
  await says('Still waiting')
  const asked = app.calls.length
  act(() => screen.getByRole('button', { name: 'Ask again' }).click())
  await pass(LATE_AFTER / 2)
  expect(app.calls.length).toBeGreaterThan(asked + 10)
  expect(screen.queryByText(/Still waiting/)).toBeNull()
  await pass(LATE_AFTER)
  await says('Still waiting')
})

test('the checkout success page shows Premium that arrives after the page has stopped asking', async () => {
  const app = await paid()
  await pass(2 * LATE_AFTER)
  await says('Still waiting')
  await changeUser(app, { has_premium_access: true })
  await says('Premium is active')
})

test('the checkout success page says that there is no connection, and asks at once when the browser is online', async () => {
  const app = await paid()
  online = false
  turn('offline')
  await says('The server could not be reached')
  await pass(60_000)
  expect(app.calls).toHaveLength(1)
  answer(app, 'premium')
  online = true
  turn('online')
  await says('Premium is active')
  expect(app.calls).toHaveLength(2)
})

test('the checkout success page says that the server is unreachable, and goes on asking', async () => {
  const app = await paid()
  answer(app, 'nothing')
  await pass(2_100)
  await says('The server could not be reached')
  answer(app, 'free')
  await pass(5_000)
  await says('Confirming your payment…')
})

test('the checkout success page asks an unreachable server for minutes, and shows Premium once the server answers', async () => {
  const app = await paid()
  answer(app, 'nothing')
  await pass(2 * LATE_AFTER)
  await says('The server could not be reached')
  answer(app, 'premium')
  await pass(6_000)
  await says('Premium is active')
})

test('the checkout success page keeps the keyboard focus within the page after “Ask again”', async () => {
  const app = await paid()
  await pass(2 * LATE_AFTER)
  await says('Still waiting')
  answer(app, 'free')
  const button = screen.getByRole('button', { name: 'Ask again' })
  button.focus()
  act(() => button.click())
  await says('Confirming your payment…')
  expect(document.activeElement).not.toBe(document.body)
})

test('the checkout success page asks nothing while the tab is hidden, and asks once the tab is visible', async () => {
  const app = await paid()
  visible = 'hidden'
  turn('visibilitychange')
  await pass(60_000)
  expect(app.calls).toHaveLength(1)
  visible = 'visible'
  turn('visibilitychange')
  await vi.waitFor(() => expect(app.calls).toHaveLength(2))
})

test('the checkout success page asks nothing once the user has left it', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'], shouldAdvanceTime: true })
  const app = await startLocalApp()
  await signIn(app, { premium: false })
  const { unmount } = app.render(<CheckoutSuccessPage />)
  await vi.waitFor(() => expect(app.calls).toHaveLength(1))
  unmount()
  await pass(60_000)
  expect(app.calls).toHaveLength(1)
})

test('the checkout success page asks once for a user who had Premium before', async () => {
  const app = await startLocalApp()
  await signIn(app)
  app.render(<CheckoutSuccessPage />)
  await says('Premium is active')
  await waitFor(() => expect(app.calls).toEqual([{ route: 'me' }]))
})

test.each([
  ['is nobody here any more', async () => undefined],
  [
    'whose session has ended',
    async (app: LocalApp) => {
      const owner = await signIn(app, { premium: false })
      await app.db.transaction('rw', app.db.owners, () => changeOwnerSyncState(app.db, owner, { paused: true }))
      await waitFor(() => expect(app.store.get(accountAtom)?.expired).toBe(true))
    },
  ],
])('on the checkout success page, a user who has paid and %s is asked to log in', async (_what, leave) => {
  const app = await startLocalApp()
  await leave(app)
  app.render(<CheckoutSuccessPage />)
  await says('Log in with the account that you have paid for')
  expect(screen.getByRole<HTMLAnchorElement>('link', { name: 'Log In' }).pathname).toBe('/login')
  expect(wayBack()).toBe('/')
  expect(app.calls).toEqual([])
})

test('the checkout canceled page says that the user was not charged', async () => {
  const app = await startLocalApp()
  app.render(<CheckoutCanceledPage />)
  expect(screen.getByText('Your subscription was canceled. You were not charged.')).toBeDefined()
  expect(app.calls).toEqual([])
  expect(wayBack()).toBe('/')
})
