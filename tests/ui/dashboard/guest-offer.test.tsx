import { act, screen, waitFor, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { expect, it } from 'vitest'
import { changeOwnerSyncState } from '../../../src/db/owner-sync-state'
import { GuestOfferLine } from '../../../src/features/dashboard/guest-offer'
import { accountAtom } from '../../../src/state/account'
import { Dialog } from '../../../src/ui/dialog'
import { type LocalApp, seedCoins, seedLimit, seedWidgets, signIn, startLocalApp } from '../support/local-app'

const dialog = () => screen.queryByRole('dialog', { name: 'Bring your pairs along?' })
const press = (name: string) => userEvent.click(screen.getByRole('button', { name }))
const created = async ({ db }: LocalApp) =>
  (await db.outbox.orderBy('seq').toArray()).flatMap(({ kind, label }) => (kind === 'widget.create@1' ? [label] : []))

/** A user in whose browser a guest has left three pairs, under a limit of so many. */
async function start(limit: number, ui = <GuestOfferLine />) {
  const app = await startLocalApp()
  await seedCoins(app, 6)
  await seedWidgets(app, 3)
  const owner = await signIn(app, { premium: false })
  await seedLimit(app, limit)
  await changeOwnerSyncState(app.db, owner, { pulled_at: 1 })
  await waitFor(() => expect(app.store.get(accountAtom)?.owner).toBe(owner))
  app.render(ui)
  return { app, owner }
}

it('the question says how many pairs there are, “Bring them along” queues them, and no line stays', async () => {
  const { app } = await start(5)
  await waitFor(() => expect(dialog()).not.toBeNull())
  expect(within(dialog()!).getByText('3 pairs from before you logged in are kept in this browser.')).toBeTruthy()
  await press('Bring them along')
  await waitFor(() => expect(dialog()).toBeNull())
  expect(await created(app)).toEqual(['BTC/ETH', 'C2/C3', 'C4/C5'])
  expect(app.syncs).toContain('command')
  expect(screen.queryByText(/kept in this browser/)).toBeNull()
})

it('pairs come along without a question where the user has said so when making the account', async () => {
  const { app, owner } = await start(2, <></>)
  await changeOwnerSyncState(app.db, owner, { brings_guest: true })
  app.render(<GuestOfferLine />)
  expect(await screen.findByText(/^1 pair from before you logged in is kept in this browser/)).toBeTruthy()
  expect(dialog()).toBeNull()
  expect(await created(app)).toEqual(['BTC/ETH', 'C2/C3'])
})

it.each(['Not now', 'Close'])('“%s” takes the question away, and a line goes on offering the pairs', async (name) => {
  const { app } = await start(5)
  await waitFor(() => expect(dialog()).not.toBeNull())
  await press(name)
  await waitFor(() => expect(dialog()).toBeNull())
  expect(screen.getByText('3 pairs from before you logged in are kept in this browser.')).toBeTruthy()
  expect(await created(app)).toEqual([])
  await press('Bring them along')
  await waitFor(() => expect(screen.queryByText(/kept in this browser/)).toBeNull())
  expect(await created(app)).toHaveLength(3)
})

it('pairs beyond the plan’s limit are named in the question, stay in a line, and are asked about after an upgrade', async () => {
  const { app } = await start(2)
  await waitFor(() => expect(dialog()).not.toBeNull())
  expect(within(dialog()!).getByText(/Your plan has no room for one more/)).toBeTruthy()
  await press('Bring them along')
  await waitFor(() => expect(dialog()).toBeNull())
  expect(
    screen.getByText(
      '1 pair from before you logged in is kept in this browser. It comes along when your plan has room.',
    ),
  ).toBeTruthy()
  expect(screen.queryByRole('button', { name: 'Bring them along' })).toBeNull()
  await act(() => seedLimit(app, 9))
  await waitFor(() => expect(dialog()).not.toBeNull())
  await press('Bring them along')
  await waitFor(() => expect(dialog()).toBeNull())
  expect(await created(app)).toEqual(['BTC/ETH', 'C2/C3', 'C4/C5'])
})

it('the question waits while another dialog is open', async () => {
  const { app } = await start(
    5,
    <>
      <Dialog title="Another" onClose={() => undefined}>
        Text
      </Dialog>
      <GuestOfferLine />
    </>,
  )
  await waitFor(() => expect(screen.getByText(/3 pairs from before/)).toBeTruthy())
  expect(dialog()).toBeNull()
  expect(await created(app)).toEqual([])
})

it('no question is asked and no line shown while the session has expired with the question open', async () => {
  const { app } = await start(5)
  await waitFor(() => expect(dialog()).not.toBeNull())
  await app.db.session.update('current', { tokens: null })
  await waitFor(() => expect(dialog()).toBeNull())
  await app.db.session.update('current', { tokens: { access: 'a', refresh: 'r' } })
  await waitFor(() => expect(dialog()).not.toBeNull())
})

it('a guest, and a user whose own pairs are not known yet, are asked nothing', async () => {
  const { app, owner } = await start(5)
  await waitFor(() => expect(dialog()).not.toBeNull())
  await changeOwnerSyncState(app.db, owner, { pulled_at: null })
  await waitFor(() => expect(dialog()).toBeNull())
  expect(screen.queryByText(/kept in this browser/)).toBeNull()
})
