import { useLiveQuery } from 'dexie-react-hooks'
import { useAtomValue } from 'jotai'
import { ArrowLeftRight } from 'lucide-react'
import { useId } from 'react'
import { Link } from 'wouter'
import type { ChartReady, PairIds, PairReport } from '../../../../workers/api'
import { readCoins } from '../../../db/database'
import { type CoinView, coinView, type PairView, type WidgetView } from '../../../db/view'
import { lastRatio } from '../../../domain/chart-facts'
import type { Period } from '../../../domain/chart-periods'
import type { CoinId } from '../../../domain/ids'
import type { StatisticWindow } from '../../../domain/pair-statistics'
import { pairLabel, pairTitle } from '../../../domain/pair'
import { boardAtom } from '../../../state/live-data'
import { useServices } from '../../../state/services'
import { Button, buttonClass } from '../../../ui/button'
import { FigureLink } from '../../../ui/figure-link'
import { Segmented } from '../../../ui/segmented'
import { Skeleton } from '../../../ui/skeleton'
import { dayWords } from '../../../ui/utc-day'
import frame from '../chart-frame.module.css'
import { ChartFrame, ChartWaiting } from '../chart-frame'
import { PairChart } from '../pair-chart'
import { AddPairCard, type ProposalBasis } from './add-pair-card'
import { pairSentences } from './pair-sentences'
import styles from './pair-sheet.module.css'
import { type ReportState, usePairReport } from './use-pair-report'

interface PairSheetProps extends PairIds {
  readonly period: Period
  readonly onPeriod: (period: Period) => void
  readonly window: StatisticWindow
  readonly onWindow: (window: StatisticWindow) => void
  readonly onClose: () => void
  /** Address of the sheet of the pair turned around. */
  readonly turnedAround: string
}

/** Any pair of coins: its chart, its statistics in words, and a way to the dashboard. */
export function PairSheet(props: PairSheetProps) {
  const { coinA, coinB, onClose } = props
  const { commands } = useServices()
  // Null while the list is being read; undefined: it has never been loaded.
  const list = useLiveQuery(() => readCoins(commands.db).then((known) => known?.coins), [commands.db], null)
  const widgets = useAtomValue(boardAtom)?.widgets ?? []
  if (list === null) return <ChartWaiting onClose={onClose} />
  const viewOf = (id: CoinId): CoinView | null => {
    const own = widgets.flatMap((widget) => [widget.coinA, widget.coinB]).find((coin) => coin.id === id)
    const listed = list?.find((coin) => coin.id === id)
    if (listed === undefined && own !== undefined) return own
    return listed === undefined && list !== undefined ? null : coinView(id, listed)
  }
  const [a, b] = [viewOf(coinA), viewOf(coinB)]
  if (a === null || b === null || coinA === coinB) {
    return (
      <ChartFrame heading="No such pair" onClose={onClose}>
        <div className={frame.gone}>
          <p>
            {coinA === coinB
              ? 'A pair takes two different coins.'
              : `There is no coin “${a === null ? coinA : coinB}”.`}
          </p>
          <Button onClick={onClose}>Back to Radar</Button>
        </div>
      </ChartFrame>
    )
  }
  const widget = ownWidget(widgets, coinA, coinB)
  return <KnownPair key={`${coinA}/${coinB}`} {...props} pair={{ coinA: a, coinB: b }} widget={widget} />
}

/** The user's pair of these coins, this way round if there are both. */
const ownWidget = (widgets: readonly WidgetView[], coinA: CoinId, coinB: CoinId): WidgetView | null =>
  widgets.find((widget) => widget.coinA.id === coinA && widget.coinB.id === coinB) ??
  widgets.find((widget) => widget.coinA.id === coinB && widget.coinB.id === coinA) ??
  null

interface KnownPairProps extends PairSheetProps {
  readonly pair: PairView
  readonly widget: WidgetView | null
}

function KnownPair({ pair, widget, period, onPeriod, window, onWindow, onClose, turnedAround }: KnownPairProps) {
  const [state, retry] = usePairReport({ coinA: pair.coinA.id, coinB: pair.coinB.id })
  const isThisWay = widget?.coinA.id === pair.coinA.id
  return (
    <PairChart pair={pair} widget={isThisWay ? widget : null} period={period} onPeriod={onPeriod} onClose={onClose}>
      {(chart) => (
        <div className={styles.sheet}>
          <Statistics
            pair={pair}
            state={state}
            onRetry={retry}
            window={window}
            onWindow={onWindow}
            turnedAround={turnedAround}
          />
          <AddPairCard pair={pair} widget={widget} basis={basisOf(state, window, chart)} />
        </div>
      )}
    </PairChart>
  )
}

/** Undefined: the figures are not known; null: they give no thresholds. */
function basisOf(state: ReportState, window: StatisticWindow, chart: ChartReady | null): ProposalBasis {
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
function Statistics({ pair, state, onRetry, window, onWindow, turnedAround }: StatisticsProps) {
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
      <Figures pair={pair} state={state} onRetry={onRetry} window={window} />
      <Link href={turnedAround} replace className={buttonClass({ size: 'sm' })}>
        <ArrowLeftRight aria-hidden="true" />
        Turn around: {pairLabel(pair.coinB.symbol, pair.coinA.symbol)}
      </Link>
    </section>
  )
}

function Figures({ pair, state, onRetry, window }: Omit<StatisticsProps, 'onWindow' | 'turnedAround'>) {
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
      return <Sentences pair={pair} report={state.report} window={window} />
  }
}

interface SentencesProps extends Pick<StatisticsProps, 'pair' | 'window'> {
  readonly report: PairReport
}

function Sentences({ pair, report, window }: SentencesProps) {
  const shown = report.windows.find((one) => one.window === window)
  if (shown === undefined) return null
  return (
    <>
      <dl className={styles.sentences}>
        {pairSentences(report, shown, [pair.coinA.symbol, pair.coinB.symbol]).map(({ figure, name, words }) => (
          <div key={name} className={styles.sentence}>
            <dt>
              <FigureLink figure={figure}>{name}</FigureLink>
            </dt>
            <dd>{words}</dd>
          </div>
        ))}
      </dl>
      <p className={styles.note}>
        {report.pricedAt !== null
          ? `The ${report.isLive ? 'current' : 'last known'} ratio beside daily closes up to ${dayWords(report.lastDay)}.`
          : 'This device follows the prices of coins on the dashboard: without current prices of both coins, the last close is compared.'}{' '}
        Past swings promise nothing.
      </p>
    </>
  )
}
