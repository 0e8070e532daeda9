import { ArrowLeftRight } from 'lucide-react'
import { useId } from 'react'
import { Link } from 'wouter'
import type { PairReport } from '../../../../workers/api'
import type { PairView } from '../../../db/view'
import { pairLabel, pairTitle } from '../../../domain/pair'
import type { StatisticWindow } from '../../../domain/pair-statistics'
import { Button, buttonClass } from '../../../ui/button'
import { FigureLink } from '../../../ui/figure-link'
import { Segmented } from '../../../ui/segmented'
import { Skeleton } from '../../../ui/skeleton'
import { dayWords } from '../../../ui/utc-day'
import { pairSentences } from './pair-sentences'
import styles from './pair-sheet.module.css'
import type { ReportState } from './use-pair-report'

const WINDOWS = [
  { value: '30', label: '30 d' },
  { value: '90', label: '90 d' },
  { value: '180', label: '180 d' },
  { value: '365', label: '1 y' },
] as const

interface StatisticsProps {
  readonly pair: PairView
  readonly state: ReportState
  readonly onRetry: () => void
  readonly window: StatisticWindow
  readonly onWindow: (window: StatisticWindow) => void
  /** Address of the sheet of the pair turned around. */
  readonly turnedAround: string
}

/** The figures of a window in sentences. */
export function Statistics({ pair, state, onRetry, window, onWindow, turnedAround }: StatisticsProps) {
  const headingId = useId()
  return (
    <section className={styles.statistics} aria-labelledby={headingId} aria-busy={state.kind === 'loading'}>
      <header className={styles.head}>
        <h2 id={headingId}>{pairTitle(pair)} in the days before</h2>
        <Segmented
          label="Window"
          options={WINDOWS}
          value={String(window) as (typeof WINDOWS)[number]['value']}
          onChange={(value) => onWindow(Number(value) as StatisticWindow)}
        />
      </header>
      <Figures state={state} onRetry={onRetry} window={window} />
      <Link href={turnedAround} replace className={buttonClass({ size: 'sm' })}>
        <ArrowLeftRight aria-hidden="true" />
        Turn around: {pairLabel(pair.coinB.symbol, pair.coinA.symbol)}
      </Link>
    </section>
  )
}

function Figures({ state, onRetry, window }: Pick<StatisticsProps, 'state' | 'onRetry' | 'window'>) {
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
      return <Sentences report={state.report} window={window} />
  }
}

function Sentences({ report, window }: { readonly report: PairReport; readonly window: StatisticWindow }) {
  const shown = report.windows.find((one) => one.window === window)
  if (shown === undefined) return null
  return (
    <>
      <dl className={styles.sentences}>
        {pairSentences(report, shown).map(({ figure, name, words }) => (
          <div key={name} className={styles.sentence}>
            <dt>
              <FigureLink figure={figure}>{name}</FigureLink>
            </dt>
            <dd>{words}</dd>
          </div>
        ))}
      </dl>
      <p className={styles.note}>
        {report.isLive
          ? `The current ratio beside daily closes up to ${dayWords(report.lastDay)}.`
          : 'This device follows the prices of coins on the dashboard: without current prices of both coins, the last close is compared.'}{' '}
        Past swings promise nothing.
      </p>
    </>
  )
}
