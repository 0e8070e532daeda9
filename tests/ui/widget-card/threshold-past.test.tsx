import { screen, waitFor, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { expect, it } from 'vitest'
import { DAY } from '../../../src/domain/granularity'
import type { RatioHistory } from '../../../workers/api'
import { START } from '../support/local-app'
import { oneCard } from './one-card'

/** Between 1.8 and 2.2 in 90 days, above 2.1 four times. */
const swing = (): RatioHistory => ({
  times: Float64Array.from({ length: 91 }, (_, day) => START - (90 - day) * DAY),
  ratios: Float64Array.from({ length: 91 }, (_, day) => 2 - 0.2 * Math.cos((day / 90) * 8 * Math.PI)),
  spacing: DAY,
})

async function openHigh(ratioHistory: () => Promise<RatioHistory | null>) {
  const one = await oneCard({ worker: { ratioHistory } })
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
