import { screen, within } from '@testing-library/react'
import type { WidgetRow } from '../../../../src/db/rows'
import { FedDashboard } from '../../support/fed'
import { PairList } from '../../../../src/features/widget-card/list/pair-list'
import type { ListSlot } from '../../../../src/state/card-slot'
import { dashboardChoiceAtom } from '../../../../src/state/dashboard-choice'
import { seedCoins, seedLimit, seedPrices, seedWidgets, startLocalApp } from '../../support/local-app'

/** The list as a phone shows it, without a chart beside it. */
export function List(slot: ListSlot) {
  return <PairList {...slot} atDesk={false} named={null} renderChart={() => null} onCloseChart={() => true} />
}

/** A dashboard that shows its pairs as a list: BTC / ETH at 2, C2 / C3 at 0.5, C4 / C5 at 1. */
export async function listOfThree(values: readonly Partial<WidgetRow>[] = []) {
  const app = await startLocalApp()
  await seedCoins(app, 6)
  await seedLimit(app, 5)
  const ids = await seedWidgets(app, 3)
  for (const [index, value] of values.entries()) await app.db.widgets.update(ids[index]!, value)
  await seedPrices(app, { 0: 10, 1: 5, 2: 5, 3: 10, 4: 7, 5: 7 })
  app.store.set(dashboardChoiceAtom, { view: 'list', order: 'hand', keys: true })
  const opened: string[] = []
  app.render(<FedDashboard List={List} onOpenChart={(id) => opened.push(id)} />)
  await screen.findByRole('table', { name: 'Pairs' })
  return { app, ids, opened }
}

const rows = () => screen.getAllByRole('row').filter((row) => within(row).queryByRole('rowheader') !== null)
export const pairNames = () => rows().map((row) => within(row).getByRole('link').textContent)
export const rowOf = (pair: string) => {
  const row = rows().find((one) => within(one).getByRole('link').textContent === pair)
  if (row === undefined) throw new Error(`no row ${pair}`)
  return within(row)
}
