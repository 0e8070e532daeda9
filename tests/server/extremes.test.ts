/** @module-tag both-engines */
import * as fc from 'fast-check'
import { beforeEach, expect, test } from 'vitest'
import { inTransaction } from '../../server/db/open'
import { fireExtremes } from '../../server/services/alerts/fire-extremes'
import { extremesJudge } from '../../server/services/alerts/judge-extremes'
import { priceStore } from '../../server/services/market/prices/price-store'
import { type AlertSide, OPPOSITE_SIDE } from '../../src/domain/alerts'
import { utcDayOf } from '../../src/domain/daily-matrix'
import { type ExtremeState, judgeExtreme } from '../../src/domain/extreme-alert'
import { DAY, HOUR } from '../../src/domain/granularity'
import { realCloses, realPricesFolder, warnWithoutRealPrices } from '../domain/support/real-prices'
import { pricesOf } from './support/alert-prices'
import { type Closes, coinsOf, matrixBefore, ownerOfAllPairs, replayDays, wanderingCloses } from './support/extremes'
import { withDatabase } from './support/for-file'

/* The server tells of the extremes that the badge on the card says, for every pair and day. */

const SEED = Number(process.env['SEED'] ?? Date.now() % 1_000_000)
const FIRST_DAY = utcDayOf(Date.UTC(2026, 0, 1))
const database = withDatabase()
beforeEach(async () => {
  await database.reset()
  await database.pool.query('DELETE FROM pairs')
})

async function expectBadges(closes: Closes, from: number): Promise<number> {
  await ownerOfAllPairs(database.pool, coinsOf(closes))
  const { told, fired, badges } = await replayDays(database.pool, closes, from, FIRST_DAY)
  expect(fired).toEqual(badges)
  expect(told).toBe(fired.length)
  return fired.length
}

test(`extremes fire on each day and for each pair whose badge comes to one, and on no other (seed ${SEED})`, async () => {
  // From a day on which nothing is known yet; a coin that is younger than the others, and one with missing days.
  const [first, second, ...others] = wanderingCloses(SEED, 8, 160) as readonly number[][]
  const young = first!.map((close, day) => (day < 60 ? NaN : close))
  const torn = second!.map((close, day) => (day % 7 === 3 ? NaN : close))
  expect(await expectBadges([young, torn, ...others], 50)).toBeGreaterThan(50)
})

warnWithoutRealPrices()
test.skipIf(realPricesFolder === undefined)(
  'extremes fire as the badges of all pairs of real prices come to one, day by day (needs REAL_PRICES_DIR)',
  { timeout: 300_000 },
  async () => {
    const closes = realCloses()
    const days = Number(process.env['DAYS'] ?? 150)
    const fired = await expectBadges(closes, closes[0]!.length - days)
    console.log(`${closes.length} coins, ${days} days: ${fired} extremes fired, each as a badge`)
    expect(fired).toBeGreaterThan(1_000)
  },
)

/* The statements do what `judgeExtreme` says, along any path and whatever dies on the way. */

/** 90 days of ratios 1 to 90 of A to B, and of 1 to 90 of B to A. */
const RAMP: Closes = [Array.from({ length: 90 }, (_, day) => 1 + day), Array.from({ length: 90 }, () => 1)]
const RATIO_OF: Readonly<Record<AlertSide | 'none', number>> = { high: 100, low: 0.5, none: 45 }

interface Owner {
  readonly wants: boolean
  readonly active: boolean
}
interface Step {
  readonly stands: AlertSide | 'none'
  readonly nextDay: boolean
  /** Transactions after which the process dies; another goes on at the next update. */
  readonly survives: number
}
const step: fc.Arbitrary<Step> = fc.record({
  stands: fc.constantFrom('high', 'low', 'none'),
  nextDay: fc.boolean(),
  survives: fc.nat({ max: 3 }),
})
const mostly = fc.integer({ min: 0, max: 3 }).map((n) => n > 0)
const owner: fc.Arbitrary<Owner> = fc.record({ wants: mostly, active: mostly })

async function fill(owners: readonly Owner[]): Promise<void> {
  await database.reset()
  await database.pool.query('DELETE FROM pairs')
  const [a, b] = coinsOf(RAMP)
  for (const { wants } of owners) await ownerOfAllPairs(database.pool, [a!, b!], wants)
  await database.pool.query(
    `UPDATE widgets w SET is_active = g.active, display_order = g.n FROM (
       SELECT o.id, row_number() OVER (ORDER BY o.created_at, o.id) AS n FROM owners o) o,
       unnest($1::bool[]) WITH ORDINALITY AS g (active, n) WHERE o.id = w.owner_id AND g.n = o.n`,
    [owners.map(({ active }) => active)],
  )
}

