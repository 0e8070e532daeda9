import { expect, test } from 'vitest'
import { type Database, inTransaction, openDatabase } from '../../server/db/open'
import { judgeAlerts } from '../../server/services/alerts/judge-alerts'
import { rulesJudge } from '../../server/services/alerts/judge-rules'
import { WIDEN } from '../../server/services/rules/rule-bounds'
import { readStoredPrices } from '../../server/services/market/prices/stored-prices'
import { MINUTE } from '../../src/domain/granularity'
import { type DailyMatrix, utcDayOf } from '../../src/domain/daily-matrix'
import type { CoinId } from '../../src/domain/ids'
import { measureName } from '../../src/domain/rule-measures'
import { factsOf, RULE_KIND_NAMES } from '../../src/domain/rule-kinds'
import { crowdCoins, movePrices, seedCrowd } from '../server/support/alert-crowd'
import { testProgramFiles } from '../server/support/program-files'
import { emptyDatabase } from '../server/support/test-storage'

/* A price update of all coins beside rules that it does not change, and beside none. */

const PAIRS = 5_000
const WIDGETS = Number(process.env['WIDGETS'] ?? 100_000)
const RULES = Number(process.env['RULES'] ?? 100_000)
const TICKS = 9
const FIRING = 10_000
const url = process.env['TEST_DATABASE_URL'] ?? ''

const median = (values: readonly number[]): number => values.toSorted((a, b) => a - b)[values.length >> 1]!

/** Rules of all kinds and windows, some a pair each, that no price reaches: levels of z, moves and ratios alike. */
async function seedRules({ pool }: Database): Promise<void> {
  const kinds = RULE_KIND_NAMES.flatMap((kind) => {
    const { windows } = factsOf(kind)
    return (windows.length === 0 ? [null] : windows).map((window) => ({
      kind,
      window: window === null ? null : String(window),
      measure: measureName(kind, window),
    }))
  })
  for (let from = 0; from < RULES; from += 50_000) {
    await pool.query(
      `WITH w AS (SELECT id, owner_id, pair_id, row_number() OVER (ORDER BY id) AS n FROM widgets ORDER BY id OFFSET $1::int % $5::int LIMIT 50000)
       INSERT INTO alert_rules (id, widget_id, owner_id, pair_id, kind, level, margin, hold_minutes, armed, epoch, watched,
         measure, rule_window, above, below, anchor, created_at)
       SELECT gen_random_uuid(), w.id, w.owner_id, w.pair_id, k.kind, 5, 1, 0, true, 0, true, k.measure, k.rule_window,
         1e9 + random(), CASE WHEN k.kind LIKE 'trailing%' THEN -1e9 - random() END, 1, now()
       FROM w, LATERAL (SELECT * FROM unnest($2::text[], $3::text[], $4::text[]) WITH ORDINALITY AS k (kind, rule_window, measure, i)
         WHERE i = 1 + (hashint4(w.n::int + $1) & 1048575) % cardinality($2::text[])) k`,
      [
        from,
        kinds.map(({ kind }) => kind),
        kinds.map(({ window }) => window),
        kinds.map(({ measure }) => measure),
        WIDGETS,
      ],
    )
  }
  await pool.query(
    'INSERT INTO rule_bounds SELECT pair_id, measure, min(above), max(below) FROM alert_rules WHERE measure IS NOT NULL GROUP BY 1, 2',
  )
  await pool.query('VACUUM (ANALYZE)')
}

const DAYS = 200

/** Closes up to yesterday, that wander. */
function closesOf(now: number): DailyMatrix {
  const prices = Float32Array.from({ length: crowdCoins().length * DAYS }, (_, i) => 10 + Math.sin(i * i))
  const coins = crowdCoins() as readonly CoinId[]
  return { source: 'simulated', firstDay: utcDayOf(now) - DAYS, days: DAYS, ranked: coins.length, coins, prices }
}

type Judge = ReturnType<typeof rulesJudge>

const inputOf = (client: Parameters<Judge['judge']>[0], matrix: DailyMatrix, now: number) => ({
  matrix,
  stored: () => readStoredPrices(client, 'simulated'),
  now,
  mayJudge: async () => true,
})

