import { breakEven } from '../../domain/backtest'
import { DEFAULT_SWAP_COST } from '../../domain/swap-cost'
import { formatSignificant, withDecimals } from '../../domain/format-number'
import { BREAK_EVEN_COURSE, SWAP_LEVELS, SWAPPED, SWINGS } from './examples'
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

/** The first two highest days of a month each. */
const PEAKS = [0, 34].map((from) => highestOf(from, from + 34)) as [number, number]

function highestOf(from: number, to: number): number {
  const values = SWINGS.slice(from, to)
  return from + values.indexOf(Math.max(...values))
}

const gained = SWAPPED.rotating.a - 1
const cost = `${withDecimals(100 * DEFAULT_SWAP_COST, 1)}\u00A0%`
const [SWAP_AT] = BREAK_EVEN_COURSE as readonly [number]
const back = breakEven('high', SWAP_AT, DEFAULT_SWAP_COST)
const kept = withDecimals(1 - DEFAULT_SWAP_COST, 3)

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
        The moving average weighs newer ratios more (exponential). The bands lie two standard deviations of the same
        window above and below it. They are lines of the chart's period and move along with it; the deviations of a card
        are those of 90 daily closes and stand still for a day.
      </p>
    ),
  },
  {
    figure: 'period',
    title: 'Estimated oscillation period',
    chart: {
      label: `Two peaks ${PEAKS[1] - PEAKS[0]} days apart`,
      values: SWINGS,
      marks: PEAKS.map((at) => ({ at, shape: 'dot' })),
    },
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
      label: 'Swaps at a high and a low line',
      values: SWINGS,
      levels: [
        { value: SWAP_LEVELS.high, name: 'high: A becomes B', tone: 'high' },
        { value: SWAP_LEVELS.low, name: 'low: B becomes A', tone: 'low' },
      ],
      marks: SWAPPED.swaps.map(({ at, to }) => ({ at, shape: to === 'b' ? 'down' : 'up' })),
    },
    caption: `${SWAPPED.swaps.length} swaps at a cost of ${cost} each: ${withDecimals(100 * Math.abs(gained), 1)}\u00A0% ${gained > 0 ? 'more' : 'less'} of A. The lines were drawn into days that had been seen.`,
    text: (
      <>
        <p>
          What rotating at two lines would have done in the shown period. It begins with coin A, becomes coin B where
          the ratio reaches the high line, A again where it reaches the low one, and so on. A swap is made{' '}
          <strong>at the line</strong>, never better, since that is where an alert comes; after a gap it is made at the
          first ratio that was seen. A side is armed once the ratio has been on its near side, just like an alert. Each
          swap costs fee and spread together, {cost} until you set another.
        </p>
        <p>
          <strong>Walk-forward comes first:</strong> the lines are drawn from the 90 days before each month and held for
          that month, so that no line knows the days that it is tried on. Shorter periods take shorter steps. With fewer
          than five swaps there and back it says “too few to tell”, and without enough past there is no fair test.
        </p>
        <p>
          <strong>Hindsight comes second:</strong> the same with today's lines, which know these days. With lines drawn
          today, yesterday is easy. Taxes and transfers that take a day are in neither. Past swings promise nothing.
        </p>
      </>
    ),
  },
  {
    figure: 'break-even',
    title: 'Break-even of a swap there and back',
    chart: {
      label: 'A ratio that falls after a swap, to below the ratio at which the way back has paid both costs',
      values: BREAK_EVEN_COURSE,
      levels: [
        { value: SWAP_AT, name: `A becomes B at ${withDecimals(SWAP_AT, 2)}`, tone: 'high' },
        { value: back, name: `more of A below ${withDecimals(back, 2)}`, tone: 'low' },
      ],
    },
    caption: `${withDecimals(SWAP_AT, 2)} × ${kept} × ${kept} = ${withDecimals(back, 2)}, ${formatSignificant(100 * (1 - back / SWAP_AT), 2)}\u00A0% below the swap.`,
    text: (
      <p>
        A swap costs fees and spread, and the way back costs them again. At {cost} each, a swap of A for B brings more
        of A again only on the far side of this line; before it, the way back brings fewer coins than there were. It
        lies close by: a ratio that does not come back at all costs far more.
      </p>
    ),
  },
]
