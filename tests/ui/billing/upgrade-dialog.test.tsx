import { act, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, expect, test, vi } from 'vitest'
import type { Config } from '../../../src/contract/settings'
import { writeMeta } from '../../../src/db/database'
import { UpgradeDialog } from '../../../src/features/billing/upgrade-dialog'
import { accountAtom } from '../../../src/state/account'
import { openDialog } from '../support/open-dialog'
import { configOf } from '../support/config'
import {
  type LocalApp,
  seedLimit,
  signIn,
  START,
  startLocalApp,
  changeUser,
  noticesOf,
  refused,
} from '../support/local-app'

const PAGE = 'https://checkout.stripe.example/c/pay/cs_1'
const answered = { ok: true, value: { session_id: 'cs_1', url: PAGE } } as const

let assign: ReturnType<typeof vi.spyOn>
beforeEach(() => {
  assign = vi.spyOn(location, 'assign').mockImplementation(() => undefined)
})

type Person = 'guest' | 'free' | 'premium'

async function open(person: Person, billing?: Config['billing']) {
  const app = await startLocalApp()
  if (person === 'guest') await seedLimit(app, 5)
  else await signIn(app, { premium: person === 'premium' })
  if (billing !== undefined) await sell(app, billing)
  await waitFor(() => expect(app.store.get(accountAtom)?.account).toBe(person))
  const onClose = vi.fn()
  const { unmount } = app.render(<UpgradeDialog onClose={onClose} />)
  await screen.findByRole('dialog', { name: 'Upgrade to Premium' })
  return { app, onClose, close: unmount }
}
const sell = (app: LocalApp, billing: Config['billing']) =>
  writeMeta(app.db, 'config', { config: configOf({ billing }), fetched_at: START })

const SOLD = { available: true, sandbox: false }
const MONTHLY = { amount: '5.00', currency: 'USD', interval: 'month', interval_count: 1 }
const row = (name: string) =>
  within(screen.getByRole('row', { name: new RegExp(`^${name}`) }))
    .getAllByRole('cell')
    .map((cell) => cell.textContent)
const buttons = () =>
  within(screen.getByRole('dialog'))
    .getAllByRole('button')
    .map((button) => button.getAttribute('aria-label') ?? button.textContent)
const continues = () => screen.getByRole('button', { name: 'Continue to checkout' })
const toasts = (app: LocalApp) => noticesOf(app).map(({ kind, message }) => [kind, message])

test('the upgrade dialog shows the tiers side by side, with the limits of this server', async () => {
  await open('free', SOLD)
  expect(row('Total widgets')).toEqual(['5', '50'])
  expect(row('Checkpoints per widget')).toEqual(['1', '20'])
  expect(row('Manage lists of checkpoints')).toEqual(['No', 'Yes'])
})

test('the upgrade dialog shows price and period to a guest and a free user, and not to a premium user', async () => {
  for (const person of ['guest', 'free'] as const) {
    const { close } = await open(person, { ...SOLD, price: MONTHLY })
    expect(screen.getByText('$5.00 a month')).toBeDefined()
    expect(screen.getByText('Renews until you cancel')).toBeDefined()
    close()
  }
  await open('premium', { ...SOLD, price: MONTHLY })
  expect(screen.queryByText('$5.00 a month')).toBeNull()
})

test('the upgrade dialog names no price where the server knows none, or in an interval that this version does not know', async () => {
  const { close } = await open('free', SOLD)
  expect(screen.queryByText(/\$|Renews until/)).toBeNull()
  close()
  await open('free', { ...SOLD, price: { ...MONTHLY, interval: 'fortnight' } })
  expect(screen.queryByText(/\$|Renews until/)).toBeNull()
})

test('without a network the upgrade dialog says of which day its price is', async () => {
  vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false)
  await open('free', { ...SOLD, price: MONTHLY })
  expect(screen.getByText('$5.00 a month')).toBeDefined()
  expect(screen.getByText(/^The price on .*21.*; checkout shows the one in force$/)).toBeDefined()
  expect(screen.queryByText('Renews until you cancel')).toBeNull()
})

