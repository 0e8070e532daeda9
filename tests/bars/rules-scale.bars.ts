import { expect, test } from 'vitest'
import { type Database, inTransaction, openDatabase } from '../../server/db/open'
import { judgeAlerts } from '../../server/services/alerts/judge-alerts'
import { rulesJudge } from '../../server/services/alerts/judge-rules'
import { readStoredPrices } from '../../server/services/market/prices/stored-prices'
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

async function ticks(database: Database, now: number, withPoints: boolean) {
  const rules = rulesJudge('simulated')
  const [thresholds, ofRules]: [number[], number[]] = [[], []]
  let changed = 0
  for (let tick = 0; tick <= TICKS; tick++) {
    await movePrices(database.pool, 0.00001)
    await inTransaction(database.pool, async (client) => {
      const started = performance.now()
      await judgeAlerts(client, 'simulated', crowdCoins(), now)
      const between = performance.now()
      const stored = () => readStoredPrices(client, 'simulated')
      const judged = await rules.judge(client, crowdCoins(), { matrix: null, stored, now, mayJudge: async () => true })
      const done = performance.now()
      changed += (judged?.changes.length ?? 0) + (judged?.rest.length ?? 0)
      if (tick === 0) return
      thresholds.push(between - started)
      ofRules.push(done - between)
    })
  }
  return { thresholds: median(thresholds), rules: median(ofRules), changed, withPoints }
}

test.skipIf(url === '')(
  'on PostgreSQL, an update that changes no rule of 100,000 over 5,000 pairs takes for their 60,000 measures at most four times what thresholds take',
  async () => {
    const storage = await emptyDatabase(url)
    const { DATA_DIR = '', DATABASE_URL } = storage.variables
    const database = await openDatabase({ DATA_DIR, DATABASE_URL }, testProgramFiles(), { durable: false })
    const now = Date.now()
    try {
      await seedCrowd(database.pool, { widgets: WIDGETS, pairs: PAIRS, now })
      const none = await ticks(database, now, false)
      await database.pool.query(
        `INSERT INTO market_points (coin_key, level, bucket, usd, samples)
         SELECT key, level, $1::int / units * units - ago * units, usd, 1
         FROM market_coins JOIN market_prices ON coin_key = key, (VALUES (0, 1, 290), (1, 6, 340)) AS width (level, units, n), generate_series(1, n) ago`,
        [Math.floor(now / 300_000)],
      )
      await seedRules(database)
      const many = await ticks(database, now, true)
      const { rows } = await database.pool.query(
        'SELECT count(*)::int AS rules, count(DISTINCT (pair_id, measure))::int AS measures FROM alert_rules WHERE measure IS NOT NULL',
      )
      console.log(JSON.stringify({ widgets: WIDGETS, ...rows[0], none, many }))
      expect(many.changed).toBe(0)
      expect(many.rules).toBeLessThan(4 * Math.max(many.thresholds, 100))
    } finally {
      await database.close()
      await storage.remove()
    }
  },
  600_000,
)
