import { DAY, HOUR, type Granularity } from './granularity'

export const PERIODS = ['1d', '7d', '1m', '3m', '1y'] as const
export type Period = (typeof PERIODS)[number]

/** One row of the specification's table of chart periods. */
export interface PeriodRules {
  /** The label of its button. */
  readonly label: string
  /** Milliseconds. */
  readonly duration: number
  readonly granularity: Granularity
  /** Moving-average window in days. */
  readonly averageDays: number
  /** Span just before the chart's start that seeds the moving average, milliseconds. */
  readonly initialAverage: number
  /** Points on either side among which a peak is the largest; a short series looks less far. */
  readonly lookWindow: number
  /** Swings smaller than this share of the mean are noise, per cent. */
  readonly minimumSwing: number
  readonly tickUnit: 'hour' | 'day' | 'week' | 'month'
  /** Pixels; 0 draws no points. */
  readonly pointRadius: number
}

// oxfmt-ignore
export const PERIOD_RULES: Readonly<Record<Period, PeriodRules>> = {
  '1d': { label: '24h', duration: DAY, granularity: 'fiveMinutely', averageDays: 0.125, initialAverage: 3 * HOUR, lookWindow: 3, minimumSwing: 1.5, tickUnit: 'hour', pointRadius: 2 },
  '7d': { label: '7d', duration: 7 * DAY, granularity: 'thirtyMinutely', averageDays: 1, initialAverage: DAY, lookWindow: 12, minimumSwing: 2, tickUnit: 'day', pointRadius: 1 },
  '1m': { label: '1m', duration: 30 * DAY, granularity: 'hourly', averageDays: 3, initialAverage: 3 * DAY, lookWindow: 36, minimumSwing: 2.5, tickUnit: 'week', pointRadius: 0 },
  '3m': { label: '3m', duration: 90 * DAY, granularity: 'hourly', averageDays: 7, initialAverage: 7 * DAY, lookWindow: 72, minimumSwing: 3, tickUnit: 'month', pointRadius: 0 },
  '1y': { label: '1y', duration: 365 * DAY, granularity: 'daily', averageDays: 30, initialAverage: 30 * DAY, lookWindow: 360, minimumSwing: 4, tickUnit: 'month', pointRadius: 0 },
}

export const isPeriod = (text: string): text is Period => (PERIODS as readonly string[]).includes(text)

/** The period a chart opens with from the dashboard. */
export const DEFAULT_PERIOD: Period = '7d'
