/** @module-tag both-engines */
import * as fc from 'fast-check'
import { beforeAll, expect, test } from 'vitest'
import { inTransaction } from '../../server/db/open'
import { alert_rules } from '../../server/db/schema/widgets'
import { rulesJudge } from '../../server/services/alerts/judge-rules'
import { readStoredPrices, savePrices, type StoredPrice } from '../../server/services/market/prices/stored-prices'
import {
  measureColumns,
  memoryColumns,
  memoryOf,
  type StoredRule,
  termsOf,
  windowOf,
} from '../../server/services/rules/stored-rule'
import { widenBounds } from '../../server/services/rules/rule-bounds'
import { ALERT_FRESHNESS } from '../../src/domain/alerts'
import { MINUTE } from '../../src/domain/granularity'
import type { CoinId } from '../../src/domain/ids'
import { judgeRule, type RuleMemory } from '../../src/domain/judge-rule'
import { factsOf, RULE_KIND_NAMES, type RuleKind } from '../../src/domain/rule-kinds'
import { type Extent, MEASURES, MOVES, readMeasure } from '../../src/domain/rule-measures'
import { daysOfStanding } from '../../src/domain/standing'
import { listCoins, pricesOf } from './support/alert-prices'
import { withDatabase } from './support/for-file'

/* The server stores of rules what `judgeRule` says, for any rules along any path of prices. */

const NOW = Date.UTC(2026, 0, 15, 12)
const PAIRS = [
  ['a', 'b'],
  ['b', 'a'],
  ['a', 'c'],
] as const
const COINS = ['a', 'b', 'c'] as const

/** 120 days of closes: a wanders between 8 and 12 of b, and c never moves. */
const DAYS = 120
const CLOSES = {
  a: Float32Array.from({ length: DAYS }, (_, day) => 10 + 2 * Math.sin(day)),
  b: new Float32Array(DAYS).fill(1),
  c: new Float32Array(DAYS).fill(1),
}
const MATRIX = {
  source: 'simulated',
  firstDay: Math.floor(NOW / 86_400_000) - DAYS,
  days: DAYS,
  ranked: 3,
  coins: COINS as unknown as readonly CoinId[],
  prices: Float32Array.from([...CLOSES.a, ...CLOSES.b, ...CLOSES.c]),
}

const database = withDatabase()
beforeAll(() => listCoins(database.pool, COINS))

interface Given {
  readonly pair: number
  readonly kind: RuleKind
  readonly window: number
  readonly level: number
  readonly margin: number
  readonly hold: number
  readonly once: boolean
  readonly expires: number | null
  readonly armed: boolean
  readonly watched: boolean
  readonly log: boolean
}
const mostly = fc.integer({ min: 0, max: 5 }).map((n) => n > 0)
const given: fc.Arbitrary<Given> = fc.record({
  pair: fc.nat({ max: PAIRS.length - 1 }),
  kind: fc.constantFrom(...RULE_KIND_NAMES),
  window: fc.nat({ max: 4 }),
  level: fc.constantFrom(0.5, 1, 2.5, 5, 20),
  margin: fc.constantFrom(0, 0.1, 0.5, 1),
  hold: fc.constantFrom(0, 0, 1, 7),
  once: fc.boolean(),
  expires: fc.option(fc.constantFrom(0, 3, 60), { nil: null, freq: 4 }),
  armed: mostly,
  watched: mostly,
  log: fc.boolean(),
})

interface Look {
  /** Minutes since the look before. */
  readonly after: number
  /** By coin; null: no price comes. */
  readonly prices: readonly (number | null)[]
}
const price = (of: number) =>
  fc.option(
    fc.constantFrom(1, 0.9, 0.94, 0.98, 0.995, 1, 1.005, 1.02, 1.06, 1.1, 1.25).map((share) => of * share),
    { nil: null, freq: 6 },
  )
const look: fc.Arbitrary<Look> = fc.record({
  after: fc.constantFrom(0, 1, 4, 5, 6, 12),
  prices: fc.tuple(price(10), price(1), price(1)),
})

