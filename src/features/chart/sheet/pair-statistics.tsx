import { ArrowLeftRight } from 'lucide-react'
import { useId } from 'react'
import { Link } from 'wouter'
import type { ChartReady } from '../../../../workers/api'
import type { PairView, WidgetView } from '../../../db/view'
import { lastRatio } from '../../../domain/chart-facts'
import type { StatisticWindow } from '../../../domain/pair-statistics'
import { pairLabel, pairTitle } from '../../../domain/pair'
import { Button, buttonClass } from '../../../ui/button'
import { FigureLink } from '../../../ui/figure-link'
import { Segmented } from '../../../ui/segmented'
import { Skeleton } from '../../../ui/skeleton'
import { dayWords } from '../../../ui/utc-day'
import { AddPairCard, type ProposalBasis } from './add-pair-card'
import styles from './pair-statistics.module.css'
import type { ShownWindow } from './shown-window'

interface PairEndingsProps {
  readonly shown: ShownWindow
}

/** How earlier places like the present one ended; nothing while that is not known. */
export function PairEndings({ shown: { sentences } }: PairEndingsProps) {
  const headingId = useId()
  const found = sentences.find(({ figure }) => figure === 'excursions')
  if (found === undefined) return null
  return (
    <section className={styles.card} aria-labelledby={headingId}>
      <h2 id={headingId}>
        <FigureLink figure={found.figure}>{found.name}</FigureLink>
      </h2>
      <p>{found.words}</p>
    </section>
  )
}

interface PairStatisticsProps extends PairEndingsProps {
  readonly pair: PairView
  /** The pair on the dashboard, this way round or the other; null: it is not there. */
  readonly onDashboard: WidgetView | null
  readonly chart: ChartReady | null
  readonly onWindow: (window: StatisticWindow) => void
  readonly onRetry: () => void
  /** Address of the page of the pair turned around. */
  readonly turnedAround: string
}

/** All figures of the window that the page's head and endings do not have, and the way to the dashboard. */
export function PairStatistics(props: PairStatisticsProps) {
  const { pair, onDashboard, shown, chart, onWindow, turnedAround } = props
  const headingId = useId()
  return (
    <>
      <section className={styles.card} aria-labelledby={headingId} aria-busy={shown.state.kind === 'loading'}>
        <header className={styles.head}>
          <h2 id={headingId}>{pairTitle(pair)} in the days before</h2>
          <Segmented
            label="Window"
            options={WINDOWS}
            value={String(shown.window) as (typeof WINDOWS)[number]['value']}
            onChange={(value) => onWindow(Number(value) as StatisticWindow)}
          />
        </header>
        <Figures {...props} />
        <Link href={turnedAround} replace className={buttonClass({ size: 'sm' })}>
          <ArrowLeftRight aria-hidden="true" />
          Turn around: {pairLabel(pair.coinB.symbol, pair.coinA.symbol)}
        </Link>
      </section>
      <AddPairCard pair={pair} widget={onDashboard} basis={basisOf(shown, chart)} />
    </>
  )
}

const WINDOWS = [
  { value: '30', label: '30 d' },
  { value: '90', label: '90 d' },
  { value: '180', label: '180 d' },
  { value: '365', label: '1 y' },
] as const

/** Undefined: the figures are not known; null: they give no thresholds. */
function basisOf({ state, window }: ShownWindow, chart: ChartReady | null): ProposalBasis {
  switch (state.kind) {
    case 'loading':
    case 'failed':
      return undefined
    case 'none':
    case 'lacking':
      return null
    case 'ready': {
      const shown = state.report.windows.find((one) => one.window === window)
      // The chart may have a later ratio than the last day's close.
      const ratio = (chart && lastRatio(chart)) ?? state.report.ratio
      return shown === undefined ? null : { shown, ratio }
    }
  }
}

function Figures({ shown: { state, sentences }, onRetry }: Pick<PairStatisticsProps, 'shown' | 'onRetry'>) {
  switch (state.kind) {
    case 'loading':
      return <Skeleton height="12rem" />
    case 'none':
      return <p>No daily closes are stored on this device yet. They come with the next answer of the server.</p>
    case 'lacking':
      return (
        <p>
          The daily closes on this device are of the best coins by market cap and of coins on dashboards, not of both of
          these.
        </p>
      )
    case 'failed':
      return (
        <div role="alert" className={styles.failed}>
          <p>The figures could not be computed: {state.message}</p>
          <Button size="sm" onClick={onRetry}>
            Try again
          </Button>
        </div>
      )
    case 'ready':
      return (
        <>
          <dl className={styles.sentences}>
            {sentences
              .filter(({ figure }) => !SHOWN_ABOVE.includes(figure))
              .map(({ figure, name, words }) => (
                <div key={name} className={styles.sentence}>
                  <dt>
                    <FigureLink figure={figure}>{name}</FigureLink>
                  </dt>
                  <dd>{words}</dd>
                </div>
              ))}
          </dl>
          <p className={styles.note}>
            {state.report.pricedAt !== null
              ? `The ${state.report.isLive ? 'current' : 'last known'} ratio beside daily closes up to ${dayWords(state.report.lastDay)}.`
              : 'This device follows the prices of coins on the dashboard: without current prices of both coins, the last close is compared.'}{' '}
            Past swings promise nothing.
          </p>
        </>
      )
  }
}

/** Figures that the page's head and its endings have. */
const SHOWN_ABOVE: readonly string[] = ['percentile', 'legs', 'excursions']
