import { act, fireEvent, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, it } from 'vitest'
import { useEffect } from 'react'
import { readMeta } from '../../../../src/db/database'
import { FedDashboard } from '../../support/fed'
import { summariesAtom } from '../../../../src/state/live-data'
import { dashboardChoiceAtom } from '../../../../src/state/dashboard-choice'
import { seedCoins, seedLimit, seedPrices, seedWidgets, START, startLocalApp, summaryOf } from '../../support/local-app'
import { listOfThree, pairNames, rowOf } from './list-app'

const choose = (order: string) => userEvent.selectOptions(screen.getByRole('combobox', { name: 'Order' }), order)

it('the buttons Cards and List switch the view, and this device remembers it', async () => {
  const { app } = await listOfThree()
  const [cards, list] = ['Cards', 'List'].map((name) => () => screen.getByRole('button', { name }))
  await screen.findByRole('button', { name: 'Cards' })
  expect([cards!(), list!()].map((button) => button.getAttribute('aria-pressed'))).toEqual(['false', 'true'])
  await userEvent.click(cards!())
  expect(screen.getAllByRole('article')).toHaveLength(3)
  expect([cards!(), list!()].map((button) => button.getAttribute('aria-pressed'))).toEqual(['true', 'false'])
  await waitFor(async () => expect((await readMeta(app.db, 'dashboard'))?.view).toBe('cards'))
  await userEvent.click(list!())
  expect(pairNames()).toEqual(['BTC / ETH', 'C2 / C3', 'C4 / C5'])
  await waitFor(async () => expect((await readMeta(app.db, 'dashboard'))?.view).toBe('list'))
})

it('cards stand in for a list that cannot be loaded, and the order and the keys stay as they were chosen', async () => {
  const app = await startLocalApp()
  await seedCoins(app, 2)
  await seedLimit(app, 5)
  await seedWidgets(app, [[0, 1]])
  app.store.set(dashboardChoiceAtom, { view: 'list', order: 'near', keys: false })
  const Missing = ({ onClose }: { readonly onClose: () => void }) => {
    useEffect(() => onClose())
    return null
  }
  app.render(<FedDashboard List={Missing} onOpenChart={() => undefined} />)
  expect(await screen.findByRole('article')).toBeDefined()
  expect(app.store.get(dashboardChoiceAtom)).toEqual({ view: 'cards', order: 'near', keys: false })
})

it('a row shows ratio, 24h change, range and marks, and its link opens the chart', async () => {
  const { app, ids, opened } = await listOfThree([{ high_threshold: 1.5, notifications_enabled: true }])
  act(() => app.store.set(summariesAtom, new Map([['bitcoin/ethereum', summaryOf(0, 1)]])))
  const row = rowOf('BTC / ETH')
  expect(row.getByText('2.0000')).toBeDefined()
  expect(await row.findByText('+1.23%')).toBeDefined()
  expect(row.getByRole('img').getAttribute('aria-label')).toMatch(/^Now 2\.0000, .*high threshold 1\.5000/)
  expect(row.getByRole('rowheader').textContent).toContain('Above high')
  expect(row.getByText('25.00% above high')).toBeDefined()
  expect(row.getByText('Armed')).toBeDefined()
  const link = row.getByRole('link')
  expect(link.getAttribute('href')).toBe(`/chart/${ids[0]}`)
  fireEvent.click(link)
  expect(opened).toEqual([ids[0]])
})

it('a row whose thresholds are set and whose alerts are off says so, and never "Armed"', async () => {
  await listOfThree([{ high_threshold: 3 }])
  expect(rowOf('BTC / ETH').getByText('Alerts are off')).toBeDefined()
  expect(screen.queryByText('Armed')).toBeNull()
})

it('the menu of a row switches alerts, moves the pair, opens the threshold dialog and removes the pair', async () => {
  const { app } = await listOfThree()
  const open = () => userEvent.click(rowOf('BTC / ETH').getByRole('button', { name: 'Actions for BTC / ETH' }))
  await open()
  const alerts = screen.getByRole('menuitemcheckbox', { name: 'Alerts' })
  expect(alerts.getAttribute('aria-checked')).toBe('false')
  await userEvent.click(alerts)
  await waitFor(async () =>
    expect(await app.db.outbox.toArray()).toMatchObject([{ payload: { body: { notifications_enabled: true } } }]),
  )
  await open()
  expect(screen.getByRole('menuitemcheckbox', { name: 'Alerts' }).getAttribute('aria-checked')).toBe('true')
  await userEvent.click(screen.getByRole('menuitem', { name: 'Move last' }))
  await waitFor(() => expect(pairNames()).toEqual(['C2 / C3', 'C4 / C5', 'BTC / ETH']))
  expect(await screen.findByText('BTC / ETH moved to position 3 of 3.')).toBeDefined()
  await open()
  await userEvent.click(screen.getByRole('menuitem', { name: 'High threshold…' }))
  expect(await screen.findByRole('dialog', { name: 'BTC / ETH - High Alert' })).toBeDefined()
  await userEvent.click(screen.getByRole('button', { name: 'Close' }))
  await open()
  await userEvent.click(screen.getByRole('menuitem', { name: 'Remove pair…' }))
  await userEvent.click(await screen.findByRole('button', { name: 'Remove' }))
  await waitFor(() => expect(pairNames()).toEqual(['C2 / C3', 'C4 / C5']))
})

