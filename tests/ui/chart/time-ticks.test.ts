import { format } from 'date-fns'
import * as fc from 'fast-check'
import { expect, it } from 'vitest'
import { PERIOD_RULES, PERIODS } from '../../../src/domain/chart-periods'
import { tickLabel, tickStep, timeTicks } from '../../../src/features/chart/plot/time-ticks'

const HOUR = 3_600_000
const DAY = 24 * HOUR
const NOW = new Date(2026, 10, 21, 12, 34).getTime()

it('time ticks are one unit of the chart’s period apart where there is room', () => {
  const units = PERIODS.map((period) => {
    const { duration, tickUnit } = PERIOD_RULES[period]
    const { unit, count } = tickStep(duration, tickUnit, 30)
    return `${count} ${unit}`
  })
  expect(units).toEqual(['1 hour', '1 day', '1 week', '1 month', '1 month'])
})

it('time ticks are up to six units apart where only five fit', () => {
  const steps = PERIODS.map((period) => {
    const { duration, tickUnit } = PERIOD_RULES[period]
    const { unit, count } = tickStep(duration, tickUnit, 5)
    return `${count} ${unit}`
  })
  expect(steps).toEqual(['6 hour', '2 day', '1 week', '1 month', '3 month'])
})

it('time ticks are of a finer unit than the period’s when a zoom leaves too few', () => {
  expect(tickStep(5 * DAY, 'month', 20)).toMatchObject({ unit: 'day', count: 1 })
  expect(tickStep(3 * HOUR, 'day', 20)).toMatchObject({ unit: 'minute', count: 30 })
})

it('a chart has at most two more time ticks than the number asked for', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 5 * 60_000, max: 800 * DAY }),
      fc.constantFrom('hour', 'day', 'week', 'month'),
      fc.integer({ min: 3, max: 40 }),
      (span, unit, most) => {
        const step = tickStep(span, unit, most)
        const ticks = timeTicks(NOW - span, NOW, step)
        // Months differ in length, days by an hour twice a year.
        expect(ticks.length).toBeLessThanOrEqual(most + 2)
      },
    ),
  )
})

const labels = (span: number, unit: 'hour' | 'day' | 'week' | 'month', most: number) => {
  const step = tickStep(span, unit, most)
  return timeTicks(NOW - span, NOW, step).map((time) => tickLabel(time, step))
}

it('time ticks stand at round moments of local time', () => {
  expect(labels(DAY, 'hour', 12)).toEqual([
    '14:00',
    '16:00',
    '18:00',
    '20:00',
    '22:00',
    'Nov 21',
    '02:00',
    '04:00',
    '06:00',
    '08:00',
    '10:00',
    '12:00',
  ])
  expect(labels(7 * DAY, 'day', 12)).toEqual(['Nov 15', 'Nov 16', 'Nov 17', 'Nov 18', 'Nov 19', 'Nov 20', 'Nov 21'])
  expect(labels(30 * DAY, 'week', 12)).toEqual(['Oct 26', 'Nov 2', 'Nov 9', 'Nov 16'])
  expect(labels(365 * DAY, 'month', 13)).toEqual([
    'Dec',
    '2026',
    'Feb',
    'Mar',
    'Apr',
    'May',
    'Jun',
    'Jul',
    'Aug',
    'Sep',
    'Oct',
    'Nov',
  ])
})

it('time ticks several units apart begin each month or year anew', () => {
  expect(labels(365 * DAY, 'month', 5)).toEqual(['2026', 'Apr', 'Jul', 'Oct'])
  const step = tickStep(12 * DAY, 'day', 6)
  expect(step.count).toBe(2)
  const from = new Date(2026, 10, 27).getTime()
  expect(timeTicks(from, from + 8 * DAY, step).map((time) => format(time, 'MMM d'))).toEqual([
    'Nov 27',
    'Nov 29',
    'Dec 1',
    'Dec 3',
    'Dec 5',
  ])
})

it('time ticks never crowd where a month ends in the middle of a step', () => {
  const step = tickStep(12 * DAY, 'day', 6)
  const from = new Date(2026, 9, 27).getTime()
  expect(timeTicks(from, from + 8 * DAY, step).map((time) => format(time, 'MMM d'))).toEqual([
    'Oct 27',
    'Oct 29',
    'Nov 1',
    'Nov 3',
  ])
})

it('time ticks ascend and lie inside the window that they are asked for, whatever the unit', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: Date.UTC(2015, 0), max: Date.UTC(2035, 0) }),
      fc.integer({ min: 60_000, max: 2000 * DAY }),
      fc.constantFrom('hour', 'day', 'week', 'month'),
      fc.integer({ min: 1, max: 40 }),
      (min, span, unit, most) => {
        const ticks = timeTicks(min, min + span, tickStep(span, unit, most))
        for (const [i, tick] of ticks.entries()) {
          expect(tick).toBeGreaterThanOrEqual(min)
          expect(tick).toBeLessThanOrEqual(min + span)
          if (i > 0) expect(tick).toBeGreaterThan(ticks[i - 1] ?? Infinity)
        }
      },
    ),
  )
})