test('a pair fires as judgeExtreme says, once for each widget of those who want it, and its events say when it left the extreme, though processes die between transactions', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(owner, { minLength: 1, maxLength: 4 }),
      fc.array(step, { minLength: 2, maxLength: 8 }),
      fc.constantFrom(1, 2, 1000),
      async (owners, steps, atOnce) => {
        await fill(owners)
        const { pool } = database
        const [a, b] = coinsOf(RAMP) as readonly string[] as [string, string]
        const { rows: wanting } = await pool.query<{ id: string; flipped: boolean }>(
          `SELECT w.id, w.coin_a_id = $1 AS flipped FROM widgets w JOIN alert_settings s USING (owner_id) WHERE s.extremes AND w.is_active`,
          [b],
        )
        const isWanted = owners.some(({ wants }) => wants)
        const expected: string[] = []
        const backs = new Set<string>()
        let state: ExtremeState | null = null
        let day = FIRST_DAY + 90
        for (const { stands, nextDay, survives } of steps) {
          // Closes stay those of before: two days more are not behind.
          if (nextDay && day < FIRST_DAY + 91) day += 1
          const now = day * DAY + HOUR
          const price = (usd: number) => ({ usd, providerTime: now, fetchedAt: now, via: null })
          const prices = new Map([
            [a, price(RATIO_OF[stands])],
            [b, price(1)],
          ])
          const matrix = matrixBefore(RAMP, 90, FIRST_DAY)
          const process = (most: number) => async () => {
            const judge = extremesJudge()
            const judged = await inTransaction(pool, async (client) =>
              judge(client, [a], { matrix, stored: async () => prices, now, mayJudge: async () => true }),
            )
            let left = judged === 'left'
            for (let turn = 0; left && turn < most; turn++)
              left = (await inTransaction(pool, (client) => fireExtremes(client, 'simulated', atOnce))).more
          }
          await process(survives)()
          await process(Infinity)()
          if (!isWanted) continue
          const verdict = judgeExtreme(state, stands === 'none' ? null : stands, day)
          const lines = (side: AlertSide, of: number) =>
            wanting.map(({ id, flipped }) => `${id} ${flipped ? OPPOSITE_SIDE[side] : side} ${of}`)
          const left: AlertSide | null = state !== null && verdict.state !== state ? state.stands : null
          const leftDay = left && state!.firedOn[left]
          if (left !== null && leftDay !== null) for (const line of lines(left, leftDay)) backs.add(line)
          state = verdict.state
          if (verdict.fires !== null) expected.push(...lines(verdict.fires, day))
        }
        const { rows } = await pool.query<{ line: string; back: boolean }>(
          `SELECT widget_id || ' ' || side || ' ' || epoch AS line, back_at IS NOT NULL AS back FROM alert_events`,
        )
        expect(rows.map(({ line }) => line).toSorted()).toEqual(expected.toSorted())
        expect(rows.flatMap(({ line, back }) => (back ? [line] : [])).toSorted()).toEqual([...backs].toSorted())
        expect((await pool.query('SELECT FROM extreme_firings')).rows).toEqual([])
      },
    ),
    { numRuns: 60, seed: SEED },
  )
}, 120_000)

test('two processes that are given the same prices at once record each extreme once', async () => {
  const closes = wanderingCloses(SEED, 6, 121)
  await ownerOfAllPairs(database.pool, coinsOf(closes))
  const { badges } = await replayDays(
    database.pool,
    closes.map((column) => column.slice(0, 120)),
    119,
    FIRST_DAY,
  )
  expect(badges).toEqual([])
  const now = (FIRST_DAY + 120) * DAY + HOUR
  const matrix = matrixBefore(closes, 120, FIRST_DAY)
  const prices = pricesOf(Object.fromEntries(coinsOf(closes).map((coin, row) => [coin, row < 3 ? 1e3 : 1e-3])), now)
  const stores = [1, 2, 3].map(() =>
    priceStore({ pool: database.pool, source: 'simulated', clock: () => now, closes: async () => matrix }),
  )
  await Promise.all(stores.map((store) => store(prices, { history: false })))
  const { rows } = await database.pool.query<{ count: number; widgets: number }>(
    'SELECT count(*)::int AS count, count(DISTINCT widget_id)::int AS widgets FROM alert_events',
  )
  expect(rows[0]!.count).toBe(rows[0]!.widgets)
  expect(rows[0]!.count).toBeGreaterThan(0)
})