test('the upgrade dialog names the advanced features, with the limits of this server', async () => {
  await open('free', SOLD)
  expect(screen.getByText(/save up to 20 ratios of a pair as checkpoints/).textContent).toMatch(/^Advanced features:/)
})

test('the upgrade dialog offers a user the checkout, and says where the price is shown and how to cancel', async () => {
  await open('free', SOLD)
  expect(buttons()).toEqual(['Close', 'Not now', 'Continue to checkout'])
  expect(screen.getByRole('status').textContent).toMatch(
    /page of Stripe, which shows the full price .* cancel it in Settings/,
  )
  expect(document.activeElement).toBe(continues())
})

test('the upgrade dialog of a sandbox offers the checkout, and says that nothing is charged', async () => {
  await open('free', { available: true, sandbox: true })
  expect(continues()).toBeDefined()
  expect(screen.getByRole('status').textContent).toMatch(/nothing is charged/)
})

test('the upgrade dialog offers the checkout before the server’s settings are known', async () => {
  await open('free')
  expect(continues()).toBeDefined()
})

test('the upgrade dialog says that payment is unavailable when nothing is sold, and offers only OK', async () => {
  for (const person of ['guest', 'free'] as const) {
    const { onClose, close } = await open(person, { available: false, sandbox: false })
    expect(screen.getByRole('status').textContent).toMatch(/^Payment processing is currently unavailable\./)
    expect(buttons()).toEqual(['Close', 'OK'])
    await userEvent.click(screen.getByRole('button', { name: 'OK' }))
    expect(onClose).toHaveBeenCalledOnce()
    close()
  }
})

test.each([
  ['Create an account', 'register'],
  ['Log In', 'login'],
])('the upgrade dialog offers a guest an account first: %s', async (name, view) => {
  const { app, onClose } = await open('guest', SOLD)
  expect(buttons()).toEqual(['Close', 'Log In', 'Create an account'])
  await userEvent.click(screen.getByRole('button', { name }))
  expect(onClose).toHaveBeenCalledOnce()
  expect(openDialog(app.store, 'auth')).toEqual({ kind: 'auth', view })
})

test('the upgrade dialog offers no checkout to a user who has Premium', async () => {
  await open('premium', SOLD)
  expect(screen.getByRole('status').textContent).toMatch(/^Premium is active/)
  expect(buttons()).toEqual(['Close', 'OK'])
})

test('“Continue to checkout” opens the page that the server names, once for two presses', async () => {
  const { app } = await open('free', SOLD)
  let answer = () => {}
  app.answerCall('createCheckoutSession', () => new Promise((resolve) => (answer = () => resolve(answered))))
  await userEvent.click(continues())
  expect(continues().getAttribute('aria-busy')).toBe('true')
  await userEvent.click(continues())
  expect(app.calls).toEqual([{ route: 'createCheckoutSession' }])
  answer()
  await waitFor(() => expect(assign).toHaveBeenCalledWith(PAGE))
  expect(assign).toHaveBeenCalledOnce()
})

test('the checkout does not open after the upgrade dialog was closed', async () => {
  const { app, close } = await open('free', SOLD)
  let answer = () => {}
  app.answerCall('createCheckoutSession', () => new Promise((resolve) => (answer = () => resolve(answered))))
  await userEvent.click(continues())
  close()
  await act(async () => answer())
  expect(assign).not.toHaveBeenCalled()
})

