import type { Thresholds } from './alerts'
import { formatRatio } from './format-number'
import { dayScale, placeOnRange, type RangeScale, rangeScale } from './range-scale'
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
  /** The same in one sentence. */
  readonly words: string
  /** The text below the bar: the ratios at its ends, its span, and whether the ratio lies beyond; empty: no text. */
  readonly legend: Readonly<Record<(typeof LEGEND)[number], string>>
}

/**
 * The scale of a bar, whatever the thresholds: a ratio beyond its ends is at an extreme.
 * @param day ratios of the last day, undefined while they are not known
 */
export const scaleOf = (day: Float64Array | undefined, standing?: PairStanding | null): RangeScale | null =>
  standing ? rangeScale('days', standing.p5, standing.p95) : day === undefined ? null : dayScale(day)

/** @param checkpoint the default checkpoint's ratio */
export function rangeMarks(
  scale: RangeScale | null,
  now: number | null,
  { low, high }: Thresholds,
  checkpoint: number | null,
): RangeMarks {
  const place = (ratio: number | null): number | null =>
    scale === null || ratio === null ? null : Math.round(1000 * placeOnRange(scale, ratio)) / 10
  const said = (name: string, ratio: number | null): string => (ratio === null ? '' : `, ${name} ${formatRatio(ratio)}`)
  const ends =
    scale === null ? '' : END_WORDS[scale.of].map((name, end) => said(name, [scale.from, scale.to][end]!)).join('')
  return {
    low: place(low),
    high: place(high),
    checkpoint: place(checkpoint),
    now: place(now),
    words: `Now ${formatRatio(now)}${ends}${said('low threshold', low)}${said('high threshold', high)}${said('default checkpoint', checkpoint)}`,
    legend:
      scale === null
        ? { low: '', title: '', now: '', high: '' }
        : {
            low: formatRatio(scale.from),
            title: SPAN_WORDS[scale.of],
            now: now === null ? '' : now > scale.to ? 'now above' : now < scale.from ? 'now below' : '',
            high: formatRatio(scale.to),
          },
  }
}

/** Nine of ten days lie between the ends. */
export const SPAN_WORDS = { days: '90 days, 5 – 95%', day: '24h range' } as const

const END_WORDS = {
  days: ['5% of 90 days below', '95% of 90 days below'],
  day: ['lowest of the last day', 'highest of the last day'],
} as const
