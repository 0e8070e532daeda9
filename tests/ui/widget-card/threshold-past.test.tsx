import { screen, waitFor, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { expect, it } from 'vitest'
import { DAY } from '../../../src/domain/granularity'
import type { RatioHistory } from '../../../workers/api'
import { writeMeta } from '../../../src/db/database'
import { configOf } from '../support/config'
import { type LocalApp, START } from '../support/local-app'
import { descriptionOf, oneCard, waitingChanges } from './one-card'

/** Between 1.8 and 2.2 in 90 days, above 2.1 four times. */
const swing = (): RatioHistory => ({
  times: Float64Array.from({ length: 91 }, (_, day) => START - (90 - day) * DAY),
  ratios: Float64Array.from({ length: 91 }, (_, day) => 2 - 0.2 * Math.cos((day / 90) * 8 * Math.PI)),
  spacing: DAY,
})

async function openHigh(ratioHistory: () => Promise<RatioHistory | null>, setup: Parameters<typeof oneCard>[0] = {}) {
  const one = await oneCard({ ...setup, worker: { ratioHistory } })
  await userEvent.click(one.card.getByRole('button', { name: 'High threshold' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'BTC / ETH - High Alert' }))
  return { ...one, dialog, input: dialog.getByLabelText<HTMLInputElement>('Threshold') }
}

it('the threshold dialog says how often the typed value was reached in 90 days, also for the next one', async () => {
  const { dialog, input } = await openHigh(() => Promise.resolve(swing()))
  expect(await dialog.findByText(/^Reached 4 times in 90 days; back at the average after /)).toBeDefined()
  await userEvent.clear(input)
  await userEvent.type(input, '2.5')
  expect(await dialog.findByText('Not reached in 90 days; the highest was 2.1995.')).toBeDefined()
})

it('the threshold dialog asks for three months of both coins and reads again when they have come', async () => {
  const answers = [null, swing()]
  const { app, dialog } = await openHigh(() => Promise.resolve(answers.shift() ?? null))
  expect(await dialog.findByText(/^Reached 4 times/)).toBeDefined()
  expect(app.calls).toEqual([
    { route: 'historical', id: 'bitcoin', period: '3m' },
    { route: 'historical', id: 'ethereum', period: '3m' },
  ])
})

it('the threshold dialog proposes the outer twentieth and two deviations of 90 days by one press', async () => {
  const { dialog, input } = await openHigh(() => Promise.resolve(swing()))
  const chips = within(await dialog.findByRole('group', { name: 'From the last 90 days' }))
  expect(chips.getAllByRole('button').map(({ textContent }) => textContent)).toEqual(['p95 2.196', '+2σ 2.300'])
  await userEvent.click(chips.getByRole('button', { name: 'p95 2.196' }))
  expect(input.value).toBe('2.196')
})

it('the threshold dialog without history says nothing of the past, and where a swap has paid fees and spread', async () => {
  const { dialog } = await openHigh(() => Promise.resolve(null))
  const link = dialog.getByRole('link', { name: 'pays fees and spread' })
  expect(link.getAttribute('href')).toContain('/figures#break-even')
  expect(link.parentElement?.textContent).toBe(
    'A swap here and back pays fees and spread below 2.087 (0.3\u00A0% each).',
  )
  await waitFor(() => expect(dialog.queryByRole('group', { name: 'From the last 90 days' })).toBeNull())
  expect(dialog.queryByText(/90 days/)).toBeNull()
})

/** A server that takes margins. */
const withMargins = {
  seed: ({ db }: LocalApp) =>
    writeMeta(db, 'config', { config: configOf({ alert_features: ['margin'] }), fetched_at: START }),
}
const spin = (dialog: ReturnType<typeof within>, name: string) =>
  dialog.getByRole('spinbutton', { name }) as HTMLInputElement

it('the threshold dialog of a pair without thresholds proposes a margin, says what it does, and stores all in one change', async () => {
  const { app, id, dialog, card } = await openHigh(() => Promise.resolve(swing()), withMargins)
  expect(await dialog.findByText(/^A margin of 0.5.% is proposed/)).toHaveProperty(
    'textContent',
    'A margin of 0.5\u00A0% is proposed for this pair. Once it has fired, it is armed again at 2.0895. ' +
      'Without a margin 4 alerts in 90 days, with 0.5\u00A0% 4.',
  )
  expect(dialog.queryByRole('spinbutton')).toBeNull()
  await userEvent.click(dialog.getByRole('button', { name: 'More' }))
  expect(spin(dialog, 'Margin').value).toBe('0.5')
  await userEvent.clear(spin(dialog, 'Hold'))
  await userEvent.type(spin(dialog, 'Hold'), '1440')
  await userEvent.type(spin(dialog, 'Margin'), '{ArrowUp}')
  expect(await dialog.findByText(/^Fires after 1440.min beyond\..* with 0.6.% and 1440.min 4\.$/)).toBeDefined()
  await userEvent.click(dialog.getByRole('button', { name: 'Set & Arm Alert' }))
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  const body = { alert_margin: 0.006, alert_hold_minutes: 1440, high_threshold: 2.1, high_threshold_active: true }
  expect(await waitingChanges(app)).toEqual([{ kind: 'widget.update@1', payload: { widget: id, body } }])
  expect(await card.findByText('2.1000')).toBeDefined()
})

it('the threshold dialog keeps a wrong margin from being saved, and shows its field', async () => {
  const { app, dialog } = await openHigh(() => Promise.resolve(null), withMargins)
  await userEvent.click(dialog.getByRole('button', { name: 'More' }))
  await userEvent.clear(spin(dialog, 'Margin'))
  await userEvent.type(spin(dialog, 'Margin'), '51')
  await userEvent.click(dialog.getByRole('button', { name: 'More' }))
  await userEvent.click(dialog.getByRole('button', { name: 'Set & Arm Alert' }))
  expect(document.activeElement).toBe(spin(dialog, 'Margin'))
  expect(dialog.getByText('A number from 0 to 50.')).toBeDefined()
  expect(await waitingChanges(app)).toEqual([])
})

it('the threshold dialog of an older server has neither margin nor hold, and its change names none', async () => {
  const { app, id, dialog } = await openHigh(() => Promise.resolve(swing()))
  expect(dialog.queryByRole('button', { name: 'More' })).toBeNull()
  await userEvent.click(dialog.getByRole('button', { name: 'Set & Arm Alert' }))
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  const body = { high_threshold: 2.1, high_threshold_active: true }
  expect(await waitingChanges(app)).toEqual([{ kind: 'widget.update@1', payload: { widget: id, body } }])
})

it('switching on the alerts of a pair without thresholds sets the margin that its past proposes', async () => {
  const { app, id, card } = await oneCard({ ...withMargins, worker: { ratioHistory: () => Promise.resolve(swing()) } })
  await card.findByText('2.0000')
  await userEvent.click(card.getByRole('switch', { name: 'Alerts' }))
  await waitFor(async () =>
    expect(await waitingChanges(app)).toMatchObject([
      { payload: { widget: id, body: { alert_margin: 0.005, high_threshold: 2.1 } } },
    ]),
  )
})

it('a card whose ratio is beyond a threshold that has to hold says so, and does not call it crossed', async () => {
  const on = { notifications_enabled: true, alert_margin: 0.01, alert_hold_minutes: 60 }
  const { card } = await oneCard({
    widget: { ...on, high_threshold: 1.9, low_threshold: 1.5, low_threshold_active: false },
  })
  const high = card.getByRole('button', { name: 'High threshold' })
  expect(await within(high).findByText('Holding')).toBeDefined()
  expect(within(high).queryByText('Crossed')).toBeNull()
  expect(descriptionOf(high)).toBe('1.9000, beyond, armed, fires after 60\u00A0min beyond')
  const low = card.getByRole('button', { name: 'Low threshold' })
  expect(descriptionOf(low)).toBe('1.5000, disarmed, armed again at 1.5150')
  expect(await card.findByText(/^Tells you after 60.min beyond, /)).toBeDefined()
})
