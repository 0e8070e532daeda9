import { atDeviations, SWINGS } from './examples'
import type { ExplanationProps } from './explanation'

/** Moving average of the last `points` values and its bands, simple enough to be drawn. */
const average = SWINGS.map((_, day) => mean(SWINGS.slice(Math.max(0, day - 13), day + 1)))
const spread = SWINGS.map((_, day) => {
  const before = SWINGS.slice(Math.max(0, day - 13), day + 1)
  return Math.sqrt(mean(before.map((value) => (value - mean(before)) ** 2)))
})

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length
}

const PEAKS = [23, 57] as const

/** Figures of the chart: its lines, its period, and what rotating would have done. */
export const LINE_EXPLANATIONS: readonly ExplanationProps[] = [
  {
    figure: 'bands',
    title: 'Moving average and bands',
    chart: {
      label: 'A ratio with its moving average and bands two deviations above and below it',
      values: SWINGS,
      second: average,
      bands: {
        upper: average.map((value, day) => value + 2 * (spread[day] ?? 0)),
        lower: average.map((value, day) => value - 2 * (spread[day] ?? 0)),
      },
    },
    caption: 'The dashed line follows the ratio; the bands widen where it moves more.',
    text: (
      <p>
        The average weighs newer ratios more (exponential). The bands lie two sample deviations of the same window above
        and below it. They are lines of the chart's period and move along with it; the deviations of a card are those of
        90 daily closes and stand still for a day.
      </p>
    ),
  },
  {
    figure: 'period',
    title: 'Estimated oscillation period',
    chart: { label: 'Two peaks 34 days apart', values: SWINGS, marks: PEAKS.map((at) => ({ at, shape: 'dot' })) },
    caption: `Two peaks, ${PEAKS[1] - PEAKS[0]} days apart.`,
    text: (
      <p>
        The median time from one peak or trough of the shown line to the next of its kind, after small swings were
        merged away. Without two peaks or troughs there is none.
      </p>
    ),
  },
  {
    figure: 'backtest',
    title: 'Backtest',
    chart: {
      label: 'Swaps at a high and a low threshold',
      values: SWINGS,
      levels: [
        { value: atDeviations(1.3), name: 'high: A becomes B', tone: 'high' },
        { value: atDeviations(-1.1), name: 'low: B becomes A', tone: 'low' },
      ],
      marks: [
        { at: 3, shape: 'up' },
        { at: 22, shape: 'down' },
        { at: 37, shape: 'up' },
        { at: 56, shape: 'down' },
        { at: 71, shape: 'up' },
      ],
    },
    caption: 'Each pair of swaps ends with more of the coin that it began with, less two fees.',
    text: (
      <>
        <p>
          What rotating at the two thresholds would have done in the shown period: it begins with coin A, becomes coin B
          at the first point at or above the high one, A again at the first at or below the low one, and so on. Each
          swap is made at the ratio of its own point, less the fee that you set. The result stands beside holding either
          coin all the time.
        </p>
        <p>
          It knows no spread, no slippage, no taxes and no transfer that takes a day. The thresholds were chosen after
          the fact: with lines drawn today, yesterday is easy. <strong>Past swings promise nothing.</strong>
        </p>
      </>
    ),
  },
  {
    figure: 'break-even',
    title: 'Break-even of a swap there and back',
    text: (
      <p>
        A swap costs a fee, and the way back another. With a fee of 0.2 % each, a swap of A for B at a ratio of 28.00 is
        worth more of A again only below 28.00 × 0.998 × 0.998 = <strong>27.89</strong>. Above that, the way back brings
        fewer coins than there were.
      </p>
    ),
  },
]