async function fill(rules: readonly Given[]): Promise<StoredRule[]> {
  await database.reset()
  await database.pool.query('DELETE FROM pairs; DELETE FROM market_prices; DELETE FROM market_points')
  const { rows: made } = await database.pool.query<{ id: string; owner_id: string; pair_id: number }>(
    `WITH owner AS (INSERT INTO owners (kind, anonymous_hash, created_at) VALUES ('guest', 'x', now()) RETURNING id),
     pair AS (INSERT INTO pairs (coin_a_id, coin_b_id) SELECT * FROM unnest($1::text[], $2::text[]) RETURNING *)
     INSERT INTO widgets (owner_id, display_order, coin_a_id, coin_b_id, pair_id, notifications_enabled, is_active, created_at)
     SELECT owner.id, row_number() OVER (ORDER BY pair.id) - 1, coin_a_id, coin_b_id, pair.id, false, true, now() FROM owner, pair
     RETURNING id, owner_id, pair_id`,
    [PAIRS.map(([a]) => a), PAIRS.map(([, b]) => b)],
  )
  // So much that each window is half known, and that points leave it as the path goes on.
  await database.pool.query(
    `INSERT INTO market_points (coin_key, level, bucket, usd, samples)
     SELECT key, level, $1::int - ago * units, CASE id WHEN 'a' THEN 10 + sin(ago) / 2 ELSE 1 END, 1
     FROM market_coins, (VALUES (0, 1), (1, 6)) AS width (level, units), generate_series(1, 200) ago`,
    [NOW / (5 * MINUTE)],
  )
  const widgets = made.toSorted((one, other) => one.pair_id - other.pair_id)
  if (rules.length === 0) return []
  const rows = rules.map((one) => {
    const { id: widget_id, owner_id, pair_id } = widgets[one.pair]!
    const { windows, anchor, unit, sign } = factsOf(one.kind)
    const window = windows[one.window % Math.max(1, windows.length)] ?? null
    const row = {
      kind: one.kind,
      level: unit === 'deviations' ? one.level / 5 : one.level,
      margin: one.margin,
      hold_minutes: one.hold,
      repeat: one.once ? ('once' as const) : ('each' as const),
      expires_at: one.expires === null ? null : new Date(NOW + one.expires * MINUTE),
      loudness: one.log ? ('log' as const) : ('buzz' as const),
      ...measureColumns(one.kind, window),
    }
    const from = anchor === 'checkpoint' ? sign * (one.pair === 1 ? 0.1 : 10) : null
    const memory = { armed: one.armed, ended: !one.armed && one.once, epoch: 3, dueAt: null, anchor: from }
    return {
      ...row,
      ...memoryColumns(termsOf(row), memory),
      id: crypto.randomUUID(),
      widget_id,
      owner_id,
      pair_id,
      watched: one.watched,
      created_at: new Date(NOW),
    }
  })
  const stored = (await database.orm.insert(alert_rules).values(rows).returning()) as StoredRule[]
  await widenBounds(database.orm, stored)
  return stored
}

/** Points of a window that begin in it and have ended, one by one as they are stored. */
async function extents(now: number) {
  const { rows } = await database.pool.query<{ id: string; level: number; bucket: number; usd: number }>(
    'SELECT id, level, bucket, usd FROM market_points JOIN market_coins ON key = coin_key',
  )
  const at = new Map(rows.map(({ id, level, bucket, usd }) => [`${id} ${level} ${bucket}`, usd]))
  return ([a, b]: readonly [string, string]) =>
    (window: keyof typeof MOVES): Extent | null => {
      const { span, step } = MOVES[window]
      const ratios = rows.flatMap(({ id, level, bucket, usd }) => {
        const start = bucket * 5 * MINUTE
        const isOf = id === a && level === (step === 5 * MINUTE ? 0 : 1) && start >= now - span && start + step <= now
        const other = at.get(`${b} ${level} ${bucket}`)
        return isOf && other !== undefined ? [usd / other] : []
      })
      return ratios.length * step * 2 < span ? null : { lowest: Math.min(...ratios), highest: Math.max(...ratios) }
    }
}

const isFresh = (one: StoredPrice | undefined, now: number): one is StoredPrice =>
  one !== undefined && now - one.providerTime <= ALERT_FRESHNESS && now - one.fetchedAt <= ALERT_FRESHNESS

interface Expected {
  /** Ids of PAIRS. */
  readonly pairs: readonly number[]
  readonly memories: Map<string, RuleMemory>
  readonly events: string[][]
}

