import { act, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test } from 'vitest'
import { writeMeta } from '../../../src/db/database'
import { AlertsPage } from '../../../src/features/alerts/alerts-page'
import { Toasts } from '../../../src/features/toasts/toasts'
import { DAY } from '../../../src/domain/granularity'
import type { RatioHistory } from '../../../workers/api'
import { configOf } from '../support/config'
import { fed } from '../support/fed'
import { seedCoins, seedWidgets, START, startLocalApp } from '../support/local-app'
import { waitingChanges } from '../widget-card/one-card'

/** Up and down by 4 % a day around 2: its median daily move proposes 1 %. */
const swing = (): RatioHistory => ({
  times: Float64Array.from({ length: 91 }, (_, day) => START - (90 - day) * DAY),
  ratios: Float64Array.from({ length: 91 }, (_, day) => (day % 2 === 0 ? 2 : 2.08)),
  spacing: DAY,
})

const TWO = [
  [0, 1],
  [1, 2],
] as const

/** The Alerts page of an owner with BTC / ETH, whose past is known, and ETH / C2, of which nothing is. */
async function alertsPage(alert_features?: string[], pairs: readonly (readonly [number, number])[] = TWO) {
  const asked: string[] = []
  const app = await startLocalApp({
    ratioHistory: async ({ coinA }) => {
      asked.push(coinA)
      return coinA === 'bitcoin' ? swing() : null
    },
  })
  await seedCoins(app, 3)
  await writeMeta(app.db, 'config', {
    config: configOf({ ...(alert_features && { alert_features }) }),
    fetched_at: START,
  })
  const ids = await seedWidgets(app, pairs, { high_threshold: 2.05, notifications_enabled: true })
  app.render(
    <>
      {fed(<AlertsPage chartLink={() => ({ href: '/', state: null })} />)}
      <Toasts />
    </>,
  )
  await screen.findByRole('region', { name: 'Last 90 days' })
  return { app, ids, asked, card: () => screen.queryByRole('region', { name: 'Margins' }) }
}
const updates = async (app: Parameters<typeof waitingChanges>[0]) =>
  (await waitingChanges(app)).map(({ payload }) => payload)

test('the Alerts page asks once about margins, sets those of known pairs by one press, and takes them back by Undo', async () => {
  const { app, ids, card } = await alertsPage(['margin'])
  await screen.findByText('Alerts can repeat when a ratio trembles around its threshold.')
  expect(
    within(card()!)
      .getAllByRole('listitem')
      .map(({ textContent }) => textContent),
  ).toEqual([
    'BTC / ETH: without a margin 45 alerts in 90 days, with 1\u00A0% 45.',
    'ETH / C2: its past is not known on this device, so it stays as it is.',
  ])
  await userEvent.click(within(card()!).getByRole('button', { name: 'Use these margins' }))
  await waitFor(() => expect(card()).toBeNull())
  expect(await updates(app)).toEqual([{ widget: ids[0], body: { alert_margin: 0.01 } }])
  await userEvent.click(await screen.findByRole('button', { name: 'Undo' }))
  await waitFor(async () => expect(await updates(app)).toEqual([{ widget: ids[0], body: { alert_margin: 0 } }]))
  // ETH / C2 has none still: the answer was given.
  expect(card()).toBeNull()
})

test('the question about margins lists five pairs, and the others behind a button', async () => {
  const { card } = await alertsPage(['margin'], [...TWO, [2, 0], [1, 0], [0, 2], [2, 1]])
  const rest = (await screen.findByText('Show 1 more')).closest('details')!
  expect([within(rest).getAllByRole('listitem').length, within(card()!).getAllByRole('listitem').length]).toEqual([
    1, 6,
  ])
})

test('the question about margins that was answered by keeping them does not come back', async () => {
  const { app, card } = await alertsPage(['margin'])
  await userEvent.click(await screen.findByRole('button', { name: 'Keep as it is' }))
  await waitFor(() => expect(card()).toBeNull())
  expect(await waitingChanges(app)).toEqual([])
  expect((await app.db.owners.toArray()).map(({ margins_answered }) => margins_answered)).toEqual([true])
})

test('the Alerts page does not ask about margins while nothing is known of any pair’s past', async () => {
  const { asked, card } = await alertsPage(['margin'], [[1, 2]])
  await waitFor(() => expect(asked).toEqual(['ethereum']))
  await act(async () => Promise.resolve())
  expect(card()).toBeNull()
})

test('the Alerts page of a server without margins does not ask about them', async () => {
  const { card } = await alertsPage()
  expect(card()).toBeNull()
})
