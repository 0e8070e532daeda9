/** @module-tag both-engines */
import * as fc from 'fast-check'
import { beforeAll, expect, test } from 'vitest'
import { inTransaction } from '../../server/db/open'
import { fireAlerts } from '../../server/services/alerts/fire-alerts'
import { ALERT_SIDES, type Armed } from '../../src/domain/alerts'
import { judgeSides } from '../support/judge-sides'
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
  readonly on: boolean
  readonly active: boolean
}

// Few values, so that a ratio often stands upon a threshold; some as close to each other as numbers can be.
const ratio = fc.constantFrom(0, 5e-324, 0.1 + 0.2, 0.3, 1, 1 + Number.EPSILON, 2, 3, 1e308)
const threshold = fc.option(fc.constantFrom(5e-324, 0.1 + 0.2, 0.3, 1, 1 + Number.EPSILON, 2, 1e308), { nil: null })
const pair = fc.nat({ max: PAIRS - 1 })
const widget: fc.Arbitrary<Kept> = fc.record({
  pair,
  high: threshold,
  low: threshold,
  high_armed: fc.boolean(),
  low_armed: fc.boolean(),
  on: fc.integer({ min: 0, max: 5 }).map((n) => n > 0),
  active: fc.integer({ min: 0, max: 5 }).map((n) => n > 0),
})
/** By pair; null: not known. */
const look = fc.array(fc.option(ratio, { nil: null }), { minLength: PAIRS, maxLength: PAIRS })

async function fill(widgets: readonly Kept[]): Promise<void> {
  await database.reset()
  await database.pool.query(
    `WITH given AS (
       SELECT * FROM unnest($1::int[], $2::float8[], $3::float8[], $4::bool[], $5::bool[], $6::bool[], $7::bool[])
         WITH ORDINALITY AS g (pair, high, low, high_armed, low_armed, alerts, active, n)
     ), made AS (
       INSERT INTO owners (kind, anonymous_hash, created_at) SELECT 'guest', n::text, now() FROM given
       RETURNING id, anonymous_hash::int AS n
     )
     INSERT INTO widgets (owner_id, display_order, coin_a_id, coin_b_id, pair_id, high_threshold, low_threshold,
       high_threshold_active, low_threshold_active, notifications_enabled, is_active, created_at)
     SELECT made.id, n, 'a', 'b', pair + 1, high, low, high_armed, low_armed, alerts, active, now()
     FROM given JOIN made USING (n)`,
    [
      widgets.map((one) => one.pair),
      widgets.map((one) => one.high),
      widgets.map((one) => one.low),
      widgets.map((one) => one.high_armed),
      widgets.map((one) => one.low_armed),
      widgets.map((one) => one.on),
      widgets.map((one) => one.active),
    ],
  )
}

/** The domain's verdict on the path: lines of events and of flags as they must stand in the database. */
function reckon(widgets: readonly Kept[], path: readonly (readonly (number | null)[])[]) {
  const events: { text: string; back: string }[] = []
  const flags = widgets.map((one, index) => {
    let armed: Armed = { high: one.high_armed, low: one.low_armed }
    const epochs = { high: 0, low: 0 }
    const latest: Partial<Record<'high' | 'low', { text: string; back: string }>> = {}
    for (const [step, ratios] of path.entries()) {
      if (!one.on || !one.active) continue
      const seen = ratios[one.pair] ?? null
      const after = judgeSides(seen, one, armed)
      for (const side of after.fired) {
        latest[side] = { text: `${index + 1} ${side} ${epochs[side]} ${seen} ${one[side]}`, back: 'not back' }
        events.push(latest[side])
      }
      for (const side of ALERT_SIDES.filter((which) => after.armed[which] && !armed[which])) {
        epochs[side]++
        if (latest[side] !== undefined) latest[side].back = `back at ${step}`
      }
      armed = after.armed
    }
    return `${armed.high} ${epochs.high} ${armed.low} ${epochs.low}`
  })
  return { events: events.map(({ text, back }) => `${text} ${back}`).toSorted(), flags }
}

async function stored() {
  const { rows: events } = await database.pool.query<{
    n: number
    side: string
    epoch: number
    ratio: number
    threshold: number
    back_at: Date | null
  }>(
    'SELECT display_order AS n, side, epoch, ratio, threshold, back_at FROM alert_events JOIN widgets ON widgets.id = widget_id',
  )
  const { rows: flags } = await database.pool.query<{ line: string }>(
    `SELECT concat_ws(' ', high_threshold_active::text, high_epoch, low_threshold_active::text, low_epoch) AS line
     FROM widgets ORDER BY display_order`,
  )
  return {
    events: events
      .map(({ n, side, epoch, ratio, threshold, back_at }) => {
        const back = back_at === null ? 'not back' : `back at ${back_at.getTime() - NOW}`
        return `${n} ${side} ${epoch} ${ratio} ${threshold} ${back}`
      })
      .toSorted(),
    flags: flags.map(({ line }) => line),
  }
}

test('fireAlerts records the crossings and side states that judge gives for any widgets and ratio paths', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(widget, { minLength: 1, maxLength: 25 }),
      fc.array(look, { minLength: 1, maxLength: 4 }),
      // However few sides one statement takes.
      fc.constantFrom(1, 2, 1000),
      async (widgets, path, atOnce) => {
        await fill(widgets)
        let counted = 0
        for (const [step, ratios] of path.entries()) {
          const known = ratios.flatMap((seen, index) => (seen === null ? [] : [{ id: index + 1, seen }]))
          const columns = { pairs: known.map(({ id }) => id), ratios: known.map(({ seen }) => seen) }
          const judge = () =>
            inTransaction(database.pool, (client) => fireAlerts(client, 'simulated', columns, NOW + step, atOnce))
          for (let more = true; more;) {
            const judged = await judge()
            counted += judged.crossings.high + judged.crossings.low
            more = judged.more
          }
        }
        const expected = reckon(widgets, path)
        expect(await stored()).toEqual(expected)
        expect(counted).toBe(expected.events.length)
      },
    ),
    { numRuns: 60 },
  )
}, 120_000)
