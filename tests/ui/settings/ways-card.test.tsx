import { act, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, expect, test, vi } from 'vitest'
import type { Channel } from '../../../src/contract/channels'
import { writeMeta } from '../../../src/db/database'
import { WaysCard } from '../../../src/features/settings/ways-card'
import { formatClock } from '../../../src/domain/format-time'
import { DAY, HOUR, MINUTE } from '../../../src/domain/granularity'
import { fill } from '../auth/open-auth'
import { configOf } from '../support/config'
import { changeUser, type LocalApp, noticesOf, refused, signIn, START, startLocalApp } from '../support/local-app'

afterEach(() => vi.useRealTimers())

const ago = (ms: number) => new Date(START - ms).toISOString()
const clock = (ms: number) => formatClock(START - ms)
const way = (change: Partial<Channel>): Channel => ({
  id: crypto.randomUUID(),
  kind: 'webhook',
  name: 'hooks.example',
  preset: 'json',
  state: 'on',
  failing_since: null,
  last_success_at: null,
  last_failure: null,
  ...change,
})
const chat = (change: Partial<Channel> = {}): Channel => {
  const { preset: _, ...rest } = way({ kind: 'telegram', name: 'Ada (@ada)', ...change })
  return rest
}
const failure = (reason: string, ms = 0) => ({ at: ago(ms), reason })

/** The card of a guest, or of a user, whose server has these ways and changes them as asked. */
async function open(ways: readonly Channel[] = [], { features = ['ways', 'telegram'], user = false } = {}) {
  const app = await startLocalApp()
  await writeMeta(app.db, 'config', { config: configOf({ alert_features: features }), fetched_at: START })
  if (user) await signIn(app)
  const kept = { ways }
  app.answerCall('listChannels', () => ({ ok: true, value: kept.ways }))
  app.answerCall('updateChannel', ({ id, state = 'on' }) => {
    kept.ways = kept.ways.map((one) => (one.id === id ? { ...one, state } : one))
    return { ok: true, value: kept.ways.find((one) => one.id === id)! }
  })
  app.answerCall('deleteChannel', ({ id }) => {
    kept.ways = kept.ways.filter((one) => one.id !== id)
    return { ok: true, value: null }
  })
  app.render(<WaysCard />)
  await screen.findByRole('button', { name: 'Add a way' })
  return { app, kept }
}
const rows = () => screen.queryAllByRole('listitem')
const button = (name: string) => screen.getByRole('button', { name })
const press = (name: string) => userEvent.click(button(name))
const toasts = (app: LocalApp) => noticesOf(app).map(({ kind, message }) => [kind, message])
const called = (app: LocalApp, route: string) => app.calls.filter((call) => call.route === route)
const inDialog = (name: string) => within(screen.getByRole('dialog', { name }))

test.each<readonly [string, Channel]>([
  ['On, nothing sent yet', way({})],
  [`On. Failed ${clock(0)}: the receiver answered 500`, way({ last_failure: failure('answered 500') })],
  [`Last message ${clock(0)}`, way({ last_success_at: ago(0) })],
  [
    `Last message ${clock(2 * MINUTE)}. Failed ${clock(0)}: the receiver answered 500`,
    way({ last_success_at: ago(2 * MINUTE), last_failure: failure('answered 500') }),
  ],
  [
    `Failing since Thursday ${clock(2 * DAY)}: nothing answered in time`,
    way({ state: 'failing', failing_since: ago(2 * DAY), last_failure: failure('TIMEOUT') }),
  ],
  ['Ended: the receiver wants nothing more (410)', way({ state: 'ended', last_failure: failure('answered 410') })],
  ['Ended: the chat has blocked the bot', chat({ state: 'ended', last_failure: failure('blocked') })],
  ['Off', way({ state: 'off' })],
  [
    `Off, after failing since ${clock(HOUR)}: its address is not on the public internet`,
    way({ state: 'off', failing_since: ago(HOUR), last_failure: failure('NOT_PUBLIC') }),
  ],
  [
    `Failing since ${clock(HOUR)}: the message was not taken (EPROTO)`,
    way({ state: 'failing', failing_since: ago(HOUR), last_failure: failure('EPROTO') }),
  ],
])('a way to be reached says: %s', async (sentence, one) => {
  await open([one])
  expect(within(rows()[0]!).getByText(sentence)).toBeDefined()
})

test('the card of ways lists each with its kind, and has one switch for each', async () => {
  await open([way({ preset: 'ntfy' }), chat({ state: 'failing', failing_since: ago(HOUR) })])
  expect(rows().map((row) => row.querySelector('p')?.textContent)).toEqual([
    'hooks.example Webhook, ntfy',
    'Ada (@ada) Telegram',
  ])
  expect(screen.getAllByRole('switch').map((one) => one.getAttribute('aria-checked'))).toEqual(['true', 'true'])
})

