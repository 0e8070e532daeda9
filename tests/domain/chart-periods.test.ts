import { expect, test } from 'vitest'
import { DEFAULT_PERIOD, PERIOD_RULES, PERIODS } from '../../src/domain/chart-periods'

const HOURS_A_DAY = 24
const hours = (ms: number) => ms / 3_600_000

test('the rules of the chart periods are those of the specification', () => {
  const rows = PERIODS.map((period) => {
    const { duration, granularity, averageDays, initialAverage, lookWindow, minimumSwing, tickUnit, pointRadius } =
      PERIOD_RULES[period]
    const windows = [averageDays, hours(initialAverage), lookWindow]
    return [period, hours(duration) / HOURS_A_DAY, granularity, ...windows, minimumSwing, tickUnit, pointRadius]
  })
  // Days, level, average in days, initial average in hours, points looked at, least swing in per cent, tick, radius.
  expect(rows).toEqual([
    ['1d', 1, 'fiveMinutely', 0.125, 3, 3, 1.5, 'hour', 2],
    ['7d', 7, 'thirtyMinutely', 1, 24, 12, 2, 'day', 1],
    ['1m', 30, 'hourly', 3, 72, 36, 2.5, 'week', 0],
    ['3m', 90, 'hourly', 7, 168, 72, 3, 'month', 0],
    ['1y', 365, 'daily', 30, 720, 360, 4, 'month', 0],
  ])
})

test('the dashboard opens a chart with the period of a week', () => expect(DEFAULT_PERIOD).toBe('7d'))
