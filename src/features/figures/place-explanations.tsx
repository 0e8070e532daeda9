import { formatSignificant } from '../../domain/format-number'
import { deviationWords, percentileWords } from '../../domain/standing'
import { atDeviations, SWINGS, SWINGS_NOW, SWINGS_STANDING, TOGETHER } from './examples'
import type { ExplanationProps } from './explanation'

const LAST = SWINGS.length - 1
const { percentile, z, p5, median, p95, days } = SWINGS_STANDING
const below = Math.round(percentile * days)

/** Figures that say how high or low a ratio stands among those of the days before. */
export const PLACE_EXPLANATIONS: readonly ExplanationProps[] = [
  {
    figure: 'closes',
    title: 'Daily close',
    text: (
      <>
        <p>
          The last price of a coin before midnight UTC, or the first after it: the one nearest to midnight. A pair's
          daily ratio is the quotient of both closes. <strong>A close that was not seen is missing</strong>, and no
          other number takes its place; a pair needs 60 days on which both coins have one.
        </p>
        <p>
          The current ratio is compared with the closes of the days before it. Radar, which ranks coins that you do not
          watch, compares the newest close instead, and says so.
        </p>
      </>
    ),
  },
  {
    figure: 'percentile',
    title: 'Percentile, such as 96th',
    chart: {
      label: `90 daily ratios; the current one is higher than ${below} of them`,
      values: SWINGS,
      levels: [{ value: SWINGS_NOW, name: 'now', tone: 'high' }],
      marks: [{ at: LAST, shape: 'dot' }],
    },
    caption: `On ${below} of ${days} days the ratio closed lower than it stands now: the ${percentileWords(percentile)}.`,
    text: (
      <p>
        The share of the days on which the ratio closed lower than it is now. The 50th is the middle; near 100 the ratio
        has seldom been higher, near 0 seldom lower. A pair is called <strong>at an extreme</strong> while its ratio is
        among the outer 5 % of its 90 days on either side.
      </p>
    ),
  },
  {
    figure: 'range',
    title: 'Range bar: 5 %, median, 95 %',
    chart: {
      label: 'The ratios with lines below which 5, 50 and 95 per cent of the days lie',
      values: SWINGS,
      levels: [
        { value: p95, name: '95 % lie below', tone: 'band' },
        { value: median, name: 'median', tone: 'average' },
        { value: p5, name: '5 % lie below', tone: 'band' },
      ],
      marks: [{ at: LAST, shape: 'dot' }],
    },
    caption: `Nine of ten days closed between ${formatSignificant(p5, 4)} and ${formatSignificant(p95, 4)}, half of them below ${formatSignificant(median, 4)}.`,
    text: (
      <p>
        The shaded part of a card's range bar holds nine tenths of the daily closes of 90 days, and the tick in it is
        their median: half of the days closed below it.
      </p>
    ),
  },
  {
    figure: 'z',
    title: 'Deviations, such as +1.6σ',
    chart: {
      label: 'The ratios with their average and lines one and two deviations from it',
      values: SWINGS,
      levels: [
        { value: atDeviations(2), name: deviationWords(2, 0), tone: 'band' },
        { value: atDeviations(0), name: 'average', tone: 'average' },
        { value: atDeviations(-2), name: deviationWords(-2, 0), tone: 'band' },
      ],
      marks: [{ at: LAST, shape: 'dot', name: deviationWords(z ?? NaN) }],
    },
    caption: `The ratio stands ${deviationWords(z ?? NaN)} from its average.`,
    text: (
      <>
        <p>
          How far the ratio stands from its average, counted in typical deviations (sample standard deviations) of the
          window. It is reckoned with the logarithm of the ratio, so that a doubling up and a halving down are equally
          far, and turning a pair around turns only the sign.
        </p>
        <p>
          Beyond 2 is rare where ratios scatter evenly around their average. Prices often do not: in a trend a ratio can
          stay beyond 2 for weeks.
        </p>
      </>
    ),
  },
  {
    figure: 'correlation',
    title: 'Correlation',
    chart: { label: 'Two coins whose prices mostly move together', values: TOGETHER[0], second: TOGETHER[1] },
    caption: 'Two coins that mostly rise and fall on the same days.',
    text: (
      <p>
        Whether both coins have moved on the same days in the same direction: 1 always, 0 without any connection, −1
        always against each other. It is computed from the daily changes of both prices, not from the ratio.
      </p>
    ),
  },
]
