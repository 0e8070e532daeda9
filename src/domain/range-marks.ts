import type { Thresholds } from './alerts'
import { formatRatio } from './format-number'
import { dayRange, placeOnRange, type RangeEnd, type RangeScale, rangeScale } from './range-scale'
import type { PairStanding } from './standing'

/** The parts of the bar's legend, from left to right. */
export const LEGEND = ['low', 'title', 'now', 'high'] as const

/** Marks of the range bar. */
export interface RangeMarks {
  /** Places in per cent of the bar's width; null: no such mark. */
  readonly low: number | null
  readonly high: number | null
  readonly checkpoint: number | null
  readonly now: number | null
  /** Whether the ends are thresholds, and not the extremes of the last day. */
  readonly lowSet: boolean
  readonly highSet: boolean
  /** The same in one sentence. */
  readonly words: string
  /** The text below the bar: the ratios at the ends, the bar's span, and the ratio's place on it; empty: no text. */
  readonly legend: Readonly<Record<(typeof LEGEND)[number], string>>
}

/**
 * The scale of a bar. Without thresholds it shows nine tenths of 90 days, so that a ratio beyond its ends is at an extreme.
 * @param day ratios of the last day, undefined while they are not known
 */
export const scaleOf = (
  thresholds: Thresholds,
  day: Float64Array | undefined,
  standing?: PairStanding | null,
): RangeScale | null =>
  standing && thresholds.low === null && thresholds.high === null
    ? rangeScale(thresholds, { low: standing.p5, high: standing.p95 }, 'days')
    : rangeScale(thresholds, day === undefined ? null : dayRange(day))

export function rangeMarks(scale: RangeScale | null, now: number | null, checkpoint: number | null): RangeMarks {
  const place = (ratio: number | null | undefined): number | null =>
    scale === null || ratio == null ? null : Math.round(1000 * placeOnRange(scale, ratio)) / 10
  return {
    low: place(scale?.low?.value),
    high: place(scale?.high?.value),
    checkpoint: place(checkpoint),
    now: place(now),
    lowSet: scale?.low?.from === 'threshold',
    highSet: scale?.high?.from === 'threshold',
    words: inWords(scale, now, checkpoint),
    legend: legendOf(scale, now),
  }
}

export const DAY_TITLE = '24h range'

/** Nine of ten days lie between the ends. */
export const DAYS_TITLE = '90 days, 5 – 95%'

function legendOf(scale: RangeScale | null, now: number | null): RangeMarks['legend'] {
  const { low = null, high = null } = scale ?? {}
  return {
    low: low === null ? '' : formatRatio(low.value),
    high: high === null ? '' : formatRatio(high.value),
    title: titleOf(low, high),
    now: low === null || high === null || now === null ? '' : nowWords(now, low.value, high.value),
  }
}

/** If only one end is a threshold, the other one is the last day's extreme, or open. */
function titleOf(low: RangeEnd | null, high: RangeEnd | null): string {
  if (low?.from === 'threshold' && high?.from === 'threshold') return 'Low – high threshold'
  if (low?.from === 'threshold') return high === null ? 'Low threshold' : 'Low threshold – 24h high'
  if (high?.from === 'threshold') return low === null ? 'High threshold' : '24h low – high threshold'
  return low === null ? '' : low.from === 'days' ? DAYS_TITLE : DAY_TITLE
}

function nowWords(now: number, low: number, high: number): string {
  if (low >= high) return ''
  if (now > high) return 'now above'
  if (now < low) return 'now below'
  return `now at ${Math.round((100 * (now - low)) / (high - low))}%`
}

function inWords(scale: RangeScale | null, now: number | null, checkpoint: number | null): string {
  const end = (name: string, day: string, share: number, found: RangeEnd | null | undefined) =>
    found &&
    `, ${found.from === 'threshold' ? `${name} threshold` : found.from === 'day' ? `${day} of the last day` : `${share}% of 90 days below`} ${formatRatio(found.value)}`
  const saved = checkpoint !== null && `, default checkpoint ${formatRatio(checkpoint)}`
  return `Now ${formatRatio(now)}${end('low', 'lowest', 5, scale?.low) ?? ''}${end('high', 'highest', 95, scale?.high) ?? ''}${saved || ''}`
}
