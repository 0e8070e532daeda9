import { addDays, addHours, addMinutes, addMonths, startOfDay, startOfMonth, startOfWeek, startOfYear } from 'date-fns'
import { DAY, HOUR, MINUTE } from '../../../domain/granularity'
import type { PeriodRules } from '../../../domain/chart-periods'
import { formatMonth, formatYear, formatHourMinute, formatMonthDay } from '../../../domain/chart-time'
type Unit = 'minute' | PeriodRules['tickUnit']

interface Step {
  readonly unit: Unit
  readonly count: number
  /** About how long, milliseconds. */
  readonly span: number
}

const SPANS: Readonly<Record<Unit, number>> = { minute: MINUTE, hour: HOUR, day: DAY, week: 7 * DAY, month: 30.4 * DAY }
const COUNTS: readonly (readonly [Unit, readonly number[]])[] = [
  ['minute', [1, 5, 15, 30]],
  ['hour', [1, 2, 3, 4, 6, 12]],
  ['day', [1, 2, 4]],
  ['week', [1, 2]],
  ['month', [1, 2, 3, 6, 12, 24, 60]],
]

/** Finest first. */
const LADDER: readonly Step[] = COUNTS.flatMap(([unit, counts]) =>
  counts.map((count) => ({ unit, count, span: count * SPANS[unit] })),
)

/** If the period's own unit gives fewer ticks than MIN_TICKS, a finer unit takes over that gives ENOUGH_TICKS. */
const MIN_TICKS = 2
const ENOUGH_TICKS = 4

/**
 * The step between ticks: the period's own unit; several of it where they would crowd, a finer one where a zoom has
 * left too few.
 * @param span what is visible, milliseconds
 * @param most how many ticks there is room for
 */
export function tickStep(span: number, unit: Unit, most: number): Step {
  const room = Math.max(1, most)
  const fits = LADDER.findIndex((step) => span / step.span <= room)
  const finest = fits === -1 ? LADDER.length - 1 : fits
  const own = LADDER.findIndex((step) => step.unit === unit)
  const tells = span / (LADDER[own]?.span ?? 0) >= MIN_TICKS
  const finer = LADDER.findLastIndex((step) => span / step.span >= ENOUGH_TICKS)
  const step = LADDER[Math.max(finest, tells ? own : finer)]
  if (step === undefined) throw new Error('The ladder of ticks is empty')
  return step
}

/** The first moment not after `time` from which the steps are counted, local time. */
function origin(time: number, { unit, count }: Step): Date {
  switch (unit) {
    case 'minute':
    case 'hour':
      return startOfDay(time)
    case 'day':
      // Steps of several days are counted from the start of the month, so that ticks stay while the chart is panned.
      return count === 1 ? startOfDay(time) : startOfMonth(time)
    case 'week':
      return startOfWeek(time, { weekStartsOn: 1 })
    case 'month':
      return count === 1 ? startOfMonth(time) : startOfYear(time)
  }
}

function advance(from: Date, { unit, count }: Step, steps: number): Date {
  switch (unit) {
    case 'minute':
      return addMinutes(from, steps * count)
    case 'hour':
      return addHours(from, steps * count)
    case 'day':
      return addDays(from, steps * count)
    case 'week':
      return addDays(from, 7 * steps * count)
    case 'month':
      return addMonths(from, steps * count)
  }
}

/** Closer together than this share of a step, two labels would touch. */
const CROWDED = 0.8

/** Round moments of local time inside [min, max], milliseconds, ascending. */
export function timeTicks(min: number, max: number, step: Step): number[] {
  const ticks: number[] = []
  let start = origin(min, step)
  let steps = 0
  for (let time = start.getTime(); time <= max;) {
    if (time >= min) ticks.push(time)
    steps += 1
    const next = advance(start, step, steps)
    const anew = step.unit === 'week' ? start : origin(next.getTime(), step)
    if (anew.getTime() <= time) {
      time = next.getTime()
      continue
    }
    // A day, a month or a year has begun: the steps are counted from there, and what stands close before it gives way.
    if (anew.getTime() <= max && anew.getTime() - time < CROWDED * step.span) ticks.pop()
    start = anew
    steps = 0
    time = anew.getTime()
  }
  return ticks
}

/** The label of a tick: the hour, and the date or the year where a new one begins. */
export function tickLabel(time: number, { unit }: Step): string {
  const date = new Date(time)
  switch (unit) {
    case 'minute':
    case 'hour':
      return startOfDay(date).getTime() === time ? formatMonthDay(time) : formatHourMinute(time)
    case 'day':
    case 'week':
      return formatMonthDay(time)
    case 'month':
      return date.getMonth() === 0 ? formatYear(time) : formatMonth(time)
  }
}
