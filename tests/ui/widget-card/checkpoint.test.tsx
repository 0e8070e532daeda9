import { Dexie } from 'dexie'
import { screen, waitFor, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { expect, it, vi } from 'vitest'
import { addWidget } from '../../../src/db/commands/widgets'
import { openDialog } from '../support/open-dialog'
import { formatShortDateTime } from '../../../src/domain/local-time'
import { coinNumber, noticesOf, seedCheckpoints, seedPrices, signIn, START } from '../support/local-app'
import { catchReports } from '../support/reports'
import { descriptionOf, oneCard, waitingChanges } from './one-card'

type Card = Awaited<ReturnType<typeof oneCard>>['card']
const field = (card: Card) => card.getByRole('button', { name: 'Checkpoint' })
const ratio = (card: Card) => card.getByRole('button', { name: 'Current ratio' })
const since = (card: Card) => card.getByText('Since checkpoint').nextSibling?.textContent
const manage = (card: Card) => card.getByRole('button', { name: 'Manage checkpoints' })
const remove = (card: Card) => card.getByRole('button', { name: 'Delete checkpoint' })

it('the checkpoint field of a card says None saved while there is no checkpoint', async () => {
  const { card } = await oneCard()
  expect(descriptionOf(field(card))).toBe('None saved')
  expect(field(card).getAttribute('aria-pressed')).toBe('false')
  expect(since(card)).toBe('n.a.')
  expect((remove(card) as HTMLButtonElement).disabled).toBe(true)
})

it('the checkpoint field shows ratio and local time of the default checkpoint, and the change since', async () => {
  const { app, id, card } = await oneCard()
  await seedCheckpoints(app, id, [1.5, 1.6], 1)
  await waitFor(() =>
    expect(descriptionOf(field(card))).toBe(`1.6000 ${formatShortDateTime(START - 3_600_000, START)}`),
  )
  await waitFor(() => expect(since(card)).toBe('+25.00%'))
  await seedPrices(app, { 0: 4, 1: 5 }, START + 1)
  await waitFor(() => expect(since(card)).toBe('−50.00%'))
})

it('a click on the ratio saves the default checkpoint while the checkpoint field is armed, and only then', async () => {
  const { app, id, card } = await oneCard()
  await card.findByText('2.0000')
  await userEvent.click(ratio(card))
  expect(await waitingChanges(app)).toEqual([])

  await userEvent.click(field(card))
  expect(field(card).getAttribute('aria-pressed')).toBe('true')
  expect(descriptionOf(field(card))).toBe('Click the ratio to save it')
  expect(card.getByRole('status').textContent).toBe(
    'Press Current ratio to save it, or Escape to keep the checkpoint as it is.',
  )
  await userEvent.click(ratio(card))
  expect(field(card).getAttribute('aria-pressed')).toBe('false')
  await waitFor(() => expect(descriptionOf(field(card))).toBe(`2.0000 ${formatShortDateTime(START, START)}`))
  await waitFor(() => expect(since(card)).toBe('0.00%'))
  await waitFor(async () => expect((await waitingChanges(app)).length).toBe(1))
  expect(await waitingChanges(app)).toMatchObject([
    {
      kind: 'checkpoint.anonymous-create@1',
      payload: { widget: id, body: { ratio: 2, timestamp: new Date(START).toISOString(), is_default: true } },
    },
  ])
  expect(app.syncs).toContain('command')
})

it('a checkpoint is saved by keyboard, and Escape disarms the field wherever the focus is', async () => {
  const { card } = await oneCard()
  await card.findByText('2.0000')
  field(card).focus()
  await userEvent.keyboard('{Enter}')
  expect(field(card).getAttribute('aria-pressed')).toBe('true')
  await userEvent.keyboard('{Escape}')
  expect(field(card).getAttribute('aria-pressed')).toBe('false')
  await userEvent.keyboard('{Enter}')
  ratio(card).focus()
  await userEvent.keyboard('{Escape}')
  expect(field(card).getAttribute('aria-pressed')).toBe('false')
  field(card).focus()
  await userEvent.keyboard(' ')
  ratio(card).focus()
  await userEvent.keyboard('{Enter}')
  await waitFor(() => expect(descriptionOf(field(card))).toContain('2.0000'))
})

it('a second click on the checkpoint field disarms the field, and nothing is saved', async () => {
  const { app, card } = await oneCard()
  await userEvent.click(field(card))
  await userEvent.click(field(card))
  await userEvent.click(ratio(card))
  expect(field(card).getAttribute('aria-pressed')).toBe('false')
  expect(await waitingChanges(app)).toEqual([])
})

it('a threshold that is opened while the checkpoint field is armed disarms the field', async () => {
  const { card } = await oneCard()
  await userEvent.click(field(card))
  await userEvent.click(card.getByRole('button', { name: 'High threshold' }))
  await userEvent.click(await screen.findByRole('button', { name: 'Cancel' }))
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  expect(field(card).getAttribute('aria-pressed')).toBe('false')
})

it('the checkpoint field stays armed while there is no ratio to save, and a toast says why', async () => {
  const { app, card } = await oneCard({ prices: { 0: 10 } })
  await userEvent.click(field(card))
  await userEvent.click(ratio(card))
  expect(await screen.findByText('The current ratio is not known yet, so there is nothing to save.')).toBeDefined()
  expect(field(card).getAttribute('aria-pressed')).toBe('true')
  expect(await waitingChanges(app)).toEqual([])
})

it('saving a checkpoint updates a user’s default checkpoint and leaves the others', async () => {
  const { app, id, card } = await oneCard({ seed: signIn })
  const [, second] = await seedCheckpoints(app, id, [1.5, 1.6], 1)
  await waitFor(() => expect(descriptionOf(field(card))).toContain('1.6000'))
  await userEvent.click(field(card))
  await userEvent.click(ratio(card))
  await waitFor(() => expect(descriptionOf(field(card))).toContain('2.0000'))
  await waitFor(async () =>
    expect(await waitingChanges(app)).toMatchObject([
      { kind: 'checkpoint.update@1', payload: { widget: id, checkpoint: second, body: { ratio: 2 } } },
    ]),
  )
})

it('a checkpoint that cannot be saved or deleted stays as it was, with a toast', async () => {
  const reports = catchReports()
  const { app, id, card } = await oneCard()
  await seedCheckpoints(app, id, [1.5])
  await waitFor(() => expect(descriptionOf(field(card))).toContain('1.5000'))
  vi.spyOn(app.db.outbox, 'add').mockRejectedValue(new Error('the disk is full'))
  await userEvent.click(field(card))
  await userEvent.click(ratio(card))
  const message = await screen.findByText('Failed to save checkpoint: the disk is full')
  expect(descriptionOf(field(card))).toContain('1.5000')
  await userEvent.click(message)
  await userEvent.click(remove(card))
  expect(await screen.findByText('Failed to delete default checkpoint: the disk is full')).toBeDefined()
  expect(descriptionOf(field(card))).toContain('1.5000')
  expect(reports.length).toBe(2)
})

it('the card shows a saved and a deleted checkpoint once each is stored, and not before', async () => {
  const { app, card } = await oneCard()
  await card.findByText('2.0000')
  for (const [press, before, after] of [
    [ratio, 'None saved', /^2\.0000/],
    [remove, /^2\.0000/, 'None saved'],
  ] as const) {
    const shown = () => descriptionOf(field(card))
    let release: () => void = () => {}
    // Another tab's transaction: the command's waits behind it.
    const other = app.db.transaction('rw', app.db.outbox, () =>
      Dexie.waitFor(new Promise<void>((resolve) => (release = resolve)), 60_000),
    )
    if (press === ratio) await userEvent.click(field(card))
    await userEvent.click(press(card))
    expect(shown()).toMatch(before)
    release()
    await other
    await waitFor(() => expect(shown()).toMatch(after))
  }
})

it('the delete button of a card deletes the checkpoint', async () => {
  const { app, id, card } = await oneCard()
  await seedCheckpoints(app, id, [1.5])
  await waitFor(() => expect((remove(card) as HTMLButtonElement).disabled).toBe(false))
  await userEvent.click(remove(card))
  await waitFor(() => expect(descriptionOf(field(card))).toBe('None saved'))
  expect(await waitingChanges(app)).toMatchObject([{ kind: 'checkpoint.anonymous-delete@1', payload: { widget: id } }])
})

it('deleting the default checkpoint makes the last of the others the default', async () => {
  const { app, id, card } = await oneCard({ seed: signIn })
  await seedCheckpoints(app, id, [1.5, 1.6, 1.7])
  await waitFor(() => expect(descriptionOf(field(card))).toContain('1.5000'))
  await userEvent.click(remove(card))
  await waitFor(() => expect(descriptionOf(field(card))).toContain('1.7000'))
  expect((await waitingChanges(app)).length).toBe(1)
})

it.each([
  ['a guest', async () => undefined],
  ['a free user', (app: Parameters<typeof signIn>[0]) => signIn(app, { premium: false })],
])('managing checkpoints is locked for %s, with the reason and an offer to upgrade', async (_, seed) => {
  const { app, card } = await oneCard({ seed })
  expect(manage(card).getAttribute('aria-disabled')).toBe('true')
  expect(descriptionOf(manage(card))).toBe('Upgrade to manage multiple checkpoints')
  await userEvent.click(manage(card))
  expect(await screen.findByText('Upgrade to manage multiple checkpoints.')).toBeDefined()
  expect(openDialog(app.store, 'checkpoints')).toBeUndefined()
  await userEvent.click(screen.getByRole('button', { name: 'Upgrade' }))
  expect(openDialog(app.store, 'upgrade')).toBeDefined()
})

it('managing checkpoints opens the list for a premium user', async () => {
  const { app, id, card } = await oneCard({ seed: signIn })
  await waitFor(() => expect(manage(card).getAttribute('aria-disabled')).toBe('false'))
  await userEvent.click(manage(card))
  expect(openDialog(app.store, 'checkpoints')).toEqual({ kind: 'checkpoints', widget: id })
})

it('managing checkpoints is locked while the pair is not saved', async () => {
  const { app } = await oneCard({ seed: signIn })
  await addWidget(app.services.commands, { coinA: coinNumber(1).id, coinB: coinNumber(0).id })
  const pending = within(await screen.findByRole('article', { name: 'ETH / BTC' }))
  expect(manage(pending).getAttribute('aria-disabled')).toBe('true')
  expect(descriptionOf(manage(pending))).toBe('Checkpoints can be managed once the pair is saved')
  await userEvent.click(manage(pending))
  expect(openDialog(app.store, 'checkpoints')).toBeUndefined()
})

it('one tap that replaces or deletes a checkpoint can be undone, offline too; a first one is sent at once', async () => {
  const { app, id, card } = await oneCard()
  await card.findByText('2.0000')
  const save = async () => {
    await userEvent.click(field(card))
    await userEvent.click(ratio(card))
  }
  await save()
  await waitFor(async () => expect(await app.db.outbox.toArray()).toMatchObject([{ not_before: 0 }]))
  expect(noticesOf(app)).toEqual([])

  await app.db.outbox.clear()
  await seedCheckpoints(app, id, [1.5, 1.6], 1)
  await waitFor(() => expect(descriptionOf(field(card))).toContain('1.6000'))
  for (const [tap, said] of [
    [save, 'Checkpoint of BTC / ETH replaced.'],
    [() => userEvent.click(remove(card)), 'Checkpoint of BTC / ETH deleted.'],
  ] as const) {
    await tap()
    await waitFor(() => expect(noticesOf(app).at(-1)).toMatchObject({ message: said, action: { label: 'Undo' } }))
    expect(descriptionOf(field(card))).not.toContain('1.6000')
    expect((await app.db.outbox.toArray())[0]!.not_before).toBeGreaterThanOrEqual(START + 10_000)
    noticesOf(app).at(-1)!.action!.run()
    await waitFor(() => expect(descriptionOf(field(card))).toContain('1.6000'))
    expect(await waitingChanges(app)).toEqual([])
  }
})
