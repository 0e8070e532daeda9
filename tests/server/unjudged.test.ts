/** @module-tag both-engines */
import { beforeEach, expect, test } from 'vitest'
import type { AlertsAnswer } from '../../src/contract/alerts'
import { DAY, HOUR, MINUTE } from '../../src/domain/granularity'
import { inTransaction } from '../../server/db/open'
import { alert_events, alert_source } from '../../server/db/schema/alerts'
import { unjudgedJob } from '../../server/services/alerts/tell-unjudged'
import { savePrices } from '../../server/services/market/prices/stored-prices'
import { fanOut } from '../../server/services/push/delivery-queue'
import { listCoins, pricesOf } from './support/alert-prices'
import { withServer } from './support/for-file'

const COINS = { bitcoin: 20, ethereum: 1, solana: 2 }
const ALL = Object.keys(COINS) as (keyof typeof COINS)[]
const server = withServer()
beforeEach(async () => {
  await server.reset()
  await listCoins(server.database.pool, ALL)
  await server.database.orm.insert(alert_source).values({ id: 1, source: 'simulated' }).onConflictDoNothing()
})

/** A guest with a pair whose high threshold waits. */
async function watcher(change = {}) {
  const guest = server.guest()
  const { id } = await guest.add('bitcoin', 'ethereum')
  await guest.update(id, { high_threshold: 1e6, notifications_enabled: true, ...change })
  return { guest, id }
}
const look = () =>
  unjudgedJob({ database: server.database, clock: server.clock, atOnce: 1 }, 'simulated').run(AbortSignal.any([]))
/** Time passes, in which the provider gives prices of these coins, and the server looks every five minutes. */
async function pass(ms: number, coins: readonly (keyof typeof COINS)[]) {
  for (let passed = 0; passed < ms; passed += 5 * MINUTE) {
    server.clock.advance(5 * MINUTE)
    const now = server.clock()
    const prices = pricesOf(Object.fromEntries(coins.map((coin) => [coin, COINS[coin]])), now)
    await inTransaction(server.database.pool, (client) =>
      savePrices(client, 'simulated', prices, now, { history: false }),
    )
    await look()
  }
}
const told = async () => (await server.rows(alert_events)).filter(({ kind }) => kind === 'unjudged')

test('a pair with an old price is told of once after an hour, to each owner with something armed, and again after it was judged', async () => {
  const [one, two] = [await watcher(), await watcher()]
  await watcher({ notifications_enabled: false })
  await watcher({ high_threshold: null })
  await pass(HOUR, ALL)
  await pass(HOUR, ['bitcoin', 'solana'])
  expect(await told()).toEqual([])
  const lastPrice = server.clock() - HOUR
  await pass(4 * HOUR, ['bitcoin', 'solana'])
  const events = await told()
  expect(events.map(({ widget_id }) => widget_id).toSorted()).toEqual([one.id, two.id].toSorted())
  const { crossed_at, measure, side, loudness, epoch } = events[0]!
  expect([side, loudness, measure]).toEqual(['low', 'quiet', (crossed_at.getTime() - lastPrice) / MINUTE])
  expect(measure).toBeLessThanOrEqual(75)
  await fanOut(server.database, crossed_at.getTime())
  const { body } = await one.guest.ask<AlertsAnswer>('GET', '/alerts?kinds=unjudged')
  expect(body.alerts).toMatchObject([{ event_id: `unjudged:${one.id}:${epoch}`, kind: 'unjudged', not_sent: 'no-way' }])
  expect((await one.guest.ask<AlertsAnswer>('GET', '/alerts')).body.alerts).toEqual([])
  await pass(HOUR, ALL)
  await pass(2 * HOUR, ['bitcoin', 'solana'])
  expect(await told()).toHaveLength(4)
})

test('no pair is blamed for a provider that fails, a server that was down, or two looks of processes at once', async () => {
  await watcher()
  await pass(HOUR, ALL)
  await pass(5 * HOUR, [])
  server.clock.advance(DAY)
  await pass(50 * MINUTE, ['bitcoin', 'solana'])
  await Promise.all(Array.from({ length: 20 }, look))
  expect(await told()).toEqual([])
  await pass(15 * MINUTE, ['bitcoin', 'solana'])
  expect(await told()).toHaveLength(1)
})
