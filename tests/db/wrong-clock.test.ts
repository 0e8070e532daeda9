import { expect, test } from 'vitest'
import { acceptPush } from '../../src/db/answers/accept-alerts'
import { claimAlert, claimToasts } from '../../src/db/commands/alerts'
import { readHistory, writeAggregated, writeServerLevels } from '../../src/db/history-rows'
import { noteServerTime, readClockAhead } from '../../src/db/server-clock'
import { DAY, HOUR, MINUTE } from '../../src/domain/granularity'
import type { CoinId } from '../../src/domain/ids'
import { seriesFromPoints } from '../../src/domain/series'
import { alertRow, messageOf, presentOwner } from './support/alerts'
import { NOW, testContext } from './support/entries'
import { guestContext } from './support/people'

const BITCOIN = 'bitcoin' as CoinId
const levelOf = (times: readonly number[]) => ({
  coin: BITCOIN,
  granularity: 'fiveMinutely' as const,
  source: 'simulated' as const,
  series: seriesFromPoints(times.map((time) => [time, 5])),
})
const BUCKET = 5 * MINUTE
/** Bucket starts, in multiples of a bucket from now. */
const start = Math.floor(NOW / BUCKET) * BUCKET
const buckets = (...numbers: number[]) => numbers.map((n) => start + n * BUCKET)

const scene = () => {
  const { db } = testContext()
  const stored = async () =>
    ((await readHistory(db, BITCOIN, 'fiveMinutely'))?.times ?? []).map((time) => (time - start) / BUCKET)
  return { db, stored: async () => [...(await stored())] }
}

test('points that a clock three hours ahead wrote are gone with the first point that the right clock writes', async () => {
  const { db, stored } = scene()
  await writeAggregated(db, [levelOf(buckets(30, 36))], NOW + 3 * HOUR)
  await writeAggregated(db, [levelOf(buckets(-1, 0))], NOW)
  expect(await stored()).toEqual([-1, 0])
})

test('points in the future are gone with the next answer of the server', async () => {
  const { db, stored } = scene()
  await writeAggregated(db, [levelOf(buckets(36))], NOW + 3 * HOUR)
  await writeServerLevels(db, [levelOf(buckets(-2, -1))], NOW)
  expect(await stored()).toEqual([-2, -1])
})

test('a clock that is a year ahead for some minutes deletes nothing that the server said', async () => {
  const { db, stored } = scene()
  await writeServerLevels(db, [levelOf(buckets(-300, -2, -1))], NOW)
  await writeAggregated(db, [levelOf([NOW + 365 * DAY])], NOW + 365 * DAY)
  await writeAggregated(db, [levelOf(buckets(0))], NOW)
  expect(await stored()).toEqual([-300, -2, -1, 0])
})

test('a level whose server is silent for long holds at most twice the points of its span', async () => {
  const { db, stored } = scene()
  await writeServerLevels(db, [levelOf(buckets(-1))], NOW)
  const later = Array.from({ length: 2000 }, (_, i) => start + i * BUCKET)
  await writeAggregated(db, [levelOf(later)], later.at(-1)!)
  expect((await stored()).length).toBe(2 * 3 * 288)
})

test('a clock three hours behind the server keeps the server’s newest points', async () => {
  const { db, stored } = scene()
  await noteServerTime(db, NOW + 3 * HOUR, NOW)
  await writeServerLevels(db, [levelOf(buckets(-1, 34, 35))], NOW)
  expect(await stored()).toEqual([-1, 34, 35])
})

test('a difference to the server’s clock below 30 s counts as none, and one that ends is forgotten', async () => {
  const { db } = testContext()
  await noteServerTime(db, NOW - 29_000, NOW)
  expect(await readClockAhead(db)).toBe(0)
  await noteServerTime(db, NOW + HOUR, NOW)
  expect(await readClockAhead(db)).toBe(-HOUR)
  await noteServerTime(db, NOW + 900, NOW)
  expect(await readClockAhead(db)).toBe(0)
})

test.each([-60, -11, -9, 0, 11, 60])(
  'a crossing that the open app announced is not announced again by the push, with a clock ahead by %i minutes',
  async (minutes) => {
    const context = await guestContext()
    const owner = await presentOwner(context)
    const device = NOW + minutes * MINUTE
    await noteServerTime(context.db, NOW, device)
    expect(await claimAlert(context.db, alertRow(owner, { at: device }))).toBe(true)
    const message = messageOf(alertRow(owner, { at: NOW + 2000 }))
    expect((await acceptPush(context.db, [message], owner, device))?.claims[0]?.isFirst).toBe(false)
  },
)

test('a push is shown as a toast and stands in the log at this device’s time, with a clock that is an hour ahead', async () => {
  const context = await guestContext()
  const owner = await presentOwner(context)
  await noteServerTime(context.db, NOW, NOW + HOUR)
  await acceptPush(context.db, [messageOf(alertRow(owner, { at: NOW - MINUTE }))], owner, NOW + HOUR)
  const toasts = await claimToasts(context.db, owner, NOW + HOUR)
  expect(toasts.map(({ at }) => at)).toEqual([NOW + HOUR - MINUTE])
})
