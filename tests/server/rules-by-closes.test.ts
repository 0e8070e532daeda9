import { expect, test } from 'vitest'
import { alert_events } from '../../server/db/schema/alerts'
import { agedStanding } from '../../src/domain/ages'
import { decodeDailyMatrix } from '../../src/domain/daily-matrix'
import type { CoinId } from '../../src/domain/ids'
import { DAY, MINUTE } from '../../src/domain/granularity'
import { wave } from './support/coingecko-stand-in'
import { clock, database, gecko, runJob, startMarket, useMarketScene } from './support/market-scene'
import { key } from './support/person'
import { testApp } from './support/test-app'
import { user } from './support/user'

useMarketScene()

const [A, B] = ['bitcoin', 'ethereum'] as [CoinId, CoinId]

test('alerts of deviations fire with the first polled price that the card places beyond their level, above and below, by the stored closes', async () => {
  // Until now the pair sways by 5 per cent.
  const [begun, now] = [clock(), { percent: 0 }]
  const usdOfB = wave(4_000)
  const percentAt = (time: number) => (time < begun ? 5 * Math.sin(time / (2 * DAY)) : now.percent)
  const usdOfA = (time: number) => Number((usdOfB(time) * (25 + percentAt(time) / 4)).toPrecision(10))
  gecko.coins.set(A, { id: A, rank: 1, price: usdOfA })
  const market = await startMarket()
  const app = await testApp({ database, market, clock })
  const owner = await user(app, { premium: true })
  const { id } = await owner.add(A, B)
  for (const rule of [
    { kind: 'z_above', level: 1.5, window: 90 },
    { kind: 'z_below', level: -1.5, window: 90 },
  ]) {
    expect((await owner.ask('POST', `/widgets/${id}/rules`, rule, key(undefined))).status).toBe(201)
  }
  for (let run = 0; run < 6; run++) await runJob(market, 'market-fill')
  const placed: number[] = []
  const expected: [string, number][] = []
  for (const percent of [0, 3, 4, 5, 6, 7, 8, 0, -3, -4, -5, -6, -7, -8]) {
    clock.advance(MINUTE)
    now.percent = percent
    await runJob(market, 'market-prices')
    const { bytes } = await market.daily()
    const live = { providerTime: clock(), priceA: usdOfA(clock()), priceB: usdOfB(clock()), source: market.source }
    const { standing } = agedStanding(decodeDailyMatrix(new Uint8Array(bytes).buffer)!, A, B, live, clock())
    const z = standing!.z!
    if (z > 1.5 && !placed.some((before) => before > 1.5)) expected.push(['z_above', z])
    if (z < -1.5 && !placed.some((before) => before < -1.5)) expected.push(['z_below', z])
    placed.push(z)
  }
  expect(expected).toEqual([
    ['z_above', expect.closeTo(1.75, 0)],
    ['z_below', expect.closeTo(-1.75, 0)],
  ])
  const events = (await database.rows(alert_events)).toSorted((a, b) => +a.crossed_at - +b.crossed_at)
  expect(events.map(({ kind, measure }) => [kind, measure])).toEqual(
    expected.map(([kind, z]) => [kind, expect.closeTo(z, 9)]),
  )
  await app.close()
})
