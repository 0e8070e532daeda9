import type { Thresholds } from '../../domain/alerts'
import { formatRatio } from '../../domain/format-ratio'
import { dayRange, placeOnRange, type RangeEnd, type RangeScale, rangeScale } from '../../domain/range-scale'

/** What the range bar draws: places in per cent of its width, null for what is not there. */
export interface RangeMarks {
  readonly low: number | null
  readonly high: number | null
  readonly checkpoint: number | null
  readonly now: number | null
  /** Whether the ends are thresholds, and not what the last day reached. */
  readonly lowSet: boolean
  readonly highSet: boolean
  /** The same in one sentence. */
  readonly words: string
  readonly legend: RangeLegend
}

/** The text below the bar; empty where there is nothing to write. */
export interface RangeLegend {
  /** The ratios at the ends. */
  readonly low: string
  readonly high: string
  /** The bar's span in words. */
  readonly title: string
  /** How far the ratio has come from the low end to the high one. */
  readonly now: string
}

/** The scale of a bar; `day`: ratios of the last day, undefined while they are not known. */
export const scaleOf = (thresholds: Thresholds, day: Float64Array | undefined): RangeScale | null =>
  rangeScale(thresholds, day === undefined ? null : dayRange(day))

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

const DAY_TITLE = '24h range'

function legendOf(scale: RangeScale | null, now: number | null): RangeLegend {
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
  return low === null ? '' : DAY_TITLE
}

function nowWords(now: number, low: number, high: number): string {
  if (low >= high) return ''
  if (now > high) return 'now above'
  if (now < low) return 'now below'
  return `now at ${Math.round((100 * (now - low)) / (high - low))}%`
}

function inWords(scale: RangeScale | null, now: number | null, checkpoint: number | null): string {
  const end = (name: string, day: string, found: RangeEnd | null | undefined) =>
    found &&
    `, ${found.from === 'threshold' ? `${name} threshold` : `${day} of the last day`} ${formatRatio(found.value)}`
  const saved = checkpoint !== null && `, default checkpoint ${formatRatio(checkpoint)}`
  return `Now ${formatRatio(now)}${end('low', 'lowest', scale?.low) ?? ''}${end('high', 'highest', scale?.high) ?? ''}${saved || ''}`
}
