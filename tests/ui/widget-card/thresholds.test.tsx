import { act, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { expect, it, vi } from 'vitest'
import { pushStateAtom } from '../../../src/state/push'
import { noticesOf, seedPrices, START } from '../support/local-app'
import { catchReports } from '../support/reports'
import { descriptionOf, oneCard, waitingChanges } from './one-card'

const box = (card: ReturnType<typeof within>, side: 'High' | 'Low') =>
  card.getByRole('button', { name: `${side} threshold` })

async function openDialog(side: 'High' | 'Low', setup: Parameters<typeof oneCard>[0] = {}) {
  const one = await oneCard(setup)
  await userEvent.click(box(one.card, side))
  const dialog = await screen.findByRole('dialog', { name: `BTC / ETH - ${side} Alert` })
  return { ...one, dialog: within(dialog), input: within(dialog).getByLabelText<HTMLInputElement>('Threshold') }
}

it('a threshold that could not be stored stays in the dialog’s field, and can be set once there is room', async () => {
  const { app, dialog, input } = await openDialog('High')
  const reports = catchReports()
  const full = vi.spyOn(app.db.outbox, 'add').mockRejectedValueOnce(new Error('the disk is full'))
  await userEvent.clear(input)
  await userEvent.type(input, '3')
  await userEvent.click(dialog.getByRole('button', { name: 'Set & Arm Alert' }))
  await waitFor(() => expect(reports).toHaveLength(1))
  expect(input.value).toBe('3')
  full.mockRestore()
  await userEvent.click(dialog.getByRole('button', { name: 'Set & Arm Alert' }))
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  expect((await waitingChanges(app)).length).toBeGreaterThan(0)
})

it('a threshold box offers Set for a threshold that is not set', async () => {
  const { card } = await oneCard()
  for (const side of ['High', 'Low'] as const) {
    expect(box(card, side).textContent).toContain('Set')
    expect(descriptionOf(box(card, side))).toBe('not set')
  }
})

it('a threshold box says in words whether its threshold is armed', async () => {
  const widget = { high_threshold: 3, low_threshold: 1, low_threshold_active: false, notifications_enabled: true }
  const { card } = await oneCard({ widget, prices: {} })
  await waitFor(() => expect(within(box(card, 'High')).getByText('3.0000')).toBeDefined())
  expect(within(box(card, 'High')).getByText('Armed')).toBeDefined()
  expect(descriptionOf(box(card, 'High'))).toBe('3.0000, armed')
  expect(within(box(card, 'Low')).getByText('Disarmed')).toBeDefined()
  expect(descriptionOf(box(card, 'Low'))).toBe('1.0000, disarmed')
})

it('a threshold box of a pair whose alerts are off does not call the threshold armed', async () => {
  const widget = { high_threshold: 3, low_threshold: 1, low_threshold_active: false, notifications_enabled: false }
  const { card } = await oneCard({ widget })
  await waitFor(() => expect(within(box(card, 'High')).getByText('3.0000')).toBeDefined())
  expect(within(box(card, 'High')).queryByText('Armed')).toBeNull()
  expect(within(box(card, 'High')).getByText('Alerts off')).toBeDefined()
  expect(descriptionOf(box(card, 'High'))).toBe('3.0000, alerts are off, armed once they are on')
  expect(within(box(card, 'Low')).getByText('Disarmed')).toBeDefined()
  expect(descriptionOf(box(card, 'Low'))).toBe('1.0000, disarmed, alerts are off')
})

it('a threshold box says what a crossing means to a holder', async () => {
  const { card } = await oneCard()
  expect(within(box(card, 'High')).getByText('BTC dear')).toBeDefined()
  expect(within(box(card, 'Low')).getByText('BTC cheap')).toBeDefined()
})

it('the threshold box and the card mark a ratio beyond the threshold for as long as the ratio is beyond', async () => {
  const { app, article, card } = await oneCard({ widget: { high_threshold: 3, low_threshold: 1.5 } })
  await card.findByText('2.0000')
  expect(article.dataset.extreme).toBeUndefined()
  await seedPrices(app, { 0: 16, 1: 5 }, START + 1)
  expect(await card.findByText('Above high')).toBeDefined()
  expect(article.dataset.extreme).toBe('high')
  expect(within(box(card, 'High')).getByText('Crossed')).toBeDefined()
  expect(descriptionOf(box(card, 'High'))).toContain('crossed')
  await seedPrices(app, { 0: 7, 1: 5 }, START + 2)
  expect(await card.findByText('Below low')).toBeDefined()
  expect(article.dataset.extreme).toBe('low')
  expect(within(box(card, 'High')).queryByText('Crossed')).toBeNull()
  // Upon the threshold is not beyond it.
  await seedPrices(app, { 0: 7.5, 1: 5 }, START + 3)
  await waitFor(() => expect(article.dataset.extreme).toBeUndefined())
  expect(card.queryByText('Below low')).toBeNull()
})

it('the threshold dialog of the high side proposes 5 % above the ratio', async () => {
  const { input, dialog } = await openDialog('High')
  expect(input.value).toBe('2.1')
  expect(input.getAttribute('inputmode')).toBe('decimal')
  expect(dialog.getByText('You are alerted when the ratio rises above this value.')).toBeDefined()
  expect(dialog.getByText('2.0000')).toBeDefined()
  expect(dialog.queryByRole('button', { name: 'Clear threshold' })).toBeNull()
  await userEvent.click(dialog.getByRole('button', { name: 'Cancel' }))
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
})

it('the threshold dialog of the low side proposes 5 % below the ratio', async () => {
  const { input, dialog } = await openDialog('Low')
  expect(input.value).toBe('1.9')
  expect(dialog.getByText('You are alerted when the ratio falls below this value.')).toBeDefined()
})

it('the threshold dialog shows the threshold that is set', async () => {
  const { input } = await openDialog('Low', { widget: { low_threshold: 1.2345 } })
  expect(input.value).toBe('1.2345')
})

it('the threshold dialog saves a high value above the ratio as armed', async () => {
  const { app, card, dialog, input, id } = await openDialog('High')
  await userEvent.clear(input)
  await userEvent.type(input, '2,5')
  await userEvent.click(dialog.getByRole('button', { name: 'Set & Arm Alert' }))
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  expect(await within(box(card, 'High')).findByText('2.5000')).toBeDefined()
  expect(descriptionOf(box(card, 'High'))).toBe('2.5000, alerts are off, armed once they are on')
  await waitFor(async () =>
    expect(await waitingChanges(app)).toEqual([
      {
        kind: 'widget.update@1',
        payload: { widget: id, body: { high_threshold: 2.5, high_threshold_active: true } },
      },
    ]),
  )
  expect(app.syncs).toContain('command')
  expect(app.pushed).toEqual([])
})

it('the threshold dialog saves a low value that the ratio has passed as disarmed, with Enter', async () => {
  const { card, dialog, input } = await openDialog('Low', { widget: { notifications_enabled: true } })
  await userEvent.clear(input)
  await userEvent.type(input, '2')
  expect(
    dialog.getByText('Value is not below current ratio (2.0000). Alert will be saved but not armed.'),
  ).toBeDefined()
  expect(dialog.getByRole('button', { name: 'Save Disarmed' })).toBeDefined()
  await userEvent.keyboard('{Enter}')
  await waitFor(() => expect(within(box(card, 'Low')).getByText('Disarmed')).toBeDefined())
  expect(descriptionOf(box(card, 'Low'))).toContain('2.0000, disarmed')
})

it.each([
  ['abc', 'Enter a numeric value.'],
  ['', 'Enter a numeric value.'],
  ['0', 'Low alert value must be greater than 0.'],
  ['-3', 'Low alert value must be greater than 0.'],
])('the threshold dialog does not save %j: %s', async (text, message) => {
  const { app, dialog, input } = await openDialog('Low')
  await userEvent.clear(input)
  if (text !== '') await userEvent.type(input, text)
  expect(dialog.getByRole('alert').textContent).toBe(message)
  await userEvent.keyboard('{Enter}')
  expect(screen.getByRole('dialog')).toBeDefined()
  expect(input.getAttribute('aria-invalid')).toBe('true')
  expect(await waitingChanges(app)).toEqual([])
})

it('the threshold dialog says that the ratio is not known, and offers to save disarmed', async () => {
  const { dialog, input } = await openDialog('High', { prices: { 0: 10 } })
  expect(input.value).toBe('')
  expect(dialog.queryByRole('alert')).toBeNull()
  await userEvent.type(input, '3')
  expect(dialog.getByText('Current ratio is not known yet. Alert will be saved but not armed.')).toBeDefined()
  expect(dialog.getByRole('button', { name: 'Save Disarmed' })).toBeDefined()
})

it('the threshold dialog judges the value by the ratio as the ratio moves', async () => {
  const { app, dialog } = await openDialog('High')
  expect(dialog.getByRole('button', { name: 'Set & Arm Alert' })).toBeDefined()
  await seedPrices(app, { 0: 15, 1: 5 }, START + 1)
  expect(await dialog.findByRole('button', { name: 'Save Disarmed' })).toBeDefined()
  expect(dialog.getByText(/^Value is not above current ratio \(3\.0000\)\./)).toBeDefined()
})

it('the threshold dialog clears a threshold, which Undo sets again', async () => {
  const { app, card, dialog } = await openDialog('High', { widget: { high_threshold: 3 } })
  await userEvent.click(dialog.getByRole('button', { name: 'Clear threshold' }))
  await waitFor(() => expect(descriptionOf(box(card, 'High'))).toBe('not set'))
  const [notice] = noticesOf(app)
  expect(notice).toMatchObject({ message: 'High threshold of BTC / ETH cleared.', action: { label: 'Undo' } })
  notice!.action!.run()
  await waitFor(() => expect(descriptionOf(box(card, 'High'))).toContain('3.0000'))
})

it('the threshold dialog closes with Escape and gives the focus back to the threshold box', async () => {
  const { card } = await openDialog('High')
  const dialog = screen.getByRole('dialog')
  dialog.dispatchEvent(new Event('cancel', { cancelable: true }))
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  await waitFor(() => expect(document.activeElement).toBe(box(card, 'High')))
})

/** WBTC / USDT on the simulated board: a ratio that is shown with grouping. */
const grouped = { prices: { 0: 94_006.78, 1: 1 } }
const retype = async (input: HTMLInputElement, text: string) => {
  await userEvent.clear(input)
  await userEvent.type(input, text)
}

it('the threshold dialog echoes the value that it will store and the distance from the current ratio', async () => {
  const { app, dialog, input } = await openDialog('Low', grouped)
  await retype(input, '90,000')
  expect(dialog.getByText('= 90,000.00, 4.3 % below now')).toBeDefined()
  await userEvent.click(dialog.getByRole('button', { name: 'Set & Arm Alert' }))
  await waitFor(async () =>
    expect(await waitingChanges(app)).toMatchObject([{ payload: { body: { low_threshold: 90_000 } } }]),
  )
})

it('the threshold dialog warns of a value that is more than 50 % away from the current ratio', async () => {
  const { dialog, input } = await openDialog('Low', grouped)
  const warning = /^More than 50.% away from the current ratio/
  expect(dialog.queryByText(warning)).toBeNull()
  await retype(input, '90')
  expect(dialog.getByText('= 90.0000, more than 99.9 % below now')).toBeDefined()
  expect(dialog.getByText(warning)).toBeDefined()
})

it('the threshold dialog asks which of two numbers is meant, and saves neither before the answer', async () => {
  const { app, dialog, input } = await openDialog('Low', grouped)
  await retype(input, '90.000')
  const question = dialog.getByRole('group', { name: 'Two numbers are written like this. Which one do you mean?' })
  const [small, large] = within(question).getAllByRole('button')
  expect(small?.textContent).toBe('90.0000more than 99.9\u00A0% below now')
  await userEvent.keyboard('{Enter}')
  await waitFor(() => expect(document.activeElement).toBe(small))
  expect(await waitingChanges(app)).toEqual([])
  await userEvent.click(large!)
  expect(input.value).toBe('90000')
  await waitFor(() => expect(document.activeElement).toBe(input))
  expect(dialog.getByText('= 90,000.00, 4.3 % below now')).toBeDefined()
})

it('an answered number is asked about no more, also where it has three decimals', async () => {
  const { dialog, input } = await openDialog('Low', grouped)
  await retype(input, '90.125')
  await userEvent.click(dialog.getByRole('button', { name: /^90\.125/ }))
  expect(input.value).toBe('90.1250')
  expect(dialog.getByText('= 90.1250, more than 99.9 % below now')).toBeDefined()
})

it.each([
  ['High', ['+2', '+5', '+10'], '2.2'],
  ['Low', ['−2', '−5', '−10'], '1.8'],
] as const)('the threshold dialog of the %s side offers distances on its own side', async (side, words, value) => {
  const { dialog, input } = await openDialog(side)
  const chips = within(dialog.getByRole('group', { name: 'Distance from the current ratio' })).getAllByRole('button')
  expect(chips.map(({ textContent }) => textContent)).toEqual(words.map((word) => `${word}\u00A0%`))
  await userEvent.click(chips[2]!)
  expect(input.value).toBe(value)
})

it('the threshold dialog offers no distances while the current ratio is not known', async () => {
  const { dialog } = await openDialog('High', { prices: { 0: 10 } })
  expect(dialog.queryByRole('group', { name: 'Distance from the current ratio' })).toBeNull()
})

it('the threshold dialog says what its side means to a holder', async () => {
  const { dialog } = await openDialog('High')
  expect(dialog.getByText('High: BTC is dear against ETH: one BTC buys more ETH than usual.')).toBeDefined()
})

const OFF = /^Alerts of this pair are off: nobody is told\./
const SWITCH_ON = 'Set & switch alerts on'

it('one press sets the threshold and switches alerts on, with push asked for within the press', async () => {
  const { app, card, dialog, id } = await openDialog('High')
  expect(dialog.getByText(OFF)).toBeDefined()
  fireEvent.click(dialog.getByRole('button', { name: SWITCH_ON }))
  expect(app.pushed).toEqual(['enable'])
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  await waitFor(() => expect(descriptionOf(box(card, 'High'))).toBe('2.1000, armed'))
  await waitFor(async () =>
    expect(await waitingChanges(app)).toMatchObject([
      { payload: { widget: id, body: { high_threshold: 2.1, low_threshold: 1.9, notifications_enabled: true } } },
    ]),
  )
})

it('a threshold set together with alerts is saved also where push is refused, and the box says that alerts are off', async () => {
  const { app, card, dialog } = await openDialog('High')
  app.answerPush(() => ({ ok: false, message: 'Push notifications are not supported by this browser.' }))
  await userEvent.click(dialog.getByRole('button', { name: SWITCH_ON }))
  expect(await screen.findByText('Push notifications are not supported by this browser.')).toBeDefined()
  await waitFor(() => expect(descriptionOf(box(card, 'High'))).toBe('2.1000, alerts are off, armed once they are on'))
  const [change] = await waitingChanges(app)
  expect(change?.payload).toEqual({
    widget: expect.anything(),
    body: { high_threshold: 2.1, high_threshold_active: true },
  })
})

it('the threshold dialog says that switching alerts on also sets a missing other side', async () => {
  const { dialog } = await openDialog('High')
  expect(dialog.getByText(OFF).textContent).toContain('Switching them on also sets Low, 5\u00A0% below now.')
})

it('the threshold dialog says nothing of an other side that is set', async () => {
  const { dialog } = await openDialog('Low', { widget: { high_threshold: 3 } })
  expect(dialog.getByText(OFF).textContent).toBe('Alerts of this pair are off: nobody is told.')
})

it('with alerts on the threshold dialog has the one button that sets the threshold', async () => {
  const { dialog } = await openDialog('High', { widget: { notifications_enabled: true } })
  expect(dialog.getByRole('button', { name: 'Set & Arm Alert' })).toBeDefined()
  expect(dialog.queryByRole('button', { name: SWITCH_ON })).toBeNull()
  expect(dialog.queryByText(OFF)).toBeNull()
})

it('a card with a threshold and alerts off says that nobody is told, and switches them on at one press', async () => {
  const { app, card } = await oneCard({ widget: { high_threshold: 3 } })
  expect(await card.findByText(/^Set, nobody is told:/)).toBeDefined()
  await userEvent.click(card.getByRole('button', { name: 'switch alerts on' }))
  expect(app.pushed).toEqual(['enable'])
  expect(await card.findByText('Tells you in the open app')).toBeDefined()
  await waitFor(() => expect(document.activeElement).toBe(card.getByRole('switch', { name: 'Alerts' })))
})

it('a card with alerts on says whether this device is told while the app is closed', async () => {
  const { app, card } = await oneCard({ widget: { high_threshold: 3, notifications_enabled: true } })
  act(() => app.store.set(pushStateAtom, 'on'))
  expect(await card.findByText('Tells you on this device and in the open app')).toBeDefined()
  act(() => app.store.set(pushStateAtom, 'blocked'))
  expect(await card.findByText('Tells you here only while the app is open')).toBeDefined()
})

it('a threshold is taken back with a toast when the local database fails', async () => {
  const reports = catchReports()
  const { app, card, dialog } = await openDialog('High')
  vi.spyOn(app.db.outbox, 'add').mockRejectedValue(new Error('The disk is full.'))
  await userEvent.click(dialog.getByRole('button', { name: 'Set & Arm Alert' }))
  expect(await screen.findByText('Failed to update BTC / ETH: The disk is full. Reverting change.')).toBeDefined()
  expect(descriptionOf(box(card, 'High'))).toBe('not set')
  expect(reports.length).toBe(1)
})

it('saving a threshold of a pair that another device has removed says that the pair is gone', async () => {
  const { app, id, dialog } = await openDialog('High')
  // The row goes without the live query having seen it: the command is faster.
  const removal = app.db.widgets.delete(id)
  await userEvent.click(dialog.getByRole('button', { name: 'Set & Arm Alert' }))
  await removal
  expect(await screen.findByText('This pair is no longer on your dashboard.')).toBeDefined()
})
