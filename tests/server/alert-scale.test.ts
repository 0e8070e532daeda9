import { beforeAll, expect, test } from 'vitest'
import { seedCrowd } from './support/alert-crowd'
import { judgeTogether, measureTicks } from './support/alert-scale'
import { withDatabase } from './support/for-file'

/* A small share of tests/bars/alert-scale.bars.ts: what it measures and counts is the same, its times are not judged. */

const NOW = Date.UTC(2026, 0, 15, 12)
const database = withDatabase()
beforeAll(async () => {
  await seedCrowd(database.pool, { widgets: 3_000, pairs: 500, now: NOW })
})

test('four concurrent evaluations of one price tick record every due crossing exactly once', async () => {
  const together = await judgeTogether(database, NOW, 0.005)
  expect(together).toEqual({ due: together.due, notified: together.due, recorded: together.due, twice: 0 })
  expect(together.due).toBeGreaterThan(0)
})

test('the scale measurement of price ticks over 3,000 widgets counts crossings', { tags: ['full'] }, async () => {
  const measured = await measureTicks(database, { now: NOW, share: 0.005, ticks: 2 })
  expect(measured.crossings).toBeGreaterThan(0)
})
