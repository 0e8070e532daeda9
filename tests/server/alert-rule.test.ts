/** @module-tag both-engines */
import * as fc from 'fast-check'
import { beforeAll, expect, test } from 'vitest'
import { inTransaction } from '../../server/db/open'
import { fireAlerts } from '../../server/services/alerts/fire-alerts'
import { widgets } from '../../server/db/schema/widgets'
import { ALERT_SIDES, judge, type RuleState, SIDES } from '../../src/domain/alerts'
import { MINUTE } from '../../src/domain/granularity'
import { withDatabase } from './support/for-file'
import { listCoins } from './support/alert-prices'

/* The statement does what `judge` says, for any widgets along any path of ratios. */

const NOW = Date.UTC(2026, 0, 15, 12)
const PAIRS = 3
const database = withDatabase()
beforeAll(async () => {
  await listCoins(database.pool, ['a', 'b'])
  await database.pool.query(
    `INSERT INTO pairs (coin_a_id, coin_b_id) SELECT 'a', 'b' || i FROM generate_series(1, $1::int) i`,
    [PAIRS],
  )
})

interface Kept {
  readonly pair: number
  readonly high: number | null
  readonly low: number | null
  readonly high_armed: boolean
  readonly low_armed: boolean
  readonly margin: number
  readonly hold: number
  readonly on: boolean
  readonly active: boolean
}

// Few values, so that a ratio often stands upon a threshold, or where it arms one again; some as close as numbers can be.
const THRESHOLDS = [1e-30, 0.1 + 0.2, 0.3, 1, 1 + Number.EPSILON, 2, 1e30]
const MARGINS = [0, Number.EPSILON, 0.1, 0.5]
const ratio = fc.constantFrom(0, ...THRESHOLDS, ...MARGINS.flatMap((margin) => [0.3 * (1 - margin), 1 + margin]), 1e31)
const threshold = fc.option(fc.constantFrom(...THRESHOLDS), { nil: null })
const pair = fc.nat({ max: PAIRS - 1 })
const widget: fc.Arbitrary<Kept> = fc.record({
  pair,
  high: threshold,
  low: threshold,
  high_armed: fc.boolean(),
  low_armed: fc.boolean(),
  margin: fc.constantFrom(...MARGINS),
  hold: fc.constantFrom(0, 0, 1, 2),
  on: fc.integer({ min: 0, max: 5 }).map((n) => n > 0),
  active: fc.integer({ min: 0, max: 5 }).map((n) => n > 0),
})
const look = fc.record({
  /** Minutes since the look before. */
  after: fc.constantFrom(0, 0.5, 1, 2),
  /** By pair; null: not known. */
  ratios: fc.array(fc.option(ratio, { nil: null }), { minLength: PAIRS, maxLength: PAIRS }),
})
interface Look {
  /** Milliseconds since 1970. */
  readonly now: number
  readonly ratios: readonly (number | null)[]
}
const path: fc.Arbitrary<Look[]> = fc.array(look, { minLength: 1, maxLength: 6 }).map((looks) => {
  let now = NOW
  return looks.map(({ after, ratios }) => ({ now: (now += after * MINUTE), ratios }))
})

async function fill(widgets: readonly Kept[]): Promise<void> {
  await database.reset()
  await database.pool.query(
    `WITH given AS (
       SELECT * FROM json_to_recordset($1) AS g (n int, pair int, high float8, low float8, high_armed bool, low_armed bool,
         margin float8, hold int, "on" bool, active bool)
     ), made AS (
       INSERT INTO owners (kind, anonymous_hash, created_at) SELECT 'guest', n::text, now() FROM given
       RETURNING id, anonymous_hash::int AS n
     )
     INSERT INTO widgets (owner_id, display_order, coin_a_id, coin_b_id, pair_id, high_threshold, low_threshold,
       high_threshold_active, low_threshold_active, alert_margin, alert_hold_minutes, notifications_enabled, is_active,
       created_at)
     SELECT made.id, n, 'a', 'b', pair + 1, high, low, high_armed, low_armed, margin, hold, "on", active, now()
     FROM given JOIN made USING (n)`,
    [JSON.stringify(widgets.map((one, n) => ({ n, ...one })))],
  )
}

/** The domain's verdict on the path: lines of events and of states as they must stand in the database. */
function reckon(widgets: readonly Kept[], looks: readonly Look[]) {
  const events: string[][] = []
  const states = widgets.map((one, index) =>
    ALERT_SIDES.map((side) => {
      const level = one[side]
      let state: RuleState = { armed: one[`${side}_armed`], dueAt: null }
      let epoch = 0
      let latest: string[] | undefined
      for (const { now, ratios } of level !== null && one.on && one.active ? looks : []) {
        const rule = { kind: SIDES[side].kind, level: level!, margin: one.margin, holdMinutes: one.hold }
        const seen = ratios[one.pair] ?? null
        const judged = judge(rule, seen, state, now)
        state = judged.state
        if (judged.verdict === 'fired') {
          events.push((latest = [`${index} ${side} ${epoch} ${seen} ${level} at ${now}`, 'not back']))
        }
        if (judged.verdict !== 'back') continue
        epoch++
        if (latest !== undefined) latest[1] = `back at ${now}`
      }
      return `${state.armed} ${epoch} ${state.dueAt}`
    }).join(' '),
  )
  return { events: events.map((event) => event.join(' ')).toSorted(), states }
}

async function stored() {
  const { rows: events } = await database.pool.query<{
    n: number
    side: string
    epoch: number
    ratio: number
    threshold: number
    crossed_at: Date
    back_at: Date | null
  }>('SELECT display_order AS n, alert_events.* FROM alert_events JOIN widgets ON widgets.id = widget_id')
  const rows = (await database.rows(widgets)).toSorted((a, b) => a.display_order - b.display_order)
  return {
    events: events
      .map(({ n, side, epoch, ratio: seen, threshold: level, crossed_at, back_at }) => {
        const back = back_at === null ? 'not back' : `back at ${back_at.getTime()}`
        return `${n} ${side} ${epoch} ${seen} ${level} at ${crossed_at.getTime()} ${back}`
      })
      .toSorted(),
    states: rows.map((row) =>
      ALERT_SIDES.map((side) => {
        const dueAt = row[`${side}_due_at`]?.getTime() ?? null
        return `${row[`${side}_threshold_active`]} ${row[`${side}_epoch`]} ${dueAt}`
      }).join(' '),
    ),
  }
}

test('fireAlerts records the crossings and side states that judge gives for any widgets, margins, holds and ratio paths', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(widget, { minLength: 1, maxLength: 25 }),
      path,
      // However few sides one statement takes.
      fc.constantFrom(1, 2, 1000),
      async (given, looks, atOnce) => {
        await fill(given)
        let counted = 0
        for (const { now, ratios } of looks) {
          const known = ratios.flatMap((seen, index) => (seen === null ? [] : [{ id: index + 1, seen }]))
          const columns = { pairs: known.map(({ id }) => id), ratios: known.map(({ seen }) => seen) }
          for (let more = true; more;) {
            const judged = await inTransaction(database.pool, (client) =>
              fireAlerts(client, 'simulated', columns, now, atOnce),
            )
            counted += judged.crossings.high + judged.crossings.low
            more = judged.more
          }
        }
        const expected = reckon(given, looks)
        expect(await stored()).toEqual(expected)
        expect(counted).toBe(expected.events.length)
      },
    ),
    { numRuns: 60 },
  )
}, 120_000)