/** Judges all rules of pairs that prices have come for, and of the others whether they are over. */
async function reckon(
  rules: readonly StoredRule[],
  { memories, events, pairs }: Expected,
  came: ReadonlySet<string>,
  now: number,
) {
  const prices = await readStoredPrices(database.pool, 'simulated')
  const extentOf = await extents(now)
  for (const row of rules) {
    if (!row.watched) continue
    const pair = PAIRS[pairs.indexOf(row.pair_id)]!
    const [a, b] = [prices.get(pair[0]), prices.get(pair[1])]
    const touched = came.has(pair[0]) || came.has(pair[1])
    const closes = { a: CLOSES[pair[0]], b: CLOSES[pair[1]] }
    const measure =
      touched && isFresh(a, now) && isFresh(b, now)
        ? readMeasure(MEASURES.get(row.measure!)!, {
            ratio: a.usd / b.usd,
            extent: extentOf(pair),
            days: (window) => daysOfStanding(closes, window),
          })
        : null
    const before = memories.get(row.id)!
    const { verdict, memory } = judgeRule(termsOf(row), before, measure, now)
    memories.set(row.id, memory)
    const name = `${row.id} ${row.kind} ${windowOf(row.rule_window)}`
    if (verdict === 'fired') {
      events.push([
        `${name} ${memory.epoch} ${a!.usd / b!.usd} at ${now} ${row.loudness === 'log' ? 'log-only' : 'waiting'}`,
        'not back',
      ])
    }
    if (verdict === 'expired' && a !== undefined && b !== undefined) {
      const delivery = row.loudness === 'log' ? 'log-only' : 'waiting'
      events.push([
        `${row.id} rule_expired ${windowOf(row.rule_window)} ${memory.epoch} ${a.usd / b.usd} at ${now} ${delivery}`,
        'not back',
      ])
    }
    if (verdict !== 'back') continue
    const crossing = events.find(([line]) => line!.startsWith(`${name} ${before.epoch} `))
    if (crossing !== undefined) crossing[1] = `back at ${now}`
  }
}

async function stored() {
  const rows = (await database.rows(alert_rules)) as StoredRule[]
  const { rows: events } = await database.pool.query<{
    rule_id: string
    kind: string
    rule_window: string | null
    epoch: number
    ratio: number
    crossed_at: Date
    back_at: Date | null
    delivery: string
  }>('SELECT * FROM alert_events')
  return {
    memories: new Map(rows.map((row) => [row.id, memoryOf(row)])),
    events: events
      .map(
        (one) =>
          `${one.rule_id} ${one.kind} ${windowOf(one.rule_window)} ${one.epoch} ${one.ratio} at ${one.crossed_at.getTime()} ${one.delivery} ${one.back_at === null ? 'not back' : `back at ${one.back_at.getTime()}`}`,
      )
      .toSorted(),
  }
}

test('rules fire, wait, come back, follow and end as judgeRule says, for any rules and any paths of prices', async () => {
  const kinds = new Map<string, number>()
  await fc.assert(
    fc.asyncProperty(
      fc.array(given, { minLength: 10, maxLength: 40 }),
      fc.array(look, { minLength: 4, maxLength: 12 }),
      // However few rules one transaction judges.
      fc.constantFrom(1, 3, 1000),
      async (rules, looks, atOnce) => {
        const rows = await fill(rules)
        const { rows: ids } = await database.pool.query<{ id: number }>('SELECT id FROM pairs ORDER BY id')
        const pairs = ids.map(({ id }) => id)
        const expected: Expected = { pairs, memories: new Map(rows.map((row) => [row.id, memoryOf(row)])), events: [] }
        const judge = rulesJudge('simulated', { atOnce })
        let now = NOW
        for (const { after, prices } of looks) {
          now += after * MINUTE
          const came = Object.fromEntries(
            COINS.flatMap((coin, index) => (prices[index] === null ? [] : [[coin, prices[index]!]])),
          )
          const input = (client: Parameters<typeof judge.judge>[0]) => ({
            matrix: MATRIX,
            stored: () => readStoredPrices(client, 'simulated'),
            now,
            mayJudge: async () => true,
          })
          const judged = await inTransaction(database.pool, async (client) => {
            await savePrices(client, 'simulated', pricesOf(came, now), now, { history: true })
            return judge.judge(client, Object.keys(came), input(client))
          })
          // One of them has been removed since.
          let rest = [crypto.randomUUID(), ...(judged?.rest ?? [])]
          while (rest.length > 0) {
            const left = rest
            const { rest: next } = await inTransaction(database.pool, (client) =>
              judge.judgeRest(client, left, input(client)),
            )
            rest = [...next]
          }
          await reckon(rows, expected, new Set(Object.keys(came)), now)
        }
        const found = await stored()
        expect(found.events).toEqual(expected.events.map((event) => event.join(' ')).toSorted())
        expect(found.memories).toEqual(expected.memories)
        for (const event of found.events) {
          const [, kind = ''] = event.split(' ')
          kinds.set(kind, (kinds.get(kind) ?? 0) + 1)
        }
      },
    ),
    { numRuns: 40 },
  )
  expect([...kinds.keys()].toSorted()).toEqual([...RULE_KIND_NAMES, 'rule_expired'].toSorted())
}, 240_000)