async function ticks(database: Database, rules: Judge, matrix: DailyMatrix, now: number) {
  const [thresholds, ofRules]: [number[], number[]] = [[], []]
  let [changed, first] = [0, 0]
  for (let tick = 0; tick <= TICKS; tick++) {
    await movePrices(database.pool, 0.00001)
    await inTransaction(database.pool, async (client) => {
      const started = performance.now()
      await judgeAlerts(client, 'simulated', crowdCoins(), now)
      const between = performance.now()
      const judged = await rules.judge(client, crowdCoins(), inputOf(client, matrix, now))
      const done = performance.now()
      changed += (judged?.changes.length ?? 0) + (judged?.rest.length ?? 0)
      if (tick === 0) {
        first = done - between
        return
      }
      thresholds.push(between - started)
      ofRules.push(done - between)
    })
  }
  return { thresholds: median(thresholds), rules: median(ofRules), first, changed }
}

/** Milliseconds of an update at which so many rules fire, and of the transactions that follow it. */
async function crossings({ pool }: Database, rules: Judge, matrix: DailyMatrix, now: number): Promise<number> {
  await pool.query(
    `WITH fires AS (
       UPDATE alert_rules r SET kind = 'since_checkpoint_up', measure = 'ratio', rule_window = NULL, anchor = 0.9 * ratio,
         above = 0.945 * ratio, below = NULL
       FROM (SELECT r.id, a.usd / b.usd AS ratio FROM alert_rules r JOIN pairs p ON p.id = r.pair_id
         JOIN market_coins ca ON ca.id = p.coin_a_id JOIN market_prices a ON a.coin_key = ca.key
         JOIN market_coins cb ON cb.id = p.coin_b_id JOIN market_prices b ON b.coin_key = cb.key
         WHERE r.measure IS NOT NULL ORDER BY r.id LIMIT $1) due
       WHERE due.id = r.id RETURNING r.pair_id, r.measure, r.above
     )
     INSERT INTO rule_bounds AS b (pair_id, measure, above, below)
     SELECT pair_id, measure, min(above), NULL::float8 FROM fires GROUP BY 1, 2${WIDEN}`,
    [FIRING],
  )
  await pool.query('VACUUM (ANALYZE)')
  const started = performance.now()
  let judged = await inTransaction(pool, (client) => rules.judge(client, crowdCoins(), inputOf(client, matrix, now)))
  while (judged !== null && judged.rest.length > 0) {
    const { rest } = judged
    judged = await inTransaction(pool, (client) => rules.judgeRest(client, rest, inputOf(client, matrix, now)))
  }
  return performance.now() - started
}

test.skipIf(url === '')(
  'on PostgreSQL, an update that changes no rule of 100,000 over 5,000 pairs takes less time for their 60,000 measures than for thresholds, and one that fires 10,000 fires each in less than forty times that',
  async () => {
    const storage = await emptyDatabase(url)
    const { DATA_DIR = '', DATABASE_URL } = storage.variables
    const database = await openDatabase({ DATA_DIR, DATABASE_URL }, testProgramFiles(), { durable: false })
    const now = Date.now()
    try {
      await seedCrowd(database.pool, { widgets: WIDGETS, pairs: PAIRS, now })
      const [matrix, rules] = [closesOf(now), rulesJudge('simulated')]
      const none = await ticks(database, rules, matrix, now)
      await database.pool.query(
        `INSERT INTO market_points (coin_key, level, bucket, usd, samples)
         SELECT key, level, $1::int / units * units - ago * units, usd, 1
         FROM market_coins JOIN market_prices ON coin_key = key, (VALUES (0, 1, 290), (1, 6, 340)) AS width (level, units, n), generate_series(1, n) ago`,
        [Math.floor(now / 300_000)],
      )
      await seedRules(database)
      const many = await ticks(database, rules, matrix, now)
      // Points leave the windows: all measures of moves are made anew.
      const turned = await ticks(database, rules, matrix, now + 5 * MINUTE)
      const { rows } = await database.pool.query(
        'SELECT count(*)::int AS rules, count(DISTINCT (pair_id, measure))::int AS measures FROM alert_rules WHERE measure IS NOT NULL',
      )
      const firing = await crossings(database, rules, matrix, now + 5 * MINUTE)
      const fired = (await database.pool.query('SELECT FROM alert_events WHERE rule_id IS NOT NULL')).rowCount
      console.log(JSON.stringify({ widgets: WIDGETS, ...rows[0], none, many, turned, firing, fired }))
      expect(many.changed).toBe(0)
      expect(many.rules).toBeLessThan(many.thresholds)
      expect(fired).toBe(FIRING)
      expect(firing).toBeLessThan(40 * many.thresholds)
    } finally {
      await database.close()
      await storage.remove()
    }
  },
  600_000,
)