test.each([
  ['nothing answers', refused(0, null, 'Failed to fetch'), 'Could not connect to the subscription service.'],
  [
    'the server has no provider now',
    refused(503, 'BILLING_UNAVAILABLE', 'Stripe does not answer.'),
    'Payment processing is currently unavailable.',
  ],
  ['the server says no', refused(429, 'RATE_LIMITED', 'Too many tries.'), 'Error: Too many tries.'],
])('the upgrade dialog reports when %s, and the checkout can be tried again', async (_what, problem, sentence) => {
  const { app } = await open('free', SOLD)
  app.answerCall('createCheckoutSession', () => problem)
  await userEvent.click(continues())
  await waitFor(() => expect(toasts(app)).toEqual([['error', sentence]]))
  expect(continues().getAttribute('aria-disabled')).toBeNull()
  expect(app.calls).toEqual([{ route: 'createCheckoutSession' }])
  app.answerCall('createCheckoutSession', () => answered)
  await userEvent.click(continues())
  await waitFor(() => expect(assign).toHaveBeenCalledWith(PAGE))
})

test('a checkout refused because the user has Premium already reloads the account', async () => {
  const { app } = await open('free', SOLD)
  app.answerCall('createCheckoutSession', () => refused(409, 'ALREADY_SUBSCRIBED', 'You have Premium already.'))
  await userEvent.click(continues())
  await waitFor(() => expect(app.calls).toEqual([{ route: 'createCheckoutSession' }, { route: 'me' }]))
  expect(toasts(app)).toEqual([['error', 'Error: You have Premium already.']])
})

/** Leaves the page and shows it again. Dexie closes its channel to other tabs when a kept page is left, and opens one again. */
const comeBack = (persisted: boolean) =>
  act(() => {
    for (const type of ['pagehide', 'pageshow']) window.dispatchEvent(Object.assign(new Event(type), { persisted }))
  })

test('a page restored by the browser’s Back can open the checkout again, and reloads the account', async () => {
  const { app } = await open('free', SOLD)
  app.answerCall('createCheckoutSession', () => answered)
  await userEvent.click(continues())
  await waitFor(() => expect(assign).toHaveBeenCalledOnce())
  expect(continues().getAttribute('aria-busy')).toBe('true')
  comeBack(false)
  expect(continues().getAttribute('aria-busy')).toBe('true')
  comeBack(true)
  expect(continues().getAttribute('aria-busy')).toBeNull()
  expect(app.calls).toEqual([{ route: 'createCheckoutSession' }, { route: 'me' }])
})

test('a second checkout right after the browser’s Back stays busy until its own answer', async () => {
  const { app } = await open('free', SOLD)
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'], shouldAdvanceTime: true })
  app.answerCall('createCheckoutSession', () => answered)
  continues().click()
  await vi.waitFor(() => expect(assign).toHaveBeenCalledOnce())
  comeBack(true)
  app.answerCall('createCheckoutSession', () => new Promise(() => undefined))
  act(() => continues().click())
  await act(() => vi.advanceTimersByTimeAsync(10_000))
  vi.useRealTimers()
  expect(continues().getAttribute('aria-busy')).toBe('true')
})

test('a checkout page that does not open within ten seconds can be tried again', async () => {
  const { app } = await open('free', SOLD)
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'], shouldAdvanceTime: true })
  app.answerCall('createCheckoutSession', () => answered)
  continues().click()
  await vi.waitFor(() => expect(assign).toHaveBeenCalledOnce())
  await act(() => vi.advanceTimersByTimeAsync(10_000))
  vi.useRealTimers()
  expect(continues().getAttribute('aria-busy')).toBeNull()
})

test('the upgrade dialog withdraws the checkout when the server stops selling while the dialog is open', async () => {
  const { app } = await open('free', SOLD)
  await sell(app, { available: false, sandbox: false })
  await waitFor(() => expect(buttons()).toEqual(['Close', 'OK']))
})

test('the upgrade dialog moves the focus to OK when Premium arrives while the dialog is open', async () => {
  const { app } = await open('free', SOLD)
  await waitFor(() => expect(document.activeElement).toBe(continues()))
  await changeUser(app, { has_premium_access: true })
  const ok = await screen.findByRole('button', { name: 'OK' })
  await waitFor(() => expect(document.activeElement).toBe(ok))
})
