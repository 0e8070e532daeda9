import { expect, type Page } from 'playwright/test'
import type { Widget } from '../../../src/contract/widget'
import type { AlertWorld } from './alert-world'
import { card, installed } from './app'
import { fetchBoard } from './board'
import { serverKnows } from './known-prices'
import { registeredPush } from './push-registration'
import { seedPairs } from './seed-board'
import { alertSwitch } from './threshold'
import { anonymousId, type Asker, waitingChanges, widgetsOnServer } from './truth'

/** USD: ratios to Ethereum of 25 and 0.05; the thresholds that are set by themselves lie 5 % away. */
export const CALM = { bitcoin: 100_000, ethereum: 4_000, solana: 200 }
/** Both above their thresholds: 27.5 and 0.055. */
export const CROSSED = { bitcoin: 110_000, ethereum: 4_000, solana: 220 }

/** Opens the app while nothing is beyond any threshold that will be set by itself. */
export async function openCalm(page: Page, { market, server }: AlertWorld): Promise<void> {
  await market.pin(CALM)
  await serverKnows(server.origin, CALM)
  await page.goto('/')
  await installed(page)
}

/** Opens the app as a guest who watches these pairs, all of them calm. @returns the guest's id */
export async function openWatching(
  page: Page,
  world: AlertWorld,
  pairs: readonly ('BTC / ETH' | 'SOL / ETH')[],
): Promise<string> {
  await openCalm(page, world)
  const guest = await anonymousId(page)
  for (const pair of pairs) await watchPair(page, world, { guest }, pair)
  return guest
}

/** Gives somebody a pair and switches its alerts on; server and push service know of all of it then. */
export async function watchPair(
  page: Page,
  { server }: AlertWorld,
  asker: Asker,
  pair: 'BTC / ETH' | 'SOL / ETH',
): Promise<void> {
  await seedPairs(server.origin, asker, [pair])
  await fetchBoard(page)
  await expect(card(page, pair)).toContainText(pair === 'BTC / ETH' ? '25.0' : '0.05')
  await alertSwitch(page, pair).click()
  await expect(alertSwitch(page, pair)).toBeChecked()
  await expect.poll(() => registeredPush(page)).not.toBeNull()
  // The pair's own change is made only after the device is registered.
  const areOn = async () => (await widgetsOnServer(server.origin, asker)).every((one) => one.notifications_enabled)
  await expect.poll(areOn).toBe(true)
  await expect.poll(() => waitingChanges(page)).toBe(0)
}

/** The first widget of somebody, as the server has it. */
export async function firstWidget({ server }: AlertWorld, asker: Asker): Promise<Widget> {
  const [widget] = await widgetsOnServer(server.origin, asker)
  if (widget === undefined) throw new Error('The server has no pair of theirs.')
  return widget
}

/** Goes back to where nothing is beyond its threshold, until the server has armed the first pair's high side again. */
export async function calmDown(world: AlertWorld, asker: Asker): Promise<void> {
  await world.market.pin(CALM)
  await expect.poll(() => firstWidget(world, asker)).toMatchObject({ high_threshold_active: true })
}
