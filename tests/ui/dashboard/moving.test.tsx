import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, it } from 'vitest'
import { FedDashboard } from '../support/fed'
import { seedCoins, seedLimit, seedWidgets, startLocalApp, noticesOf } from '../support/local-app'
import { catchReports } from '../support/reports'

const names = () => screen.getAllByRole('article').map((card) => within(card).getByRole('heading').textContent)

async function board(limit: number, pairs: Parameters<typeof seedWidgets>[1]) {
  const app = await startLocalApp()
  await seedCoins(app, 10)
  await seedLimit(app, limit)
  const ids = await seedWidgets(app, pairs)
  app.render(<FedDashboard />)
  await screen.findAllByRole('article')
  return { app, ids }
}

async function choose(card: string, move: string) {
  await userEvent.click(within(screen.getByRole('article', { name: card })).getByRole('button', { name: 'Move pair' }))
  await userEvent.click(await screen.findByRole('menuitem', { name: move }))
}

it('the move menu moves a card, announces the new position and puts the order into the outbox', async () => {
  const { app, ids } = await board(5, 3)
  await choose('BTC / ETH', 'Move later')
  await waitFor(() => expect(names()).toEqual(['C2 / C3', 'BTC / ETH', 'C4 / C5']))
  expect(await screen.findByText('BTC / ETH moved to position 2 of 3.')).toBeDefined()
  expect(await screen.findByText('Unsaved changes')).toBeDefined()
  const [entry] = await app.db.outbox.toArray()
  expect(entry?.payload).toEqual({ ordered_ids: [ids[1], ids[0], ids[2]] })
  await choose('BTC / ETH', 'Move last')
  await waitFor(() => expect(names()).toEqual(['C2 / C3', 'C4 / C5', 'BTC / ETH']))
  await choose('BTC / ETH', 'Move first')
  await waitFor(() => expect(names()).toEqual(['BTC / ETH', 'C2 / C3', 'C4 / C5']))
})

it('the move menu of the first card offers only Move later and Move last', async () => {
  await board(5, 3)
  await userEvent.click(
    within(screen.getByRole('article', { name: 'BTC / ETH' })).getByRole('button', { name: 'Move pair' }),
  )
  const offered = (await screen.findAllByRole('menuitem')).filter((item) => !item.hasAttribute('disabled'))
  expect(offered.map((item) => item.textContent)).toEqual(['Move later', 'Move last'])
})

it('a card moved first by its menu stays within its section', async () => {
  const { app, ids } = await board(2, 4)
  await choose('C6 / C7', 'Move first')
  await waitFor(() => expect(names()).toEqual(['BTC / ETH', 'C2 / C3', 'C6 / C7', 'C4 / C5']))
  const [entry] = await app.db.outbox.toArray()
  expect(entry?.payload).toEqual({ ordered_ids: [ids[0], ids[1], ids[3], ids[2]] })
})

it('keys work the move menu: Enter opens, arrows walk, Escape closes and gives the focus back', async () => {
  await board(5, 3)
  const handle = within(screen.getByRole('article', { name: 'C2 / C3' })).getByRole('button', { name: 'Move pair' })
  handle.focus()
  await userEvent.keyboard('{Enter}')
  await screen.findByRole('menu')
  await waitFor(() => expect(document.activeElement?.textContent).toBe('Move first'))
  await userEvent.keyboard('{ArrowUp}')
  expect(document.activeElement?.textContent).toBe('Move last')
  await userEvent.keyboard('{ArrowDown}{ArrowDown}')
  expect(document.activeElement?.textContent).toBe('Move earlier')
  await userEvent.keyboard('{Escape}')
  expect(screen.queryByRole('menu')).toBeNull()
  expect(document.activeElement).toBe(handle)
})

it('the card of a lone pair has no move handle', async () => {
  await board(5, [[0, 1]])
  expect(screen.queryByRole('button', { name: 'Move pair' })).toBeNull()
})

const said = /moved to position/

