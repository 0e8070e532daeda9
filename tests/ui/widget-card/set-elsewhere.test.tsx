import { screen, waitFor, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { expect, it } from 'vitest'
import { seedCheckpoints } from '../support/local-app'
import { oneCard, waitingChanges } from './one-card'

type Card = ReturnType<typeof within>

const box = (card: Card, side: 'High' | 'Low') => within(card.getByRole('button', { name: `${side} threshold` }))
const checkpoint = (card: Card) => within(card.getByRole('button', { name: 'Checkpoint' }))
const marksOf = (article: HTMLElement) => [...article.querySelectorAll('[data-mark]')].map((one) => one.textContent)

it('a threshold that another device changes is marked for a moment, and the other side is not', async () => {
  const { app, id, article, card } = await oneCard({ widget: { high_threshold: 3, low_threshold: 1 } })
  await box(card, 'High').findByText('3.0000')
  expect(marksOf(article)).toEqual([])
  await app.db.widgets.update(id, { high_threshold: 4 })
  expect((await box(card, 'High').findByText('4.0000')).dataset.mark).toBe('changed')
  expect(marksOf(article)).toEqual(['4.0000'])
  await waitFor(() => expect(marksOf(article)).toEqual([]), { timeout: 10_000 })
})

it('a threshold that another device sets for the first time is marked, and one that it clears leaves no mark', async () => {
  const { app, id, article, card } = await oneCard()
  await box(card, 'Low').findByText('Set')
  await app.db.widgets.update(id, { low_threshold: 1.5 })
  expect((await box(card, 'Low').findByText('1.5000')).dataset.mark).toBe('changed')
  await app.db.widgets.update(id, { low_threshold: null })
  await box(card, 'Low').findByText('Set')
  expect(marksOf(article)).toEqual([])
})

it('a checkpoint that another device saves is marked, and Escape from saving one here leaves no mark', async () => {
  const { app, id, article, card } = await oneCard()
  await checkpoint(card).findByText('None saved')
  const [made] = await seedCheckpoints(app, id, [1.5])
  expect((await checkpoint(card).findByText('1.5000')).dataset.mark).toBe('changed')
  await waitFor(() => expect(marksOf(article)).toEqual([]), { timeout: 10_000 })
  const field = card.getByRole('button', { name: 'Checkpoint' })
  await userEvent.click(field)
  await checkpoint(card).findByText('Click the ratio to save it')
  await userEvent.keyboard('{Escape}')
  await waitFor(() => expect(checkpoint(card).queryByText('Click the ratio to save it')).toBeNull())
  expect(marksOf(article)).toEqual([])
  await app.db.checkpoints.update(made!, { ratio: 1.25 })
  expect((await checkpoint(card).findByText('1.2500')).dataset.mark).toBe('changed')
})

it('the user’s own threshold and checkpoint carry no mark, also once the local database has them', async () => {
  const { app, article, card } = await oneCard({ widget: { high_threshold: 3, notifications_enabled: true } })
  await box(card, 'High').findByText('3.0000')
  await userEvent.click(card.getByRole('button', { name: 'High threshold' }))
  const dialog = within(await screen.findByRole('dialog'))
  const input = dialog.getByLabelText<HTMLInputElement>('Threshold')
  await userEvent.clear(input)
  await userEvent.type(input, '2.5')
  await userEvent.click(dialog.getByRole('button', { name: 'Set & Arm Alert' }))
  await box(card, 'High').findByText('2.5000')
  expect(marksOf(article)).toEqual([])
  await userEvent.click(card.getByRole('button', { name: 'Checkpoint' }))
  await userEvent.click(card.getByRole('button', { name: 'Current ratio' }))
  await checkpoint(card).findByText('2.0000')
  expect(marksOf(article)).toEqual([])
  await waitFor(async () => expect(await waitingChanges(app)).toHaveLength(2))
  await card.findByText('2 changes wait')
  expect(marksOf(article)).toEqual([])
})

it('a threshold that another device changes does not overwrite the number that the user is typing, and saving keeps the user’s', async () => {
  const { app, id, card } = await oneCard({ widget: { high_threshold: 3, notifications_enabled: true } })
  await box(card, 'High').findByText('3.0000')
  await userEvent.click(card.getByRole('button', { name: 'High threshold' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'BTC / ETH - High Alert' }))
  const input = dialog.getByLabelText<HTMLInputElement>('Threshold')
  await userEvent.clear(input)
  await userEvent.type(input, '2.7')
  await app.db.widgets.update(id, { high_threshold: 9, low_threshold: 1 })
  // Behind the dialog the card has the other device's value.
  await box(card, 'High').findByText('9.0000')
  expect(input.value).toBe('2.7')
  expect(document.activeElement).toBe(input)
  expect(dialog.getByText(/^= 2.7000, 35.0.% above now/)).toBeDefined()
  await userEvent.click(dialog.getByRole('button', { name: 'Set & Arm Alert' }))
  await box(card, 'High').findByText('2.7000')
  await waitFor(async () =>
    expect(await waitingChanges(app)).toMatchObject([{ payload: { widget: id, body: { high_threshold: 2.7 } } }]),
  )
})

it('a threshold that another device clears leaves the open threshold dialog and its number as they are', async () => {
  const { app, id, card } = await oneCard({ widget: { high_threshold: 3, notifications_enabled: true } })
  await box(card, 'High').findByText('3.0000')
  await userEvent.click(card.getByRole('button', { name: 'High threshold' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'BTC / ETH - High Alert' }))
  await app.db.widgets.update(id, { high_threshold: null })
  await dialog.findByRole('button', { name: 'Cancel' })
  expect(dialog.getByLabelText<HTMLInputElement>('Threshold').value).toBe('3')
})
