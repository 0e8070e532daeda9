import { act, screen, waitFor, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { expect, it, vi } from 'vitest'
import type { PushResult } from '../../../src/state/push'
import { type LocalApp, seedPrices, seedWidgets, START, noticesOf } from '../support/local-app'
import { catchReports } from '../support/reports'
import { descriptionOf, oneCard, waitingChanges } from './one-card'

type Card = Awaited<ReturnType<typeof oneCard>>['card']
const alerts = (card: Card) => card.getByRole('switch', { name: 'Alerts' })
const box = (card: Card, side: 'High' | 'Low') => card.getByRole('button', { name: `${side} threshold` })

it('switching alerts on sets the missing thresholds, arms them and sets up push', async () => {
  const { app, id, card } = await oneCard()
  await card.findByText('2.0000')
  expect(alerts(card).getAttribute('aria-checked')).toBe('false')
  await userEvent.click(alerts(card))
  expect(alerts(card).getAttribute('aria-checked')).toBe('true')
  await waitFor(() => expect(descriptionOf(box(card, 'High'))).toBe('2.1000, armed'))
  expect(descriptionOf(box(card, 'Low'))).toBe('1.9000, armed')
  expect(await waitingChanges(app)).toMatchObject([
    {
      payload: {
        widget: id,
        body: { notifications_enabled: true, high_threshold: 2.1, low_threshold: 1.9 },
      },
    },
  ])
  expect(app.pushed).toEqual(['enable'])
})

it('switching alerts on saves a threshold that is already crossed as disarmed', async () => {
  const { card } = await oneCard({ widget: { high_threshold: 1.5 } })
  await card.findByText('Above high')
  await userEvent.click(alerts(card))
  await waitFor(() => expect(descriptionOf(box(card, 'High'))).toBe('1.5000, crossed, disarmed'))
  expect(descriptionOf(box(card, 'Low'))).toBe('1.9000, armed')
})

it('switching alerts off shows no toast, and keeps the thresholds', async () => {
  const { app, card } = await oneCard({ widget: { high_threshold: 3, notifications_enabled: true } })
  await waitFor(() => expect(alerts(card).getAttribute('aria-checked')).toBe('true'))
  await userEvent.click(alerts(card))
  await waitFor(() => expect(descriptionOf(box(card, 'High'))).toBe('3.0000, alerts are off, armed once they are on'))
  await waitFor(() => expect(app.syncs).toContain('command'))
  await act(async () => {})
  expect(app.pushed).toEqual([])
  expect(noticesOf(app)).toEqual([])
})

it('the alerts switch goes back with a toast when the change cannot be stored', async () => {
  const reports = catchReports()
  const { app, card } = await oneCard()
  vi.spyOn(app.db.outbox, 'add').mockRejectedValue(new Error('the disk is full'))
  await userEvent.click(alerts(card))
  expect(await screen.findByText('Failed to update BTC / ETH: the disk is full. Reverting change.')).toBeDefined()
  expect(alerts(card).getAttribute('aria-checked')).toBe('false')
  expect(reports.length).toBe(1)
})

/** An answer of the browser's that the test gives, to all who have asked. */
const asking = (app: LocalApp) => {
  let answer: (result: PushResult) => void = () => {}
  const answered = new Promise<PushResult>((resolve) => (answer = resolve))
  app.answerPush(() => answered)
  return (result: PushResult) => act(async () => answer(result))
}

it('the alerts switch shows that it is pressed, and saves nothing before push is set up', async () => {
  const { app, card } = await oneCard()
  await card.findByText('2.0000')
  const answer = asking(app)
  await userEvent.click(alerts(card))
  expect(['aria-checked', 'aria-busy'].map((name) => alerts(card).getAttribute(name))).toEqual(['true', 'true'])
  expect(descriptionOf(box(card, 'High'))).toBe('not set')
  expect(await waitingChanges(app)).toEqual([])
  await answer({ ok: true })
  await waitFor(async () => expect(await waitingChanges(app)).toHaveLength(1))
  expect(alerts(card).getAttribute('aria-checked')).toBe('true')
})

it('the alerts switch goes back with the message of a failed push setup, and saves nothing', async () => {
  const { app, card } = await oneCard()
  await card.findByText('2.0000')
  const answer = asking(app)
  await userEvent.click(alerts(card))
  await answer({ ok: false, message: 'Could not enable push notifications. Please grant permission.' })
  await waitFor(() => expect(alerts(card).getAttribute('aria-checked')).toBe('false'))
  expect(
    await screen.findByRole('alert').then((toast) => within(toast).findByText(/Please grant permission\./)),
  ).toBeDefined()
  expect(await waitingChanges(app)).toEqual([])
  expect(descriptionOf(box(card, 'High'))).not.toContain('armed')
})

it('the toast of a failed push setup offers alerts in the open app, which need no push', async () => {
  const { app, card } = await oneCard()
  await card.findByText('2.0000')
  app.answerPush(() => ({ ok: false, message: 'Push notifications are not supported by this browser.' }))
  await userEvent.click(alerts(card))
  await userEvent.click(await screen.findByRole('button', { name: 'Tell me in the open app' }))
  await waitFor(() => expect(descriptionOf(box(card, 'High'))).toBe('2.1000, armed'))
  expect(alerts(card).getAttribute('aria-checked')).toBe('true')
  expect(app.pushed).toEqual(['enable'])
  expect(await waitingChanges(app)).toMatchObject([{ payload: { body: { notifications_enabled: true } } }])
})

it('one press switches on the alerts of all pairs whose refused push setups are one toast', async () => {
  const { app, card } = await oneCard()
  await seedWidgets(app, [[1, 0]])
  const other = within(await screen.findByRole('article', { name: 'ETH / BTC' }))
  await other.findByText('0.500000')
  app.answerPush(() => ({ ok: false, message: 'Push notifications are blocked.' }))
  await userEvent.click(alerts(card))
  await userEvent.click(alerts(other))
  await screen.findByText('2 times')
  await userEvent.click(await screen.findByRole('button', { name: 'Tell me in the open app' }))
  await waitFor(() => expect(alerts(card).getAttribute('aria-checked')).toBe('true'))
  await waitFor(() => expect(alerts(other).getAttribute('aria-checked')).toBe('true'))
})

it('a push setup that the user was told how to begin offers alerts in the open app until then', async () => {
  const { app, card } = await oneCard()
  await card.findByText('2.0000')
  const answer = asking(app)
  await userEvent.click(alerts(card))
  await answer({ ok: false, message: null })
  await waitFor(() => expect(alerts(card).getAttribute('aria-checked')).toBe('false'))
  expect(await screen.findByText('Alerts stay off on this device until then.')).toBeDefined()
  await userEvent.click(screen.getByRole('button', { name: 'Tell me in the open app' }))
  await waitFor(() => expect(alerts(card).getAttribute('aria-checked')).toBe('true'))
})

it('the alerts switch delays no other change of the pair while push is being set up', async () => {
  const { app, id, card } = await oneCard()
  await card.findByText('2.0000')
  const answer = asking(app)
  await userEvent.click(alerts(card))
  await userEvent.click(box(card, 'High'))
  const dialog = within(await screen.findByRole('dialog'))
  await userEvent.clear(dialog.getByLabelText('Threshold'))
  await userEvent.type(dialog.getByLabelText('Threshold'), '3')
  await userEvent.click(dialog.getByRole('button', { name: 'Set & Arm Alert' }))
  await waitFor(async () =>
    expect(await waitingChanges(app)).toMatchObject([{ payload: { widget: id, body: { high_threshold: 3 } } }]),
  )
  await answer({ ok: true })
  await waitFor(async () =>
    expect(await waitingChanges(app)).toMatchObject([
      { payload: { body: { high_threshold: 3, low_threshold: 1.9, notifications_enabled: true } } },
    ]),
  )
})

it('alerts switched off while push is being set up end off, even if push then succeeds', async () => {
  const { app, card } = await oneCard()
  await card.findByText('2.0000')
  const answer = asking(app)
  await userEvent.click(alerts(card))
  await userEvent.click(alerts(card))
  expect(alerts(card).getAttribute('aria-checked')).toBe('false')
  await answer({ ok: true })
  await waitFor(() => expect(alerts(card).getAttribute('aria-busy')).toBe('false'))
  expect(await waitingChanges(app)).toMatchObject([{ payload: { body: { notifications_enabled: false } } }])
  expect(alerts(card).getAttribute('aria-checked')).toBe('false')
  expect(noticesOf(app)).toEqual([])
})

const answered = async (clicks: number, result: PushResult) => {
  const { app, card } = await oneCard()
  await card.findByText('2.0000')
  let answer: (result: PushResult) => void = () => {}
  const answering = new Promise<PushResult>((resolve) => (answer = resolve))
  app.answerPush(() => answering)
  for (let click = 0; click < clicks; click += 1) await userEvent.click(alerts(card))
  await act(async () => answer(result))
  await waitFor(() => expect(alerts(card).getAttribute('aria-busy')).toBe('false'))
  return { app, shown: alerts(card).getAttribute('aria-checked') }
}

it('three clicks on the alerts switch while the browser asks leave alerts on once push succeeds', async () => {
  const { app, shown } = await answered(3, { ok: true })
  expect(await waitingChanges(app)).toMatchObject([{ payload: { body: { notifications_enabled: true } } }])
  expect(shown).toBe('true')
})

it.each([
  ['with a message', 'Could not enable push notifications.'],
  ['without one', null],
])('two clicks on the alerts switch save nothing when push is then refused %s', async (_, message) => {
  const { app, shown } = await answered(2, { ok: false, message })
  expect(await waitingChanges(app)).toEqual([])
  expect(shown).toBe('false')
  expect(noticesOf(app)).toMatchObject([{ count: 1 }])
})

const armed = { high_threshold: 3, low_threshold: 1, notifications_enabled: true }

it('a threshold is crossed with the price, and disarmed and armed again with the list of the server, which judged it', async () => {
  const { app, id, card } = await oneCard({ widget: armed })
  const high = (words: string) => waitFor(() => expect(descriptionOf(box(card, 'High'))).toBe(words))
  await high('3.0000, armed')
  await seedPrices(app, { 0: 16, 1: 5 }, START + 1)
  await card.findByText('Above high')
  await high('3.0000, crossed, armed')
  await app.db.widgets.update(id, { high_threshold_active: false })
  await high('3.0000, crossed, disarmed')
  expect(within(box(card, 'High')).getByText('Crossed')).toBeDefined()
  expect(descriptionOf(box(card, 'Low'))).toBe('1.0000, armed')
  await seedPrices(app, { 0: 15, 1: 5 }, START + 2)
  await waitFor(() => expect(card.queryByText('Above high')).toBeNull())
  await high('3.0000, disarmed')
  await app.db.widgets.update(id, { high_threshold_active: true, high_epoch: 1 })
  await high('3.0000, armed')
  expect(await waitingChanges(app)).toEqual([])
})
