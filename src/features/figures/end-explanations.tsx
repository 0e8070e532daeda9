import { COMES_BACK_WITHIN, WANDERER_SHARE } from '../../domain/excursions'
import { formatSignificant, withDecimals } from '../../domain/format-number'
import { CHANCE } from './chance-example'
import { atDeviations, DRIFT, HALF_LIFE, reaches, RETURN, spansBeyond, SWINGS, THRESHOLD } from './examples'
import { EXCURSION } from './excursion-example'
import type { ExplanationProps } from './explanation'
import { MEASURED, ofHundred } from './measured-shares'

const TOUCHES = reaches(THRESHOLD)

/** Figures that say what came of such places before. */
export const END_EXPLANATIONS: readonly ExplanationProps[] = [
  {
    figure: 'chance',
    title: 'How many stand there by chance',
    chart: {
      label: `${CHANCE.orders} shuffled orders by how many of ${CHANCE.pairs} pairs stand beyond 2 deviations in them`,
      values: CHANCE.frequency,
      marks: [
        { at: CHANCE.median, shape: 'dot', name: `middle: ${CHANCE.median}` },
        { at: CHANCE.today, shape: 'dot', name: `as it was: ${CHANCE.today}` },
      ],
      spans: [[CHANCE.low, CHANCE.high]],
    },
    caption: `From left to right: orders with 0, 1, 2 and more pairs beyond. The middle one of ${CHANCE.orders} orders has ${CHANCE.median} of ${CHANCE.pairs}, nine of ten have ${CHANCE.low} to ${CHANCE.high} (shaded). In the order as it was there are ${CHANCE.today}.`,
    text: (
      <>
        <p>
          Among many pairs some always stand far out. Radar says how many do, and beside it how many would by chance:
          the app shuffles the days of the stored closes like cards, again and again. A day stays whole, with what all
          coins did on it; only the order is lost, and with it all that one day has to do with the next.
        </p>
        <p>
          The line names the middle count of the shuffled orders, and between which counts nine of ten of them lie. A
          count within these bounds is one that shuffled days have as well.
        </p>
      </>
    ),
  },
  {
    figure: 'excursions',
    title: 'How such highs and lows ended',
    chart: {
      label: 'A ratio that goes beyond two deviations and comes back to its rolling average, which has risen meanwhile',
      values: EXCURSION.ratios,
      second: EXCURSION.average,
      bands: EXCURSION,
      marks: [
        { at: EXCURSION.begin, shape: 'up', name: 'begins' },
        { at: EXCURSION.end, shape: 'down', name: 'is back' },
      ],
      spans: [[EXCURSION.begin, EXCURSION.end]],
    },
    caption: `This one took ${EXCURSION.days} days, and went ${withDecimals(100 * EXCURSION.furtherBy, 1)}\u00A0% further first. The dashed rolling average came to meet it.`,
    text: (
      <>
        <p>
          An excursion begins on the day on which the ratio stands more than 2 deviations from the average of the days
          before it. It is over when the ratio is back at that average, which moves along: the{' '}
          <strong>rolling average</strong>. The sheet of a pair counts those that began at least {COMES_BACK_WITHIN}{' '}
          days ago, and how many of them were back within {COMES_BACK_WITHIN} days. One that never came back counts as
          one that did not; younger ones are named apart.
        </p>
        <p>
          Beside it stands what a ratio does that wanders freely, step by step, with no pull at all. Of its excursions{' '}
          {ofHundred(WANDERER_SHARE[30])} are back within {COMES_BACK_WITHIN} days with a window of 30 days,{' '}
          {ofHundred(WANDERER_SHARE[90])} with 90 days, {ofHundred(WANDERER_SHARE[180])} with 180 and{' '}
          {ofHundred(WANDERER_SHARE[365])} with a year, since the average comes to the ratio as much as the ratio to the
          average. Half a dozen excursions in a year are few: they describe that year, and little more.
        </p>
      </>
    ),
  },
  {
    figure: 'touches',
    title: 'How often a threshold was reached',
    chart: {
      label: 'A ratio that reaches a threshold several times',
      values: SWINGS,
      levels: [
        { value: THRESHOLD, name: `high ${THRESHOLD}`, tone: 'high' },
        { value: atDeviations(0), name: 'average of 90 days', tone: 'average' },
      ],
      marks: TOUCHES.map((at) => ({ at, shape: 'up' })),
      spans: spansBeyond(THRESHOLD),
    },
    caption: `Reached ${TOUCHES.length} times; the stretches beyond ${formatSignificant(THRESHOLD, 3)} are shaded.`,
    text: (
      <>
        <p>
          While you set a threshold, the editor counts how often the last 90 days reached it. A new time is counted once
          the ratio has been back at the average of those 90 days: a ratio that trembles around the threshold counts
          once. The median is the middle of the times that it took back to the average.
        </p>
        <p>A threshold is a line at which the app tells you. Whether a swap there pays, no threshold knows.</p>
      </>
    ),
  },
  {
    figure: 'half-life',
    title: 'Half-life',
    chart: {
      label: `A distance from the average that halves every ${HALF_LIFE} days`,
      values: RETURN,
      levels: [
        { value: 1, name: 'distance from the average', tone: 'band' },
        { value: 0.5, name: 'half of it', tone: 'band' },
        { value: 0, name: 'average', tone: 'average' },
      ],
      marks: [{ at: HALF_LIFE, shape: 'dot', name: `day ${HALF_LIFE}` }],
    },
    caption: `A distance that is half gone after ${HALF_LIFE} days, and three quarters gone after ${2 * HALF_LIFE}.`,
    text: (
      <>
        <p>
          After how many days half of a distance from the average was gone, if it came back. It comes from a straight
          line through the daily moves against the distance on the day before, corrected for what few days make of such
          a line: without the correction even a ratio that wanders freely seems to come back soon.
        </p>
        <p>
          From so few days it cannot be told exactly. Where nothing came back, or a half-life is longer than a third of
          the window, there is none.
        </p>
      </>
    ),
  },
  {
    figure: 'reversion',
    title: 'Swinging or wandering',
    chart: { label: 'A ratio that swings around its average, and one that drifts away', values: SWINGS, second: DRIFT },
    caption: 'The whole line swung around its average; the dashed one drifted.',
    text: (
      <>
        <p>
          A test asks of the days of the window: would a ratio that only wanders look like this? <strong>Swung</strong>{' '}
          means that at most 1 in 20 wandering ratios does, so among thousands of wandering pairs one in twenty passes.{' '}
          <strong>Not told from wandering</strong> means just that; it is no trend. (Augmented Dickey–Fuller test at
          5&nbsp;%, one lag, MacKinnon's critical values.)
        </p>
        <p>
          It has said nothing about the days after. Of real pairs that had swung in 90 days,{' '}
          {ofHundred(MEASURED.swungAgain)} swung again in the next 90; of all others{' '}
          {ofHundred(MEASURED.swungAfterwards)}.
        </p>
      </>
    ),
  },
]