it('a move across active and inactive pairs shows an error and leaves the cards in their order', async () => {
  const { app } = await board(3, 3)
  const card = within(screen.getByRole('article', { name: 'C4 / C5' }))
  await userEvent.click(card.getByRole('button', { name: 'Move pair' }))
  const moveFirst = await screen.findByRole('menuitem', { name: 'Move first' })
  // The tier shrinks in this moment; the screen does not know yet that the third pair is inactive.
  await seedLimit(app, 2)
  fireEvent.click(moveFirst)
  await waitFor(() =>
    expect(noticesOf(app)).toMatchObject([
      { kind: 'error', message: 'Cannot mix active and inactive widgets. Reverting layout.' },
    ]),
  )
  await screen.findByRole('region', { name: /^Inactive Widgets/ })
  expect(names()).toEqual(['BTC / ETH', 'C2 / C3', 'C4 / C5'])
  expect(screen.queryByText(said)).toBeNull()
  expect(await app.db.outbox.count()).toBe(0)
})

it('a move that this device cannot store shows an error, and the card goes back', async () => {
  const { app } = await board(5, 3)
  const reports = catchReports()
  app.db.outbox.hook('creating', () => {
    throw new Error('The disk is full.')
  })
  await choose('BTC / ETH', 'Move last')
  await waitFor(() =>
    expect(noticesOf(app)).toMatchObject([{ kind: 'error', message: 'Error: Could not save your new layout.' }]),
  )
  await waitFor(() => expect(names()).toEqual(['BTC / ETH', 'C2 / C3', 'C4 / C5']))
  expect(screen.queryByText(said)).toBeNull()
  expect(reports).toHaveLength(1)
})

const slotOf = (card: string) => screen.getByRole('article', { name: card }).parentElement!
const loaded = () => waitFor(() => expect(document.querySelector('[id^="DndLiveRegion"]')).not.toBeNull())

it('a card picked up by key moves 25 px with every press of an arrow key', async () => {
  await board(5, 3)
  const handle = within(screen.getByRole('article', { name: 'BTC / ETH' })).getByRole('button', { name: 'Move pair' })
  handle.focus()
  await loaded()
  fireEvent.keyDown(handle, { key: ' ', code: 'Space' })
  await screen.findByText('BTC / ETH picked up at position 1 of 3.')
  fireEvent.keyDown(handle, { key: 'ArrowDown', code: 'ArrowDown' })
  await waitFor(() => expect(slotOf('BTC / ETH').style.transform).toBe('translate3d(0px, 25px, 0)'))
  fireEvent.keyDown(handle, { key: 'ArrowRight', code: 'ArrowRight' })
  await waitFor(() => expect(slotOf('BTC / ETH').style.transform).toBe('translate3d(25px, 25px, 0)'))
  fireEvent.keyDown(handle, { key: 'Escape', code: 'Escape' })
  await screen.findByText('Moving cancelled; BTC / ETH is where it was.')
})

it('dragging a card begins when the pointer has moved more than 8 px', async () => {
  await board(5, 3)
  const handle = within(screen.getByRole('article', { name: 'BTC / ETH' })).getByRole('button', { name: 'Move pair' })
  await loaded()
  fireEvent.pointerDown(handle, { isPrimary: true, button: 0, clientX: 100, clientY: 100 })
  fireEvent.pointerMove(document, { clientX: 100, clientY: 108 })
  expect(slotOf('BTC / ETH').hasAttribute('data-dragging')).toBe(false)
  fireEvent.pointerMove(document, { clientX: 100, clientY: 109 })
  await waitFor(() => expect(slotOf('BTC / ETH').hasAttribute('data-dragging')).toBe(true))
  fireEvent.pointerUp(document, { clientX: 100, clientY: 109 })
  await waitFor(() => expect(slotOf('BTC / ETH').hasAttribute('data-dragging')).toBe(false))
})

it('picking a card up by Space and putting it back by Escape is announced, and opens no menu', async () => {
  await board(5, 3)
  const handle = within(screen.getByRole('article', { name: 'BTC / ETH' })).getByRole('button', { name: 'Move pair' })
  handle.focus()
  // Drag and drop is loaded after the first paint.
  await waitFor(() => expect(document.querySelector('[id^="DndLiveRegion"]')).not.toBeNull())
  fireEvent.keyDown(handle, { key: ' ', code: 'Space' })
  expect(await screen.findByText('BTC / ETH picked up at position 1 of 3.')).toBeDefined()
  fireEvent.keyDown(handle, { key: 'Escape', code: 'Escape' })
  expect(await screen.findByText('Moving cancelled; BTC / ETH is where it was.')).toBeDefined()
  expect(screen.queryByRole('menu')).toBeNull()
  expect(names()).toEqual(['BTC / ETH', 'C2 / C3', 'C4 / C5'])
})