it('"Set & switch alerts on" in the dialog of a row sets the threshold and switches the pair’s alerts on', async () => {
  const { app, ids } = await listOfThree()
  await userEvent.click(rowOf('BTC / ETH').getByRole('button', { name: 'Actions for BTC / ETH' }))
  await userEvent.click(screen.getByRole('menuitem', { name: 'High threshold…' }))
  const input = await screen.findByRole('textbox', { name: 'Threshold' })
  await userEvent.clear(input)
  await userEvent.type(input, '3')
  await userEvent.click(screen.getByRole('button', { name: 'Set & switch alerts on' }))
  await waitFor(async () =>
    expect(await app.db.outbox.toArray()).toMatchObject([
      { payload: { widget: ids[0], body: { high_threshold: 3, notifications_enabled: true } } },
    ]),
  )
  expect(screen.queryByRole('dialog')).toBeNull()
})

it('pairs beyond a threshold come first in a computed order, and this device remembers the order', async () => {
  const { app } = await listOfThree([{ high_threshold: 3 }, { low_threshold: 0.1 }, { low_threshold: 1.1 }])
  expect(pairNames()).toEqual(['BTC / ETH', 'C2 / C3', 'C4 / C5'])
  await choose('Nearest to a threshold')
  expect(pairNames()).toEqual(['C4 / C5', 'BTC / ETH', 'C2 / C3'])
  await choose('Pair, Z to A')
  expect(pairNames()).toEqual(['C4 / C5', 'C2 / C3', 'BTC / ETH'])
  await waitFor(async () => expect((await readMeta(app.db, 'dashboard'))?.order).toBe('name-down'))
  await choose('By hand')
  expect(pairNames()).toEqual(['BTC / ETH', 'C2 / C3', 'C4 / C5'])
})

it('only in the order by hand can a row be moved', async () => {
  const { app } = await listOfThree()
  act(() => app.store.set(dashboardChoiceAtom, { view: 'list', order: 'near', keys: true }))
  await userEvent.click(rowOf('BTC / ETH').getByRole('button', { name: 'Actions for BTC / ETH' }))
  expect(screen.getByRole('menuitem', { name: 'Remove pair…' })).toBeDefined()
  expect(screen.queryByRole('menuitem', { name: 'Move last' })).toBeNull()
})

it('prices change a computed order at once while nobody is at the list', async () => {
  const { app } = await listOfThree([{ high_threshold: 3 }, { high_threshold: 0.6 }, { high_threshold: 9 }])
  await choose('Nearest to a threshold')
  fireEvent.blur(screen.getByRole('combobox', { name: 'Order' }))
  expect(pairNames()).toEqual(['C2 / C3', 'BTC / ETH', 'C4 / C5'])
  await seedPrices(app, { 0: 14.9, 1: 5, 2: 5, 3: 10, 4: 7, 5: 7 }, START + 1)
  await waitFor(() => expect(pairNames()).toEqual(['BTC / ETH', 'C2 / C3', 'C4 / C5']))
})

it.each([
  [
    'the mouse is over it',
    () => fireEvent.mouseEnter(screen.getAllByRole('rowgroup')[1]!),
    () => fireEvent.mouseLeave(screen.getAllByRole('rowgroup')[1]!),
  ],
  [
    'the focus is in it',
    () => act(() => rowOf('C4 / C5').getByRole('link').focus()),
    () => act(() => screen.getByRole('combobox', { name: 'Order' }).focus()),
  ],
])('prices do not change a computed order while %s, and do when it leaves', async (_where, come, go) => {
  const { app } = await listOfThree([{ high_threshold: 3 }, { high_threshold: 0.6 }, { high_threshold: 9 }])
  await choose('Nearest to a threshold')
  come()
  await seedPrices(app, { 0: 14.9, 1: 5, 2: 5, 3: 10, 4: 7, 5: 7 }, START + 1)
  await screen.findByText('2.9800')
  expect(pairNames()).toEqual(['C2 / C3', 'BTC / ETH', 'C4 / C5'])
  go()
  await waitFor(() => expect(pairNames()).toEqual(['BTC / ETH', 'C2 / C3', 'C4 / C5']))
})

it('the search shows the pairs whose symbols or names hold each word, and says when there are none', async () => {
  await listOfThree()
  const search = screen.getByRole('searchbox', { name: 'Search pairs' })
  await userEvent.type(search, 'bitcoin eth')
  expect(pairNames()).toEqual(['BTC / ETH'])
  expect(screen.getByText('1 of 3 pairs')).toBeDefined()
  await userEvent.type(search, 'x')
  expect(screen.getByText('No pair matches "bitcoin ethx"')).toBeDefined()
  await userEvent.keyboard('{Escape}')
  expect(pairNames()).toHaveLength(3)
})

it('Enter in the search opens the chart of the first pair that is found', async () => {
  const { ids, opened } = await listOfThree()
  await userEvent.type(screen.getByRole('searchbox', { name: 'Search pairs' }), 'c4{Enter}')
  await waitFor(() => expect(opened).toEqual([ids[2]]))
})
