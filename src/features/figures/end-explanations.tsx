import { formatSignificant } from '../../domain/format-number'
import { atDeviations, AVERAGE, DRIFT, HALF_LIFE, reaches, RETURN, spansBeyond, SWINGS, THRESHOLD } from './examples'
import type { ExplanationProps } from './explanation'

const TOUCHES = reaches(THRESHOLD)

/** Figures that say what came of such places before. */
export const END_EXPLANATIONS: readonly ExplanationProps[] = [
  {
    figure: 'excursions',
    title: 'How such highs and lows ended',
    chart: {
      label: 'A ratio that goes beyond two deviations and comes back to its average',
      values: SWINGS.slice(8, 34),
      levels: [
        { value: atDeviations(1.35), name: '2 deviations of the days before', tone: 'band' },
        { value: atDeviations(0), name: 'average of the days before', tone: 'average' },
      ],
      marks: [
        { at: 14, shape: 'up', name: 'begins' },
        { at: 21, shape: 'down', name: 'is back' },
      ],
      spans: [[14, 21]],
    },
    caption: 'This one lasted 7 days, and went a little further first.',
    text: (
      <>
        <p>
          An excursion begins on the first day on which the ratio stands more than two deviations from the average of
          the days before it, and is over when it is back at that average, which moves along. The sheet of a pair says
          how many there were, how many were back within 30 days, after how many days at the median, and how much
          further the worst one went first. One that is under way counts as neither.
        </p>
        <p>Half a dozen excursions in a year are few: they describe that year, and little more.</p>
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
        { value: AVERAGE, name: 'average', tone: 'average' },
      ],
      marks: TOUCHES.map((at) => ({ at, shape: 'up' })),
      spans: spansBeyond(THRESHOLD),
    },
    caption: `Reached ${TOUCHES.length} times; the stretches beyond ${formatSignificant(THRESHOLD, 3)} are shaded.`,
    text: (
      <p>
        While you set a threshold, the editor counts how often the last 90 days reached it. A new time is counted once
        the ratio has been back at the average of those 90 days: a ratio that trembles around the threshold counts once.
        The median is the middle of the times that it took back to the average.
      </p>
    ),
  },
  {
    figure: 'half-life',
    title: 'Half-life',
    chart: {
      label: 'A distance from the average that halves every six days',
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
      <p>
        After how many days half of a distance from the average has been gone, on the whole of the window. It comes from
        a straight line through the daily moves against the distance on the day before (least squares). Where larger
        distances were not followed by moves back, there is no half-life.
      </p>
    ),
  },
  {
    figure: 'reversion',
    title: 'Reverting, weakly reverting, trending',
    chart: { label: 'A ratio that swings around its average, and one that drifts away', values: SWINGS, second: DRIFT },
    caption: 'The whole line has been drawn back again and again; the dashed one drifts.',
    text: (
      <>
        <p>
          A test of whether the ratio has been drawn back to its average more than chance does with a ratio that wanders
          freely (augmented Dickey–Fuller, one lag, MacKinnon's critical values). <strong>Reverting</strong>: chance
          alone would look like this at most once in twenty times. <strong>Weakly reverting</strong>: once in ten.{' '}
          <strong>Trending</strong>: the test cannot tell it from wandering.
        </p>
        <p>
          Among thousands of pairs, one in twenty passes the test by chance. A pair that has reverted can stop doing so
          on any day, for a reason that no price shows beforehand.
        </p>
      </>
    ),
  },
]
