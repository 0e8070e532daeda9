import { formatSignificant, percentileWords, withDecimals } from '../../domain/format-number'
import { legWords } from '../../domain/leg-words'
import { deviationWords } from '../../domain/standing'
import {
  atDeviations,
  LATE_CLOSES,
  LATE_STANDING,
  ONE_MOVED,
  ONE_MOVED_LEGS,
  PEGGED,
  PEGGED_AWAY,
  PEGGED_STANDING,
  SWAP_THERE_AND_BACK,
  SWINGS,
  SWINGS_NOW,
  SWINGS_STANDING,
  TOGETHER,
  WITH_WRONG_CLOSE,
  WRONG_AT,
  WRONG_BY,
} from './examples'
import type { ExplanationProps } from './explanation'
import { MEASURED, oneIn } from './measured-shares'

const LAST = SWINGS.length - 1
const { percentile, z, p5, median, p95, days } = SWINGS_STANDING
const below = Math.round(percentile * days)
const perCent = (share: number, decimals: number): string => `${withDecimals(100 * share, decimals)}\u00A0%`

/** Figures that say how high or low a ratio stands among those of the days before. */
export const PLACE_EXPLANATIONS: readonly ExplanationProps[] = [
  {
    figure: 'closes',
    title: 'Daily close',
    chart: {
      label: 'Daily ratios with one close that stands far out and is left out',
      values: WITH_WRONG_CLOSE,
      marks: [{ at: WRONG_AT, shape: 'dot', name: 'left out' }],
    },
    caption: `One close stood ${perCent(WRONG_BY, 0)} higher, and the next day all of that was gone.`,
    text: (
      <>
        <p>
          The last price of a coin before midnight UTC, or the first after it: the one nearest to midnight. A pair's
          daily ratio is one close divided by the other. <strong>A close that was not seen is missing</strong>, and no
          other number takes its place; a pair needs 60 days on which both coins have one.
        </p>
        <p>
          A close that jumped far away from all other coins and was back the next day looks wrong and is left out. Where
          a coin closed at exactly the same price four days in a row or longer, nobody seems to have traded it: all of
          these but the first are left out. The sheet of a pair says how many closes look wrong.
        </p>
        <p>
          The current ratio is compared with the closes of the days before it. Without current prices of both coins the
          newest close is compared instead, and the app says so.
        </p>
      </>
    ),
  },
  {
    figure: 'ages',
    title: 'How old a price or a close is',
    chart: {
      label: 'Closes that end ten days before the price',
      values: LATE_CLOSES,
      marks: [
        { at: 79, shape: 'dot', name: 'last close' },
        { at: LAST, shape: 'dot', name: 'price' },
      ],
      spans: [[79, LAST]],
    },
    caption: `Of the 90 days before this price ${LATE_STANDING.days} are known.`,
    text: (
      <>
        <p>
          <strong>Live</strong> is a price of the last 15 minutes. An older one shows its time or its day instead.
        </p>
        <p>
          A place compares the price with the days before it. Once the closes are 2 days behind, the app says up to
          which day they reach, and calls no pair an extreme. Once they are more than 7 days behind, it shows no place
          at all. A price that is older than the last close is not compared: those days came after it.
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
      <>
        <p>
          The share of the days on which the ratio closed lower than it is now (an equal day counts half). The 50th is
          the middle; near 100 the ratio has seldom been higher, near 0 seldom lower.
        </p>
        <p>
          A pair is called <strong>at an extreme</strong> while its ratio is among the outer 5&nbsp;% of its 90 days on
          either side. Among the outer 5&nbsp;% of its days a pair is not one day in ten but about{' '}
          {oneIn(MEASURED.atExtreme)}, because ratios wander.
        </p>
      </>
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
      label: 'The ratios with their average and lines two deviations from it',
      values: SWINGS,
      levels: [
        { value: atDeviations(2), name: deviationWords(2, 0), tone: 'band' },
        { value: atDeviations(0), name: 'average of 90 days', tone: 'average' },
        { value: atDeviations(-2), name: deviationWords(-2, 0), tone: 'band' },
      ],
      marks: [{ at: LAST, shape: 'dot', name: deviationWords(z ?? NaN) }],
    },
    caption: `The ratio stands ${deviationWords(z ?? NaN)} from its average of 90 days.`,
    text: (
      <>
        <p>
          How far the ratio stands from its average, counted in steps of a usual size: the standard deviation of the
          days in the window, σ for short. It is reckoned with the logarithm of the ratio, so that a doubling up and a
          halving down are equally far, and turning a pair around turns only the sign.
        </p>
        <p>
          About {oneIn(MEASURED.beyond2, 'pair')} stands beyond 2 at a time, and on some days{' '}
          {oneIn(MEASURED.beyond2OnBusyDay)}: a ratio that only wanders does so as often. Beyond 3 it is about{' '}
          {oneIn(MEASURED.beyond3)}. It says where the ratio stands, and nothing of whether it turns.
        </p>
        <p>
          The average is that of the daily closes of the window. The moving average of the chart is never the base of a
          σ on a card.
        </p>
      </>
    ),
  },
  {
    figure: 'legs',
    title: 'Which coin moved',
    chart: {
      label: 'Two coins, each beside its own average of 90 days; one of them has risen at the end',
      values: ONE_MOVED[0],
      second: ONE_MOVED[1],
      levels: [{ value: 1, name: 'average of each', tone: 'band' }],
      marks: [{ at: LAST, shape: 'dot', name: 'A' }],
    },
    caption: `${legWords(['A', 'B'], ONE_MOVED_LEGS, 90)}.`,
    text: (
      <p>
        A ratio rises when coin A rises, and just as well when coin B falls. Each coin is therefore set beside its own
        average of the same days. Here coin A moved alone: that is a rise of one coin, and no swing of the pair.
      </p>
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
  {
    figure: 'pegged',
    title: 'Pegged pairs, and coins of the same money',
    chart: {
      label: 'A wrapped coin in the coin that it stands for: a ratio that trembles around one',
      values: PEGGED,
      levels: [{ value: 1, name: '', tone: 'average' }],
      marks: [{ at: LAST, shape: 'dot', name: deviationWords(PEGGED_STANDING.z ?? NaN) }],
    },
    caption: `The ratio stands ${deviationWords(PEGGED_STANDING.z ?? NaN)} from its average, and yet only ${perCent(PEGGED_AWAY, 2)} away: less than the ${perCent(SWAP_THERE_AND_BACK, 1)} that swapping there and back costs.`,
    text: (
      <>
        <p>
          Two dollar coins, or a coin and its wrapped or staked version, are kept at one ratio: the deviation of their
          daily ratios is below 1&nbsp;%. σ counts steps of a usual size, and here these are tiny. Radar therefore hides
          pegged pairs until you show them, and where a peg is lost it says by how many per cent.
        </p>
        <p>
          A pair that is nearer to its average than swapping there and back costs is no extreme either. Coins that stand
          for the same money are listed once: of the pairs of a coin with several dollar coins, the one with the
          largest.
        </p>
      </>
    ),
  },
]