test('a switch of a way shows what the server has answered, and a refusal leaves it as it is', async () => {
  const { app } = await open([way({})])
  const toggle = () => screen.getByRole('switch', { name: 'Alerts by hooks.example' })
  await userEvent.click(toggle())
  await waitFor(() => expect(toggle().getAttribute('aria-checked')).toBe('false'))
  app.answerCall('updateChannel', () => refused(429, 'RATE_LIMITED', 'Too many requests.'))
  await userEvent.click(toggle())
  await waitFor(() => expect(toasts(app)).toEqual([['error', 'It could not be switched on. Too many requests.']]))
  expect(toggle().getAttribute('aria-checked')).toBe('false')
})

test('a webhook is added with its preset and token, and its secret is shown once and copied', async () => {
  const { app, kept } = await open()
  app.answerCall('createChannel', () => {
    const made = way({ preset: 'ntfy', name: 'ntfy.sh' })
    kept.ways = [made]
    return { ok: true, value: { ...made, secret: 'whsec_abc' } }
  })
  const user = userEvent.setup()
  await press('Add a way')
  await userEvent.selectOptions(screen.getByRole('combobox', { name: 'Written for' }), 'ntfy')
  await fill('Address', 'https://ntfy.sh/')
  await fill('Access token', 'tk_1')
  await press('Add')
  expect((await screen.findByRole('alert')).textContent).toMatch(/ends with the topic/)
  await fill('Address', 'my-topic')
  await press('Add')
  expect((await screen.findByRole('dialog', { name: 'Signing secret' })).textContent).toMatch(/It is not shown again/)
  expect(called(app, 'createChannel')).toEqual([
    { route: 'createChannel', kind: 'webhook', url: 'https://ntfy.sh/my-topic', preset: 'ntfy', bearer: 'tk_1' },
  ])
  await user.click(inDialog('Signing secret').getByRole('button', { name: 'Copy' }))
  expect(await navigator.clipboard.readText()).toBe('whsec_abc')
  await press('I have kept it')
  await waitFor(() => expect(rows()).toHaveLength(1))
  expect(screen.queryByText('whsec_abc')).toBeNull()
})

test('a refused address is told at its field in the server’s words, and nothing is listed as added', async () => {
  const { app } = await open()
  const words = 'No server on the public internet was found at this address.'
  app.answerCall('createChannel', () => refused(422, 'WEBHOOK_ADDRESS_REFUSED', words))
  await press('Add a way')
  await fill('Address', 'not an address')
  await press('Add')
  expect((await screen.findByRole('alert')).textContent).toMatch(/^Give the whole address/)
  await userEvent.clear(screen.getByLabelText('Address'))
  await fill('Address', 'https://10.0.0.1/hook')
  await press('Add')
  await waitFor(() => expect(screen.getByRole('alert').textContent).toBe(words))
  expect(document.activeElement).toBe(screen.getByLabelText('Address'))
  expect(rows()).toEqual([])
})

test('email is offered to a verified account that has none, and is added without a secret', async () => {
  const { app, kept } = await open([], { user: true })
  app.answerCall('createChannel', () => {
    const { preset: _, ...made } = way({ kind: 'email', name: 'ada@example.com' })
    kept.ways = [made]
    return { ok: true, value: made }
  })
  await press('Add a way')
  await userEvent.selectOptions(screen.getByRole('combobox', { name: 'Kind' }), 'Email')
  expect(screen.getByText(/mailed to ada@example.com/)).toBeDefined()
  await press('Add')
  await waitFor(() => expect(rows()).toHaveLength(1))
  expect(called(app, 'createChannel')).toEqual([{ route: 'createChannel', kind: 'email' }])
  await press('Add a way')
  expect(screen.queryByRole('option', { name: 'Email' })).toBeNull()
  expect(screen.getByRole('option', { name: 'Telegram' })).toBeDefined()
})

test.each([
  ['a guest', { user: false }, ['Webhook', 'Telegram']],
  ['a user whose address is not verified', { user: true }, ['Webhook', 'Telegram']],
  ['a guest of a server without a bot', { user: false, features: ['ways'] }, ['Webhook']],
])('%s is offered no way that the server would refuse', async (_who, options, kinds) => {
  const { app } = await open([], options)
  if (options.user) await changeUser(app, { email_verified: false })
  await press('Add a way')
  const choice = within(screen.getByRole('combobox', { name: 'Kind' }))
  const offered = () => choice.getAllByRole('option').map(({ textContent }) => textContent)
  await waitFor(() => expect(offered()).toEqual(kinds))
})

test('a chat is linked by a link, named once it has been opened, and used after its owner has confirmed it', async () => {
  const { app, kept } = await open()
  const made = chat({ name: null, state: 'off' })
  app.answerCall('createChannel', () => {
    kept.ways = [made]
    return { ok: true, value: { ...made, link: 'https://t.me/bot?start=code' } }
  })
  await press('Add a way')
  await userEvent.selectOptions(screen.getByRole('combobox', { name: 'Kind' }), 'Telegram')
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  await press('Add')
  const link = await screen.findByRole('link', { name: 'Open Telegram' })
  expect(link.getAttribute('href')).toBe('https://t.me/bot?start=code')
  expect(screen.queryByRole('switch'), 'nothing is on yet').toBeNull()
  kept.ways = [{ ...made, name: 'Ada (@ada)' }]
  act(() => void vi.advanceTimersByTime(3_000))
  expect(await screen.findByText(/Is it yours\?/)).toBeDefined()
  expect(called(app, 'updateChannel')).toEqual([])
  await press('Use this chat')
  await waitFor(() => expect(screen.getByRole('switch').getAttribute('aria-checked')).toBe('true'))
  expect(called(app, 'updateChannel')).toEqual([{ route: 'updateChannel', id: made.id, state: 'on' }])
})

test('a chat whose link this page does not have can only be removed', async () => {
  await open([chat({ name: null, state: 'off' })])
  expect(screen.getByText(/^No chat has opened the link/)).toBeDefined()
  expect(
    within(rows()[0]!)
      .getAllByRole('button')
      .map(({ textContent }) => textContent),
  ).toEqual(['Remove'])
})

test.each([
  ['success', 'The test has arrived at hooks.example.', { last_success_at: ago(0) }],
  [
    'error',
    'The test did not arrive at hooks.example: the receiver answered with a redirect (302), which is not followed.',
    { last_success_at: ago(HOUR), last_failure: failure('answered 302') },
  ],
])('a test of a way tells its %s', async (kind, message, outcome) => {
  const one = way({})
  const { app } = await open([one])
  app.answerCall('testChannel', () => ({ ok: true, value: { ...one, ...outcome } }))
  await press('Send a test')
  await waitFor(() => expect(toasts(app)).toEqual([[kind, message]]))
})

test('a mail that is a test is told to be on its way, not to have arrived', async () => {
  const { preset: _, ...mail } = way({ kind: 'email', name: 'ada@example.com' })
  const { app } = await open([mail], { user: true })
  app.answerCall('testChannel', () => ({ ok: true, value: mail }))
  await press('Send a test')
  await waitFor(() => expect(toasts(app)).toEqual([['success', 'A test is on its way to ada@example.com.']]))
})

test('a new secret of a webhook is shown', async () => {
  const one = way({})
  const { app } = await open([one])
  app.answerCall('rotateSecret', () => ({ ok: true, value: { ...one, secret: 'whsec_new' } }))
  await press('New secret')
  expect((await screen.findByRole('dialog', { name: 'Signing secret' })).textContent).toContain('whsec_new')
})

test('a way is removed after a confirmation, and stays where the user cancels', async () => {
  const { app } = await open([way({})])
  await press('Remove')
  await userEvent.click(screen.getByRole('button', { name: 'Cancel' }))
  expect(called(app, 'deleteChannel')).toEqual([])
  await press('Remove')
  const sure = within(screen.getByRole('alertdialog', { name: 'Remove hooks.example?' }))
  await userEvent.click(sure.getByRole('button', { name: 'Remove' }))
  await waitFor(() => expect(rows()).toEqual([]))
})

test('offline the ways stay listed, and changing them is disabled with the reason', async () => {
  const { app } = await open([way({})])
  vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false)
  act(() => void window.dispatchEvent(new Event('offline')))
  expect(screen.getByText('You are offline. Changing and testing them needs a connection.')).toBeDefined()
  for (const one of [...screen.getAllByRole('button'), screen.getByRole('switch')]) {
    expect(one.getAttribute('aria-disabled')).toBe('true')
    await userEvent.click(one)
  }
  expect(screen.queryByRole('dialog')).toBeNull()
  expect(app.calls.map(({ route }) => route)).toEqual(['listChannels'])
})

test('ways that cannot be loaded show the reason, and can be asked for again', async () => {
  const app = await startLocalApp()
  await writeMeta(app.db, 'config', { config: configOf({ alert_features: ['ways'] }), fetched_at: START })
  app.answerCall('listChannels', () => refused(500, null, 'Out of order.'))
  app.render(<WaysCard />)
  expect((await screen.findByRole('alert')).textContent).toBe('Failed to load your ways to be reached. Out of order.')
  app.answerCall('listChannels', () => ({ ok: true, value: [way({})] }))
  await press('Try again')
  await waitFor(() => expect(rows()).toHaveLength(1))
})

test('a server without ways has no card of them', async () => {
  const { app } = await open()
  expect(screen.getByRole('region', { name: 'Ways to reach you' })).toBeDefined()
  const config = configOf({ alert_features: ['margin'] })
  await act(() => writeMeta(app.db, 'config', { config, fetched_at: START }))
  await waitFor(() => expect(screen.queryByRole('region', { name: 'Ways to reach you' })).toBeNull())
})
