import { liveQuery } from 'dexie'
import { useLiveQuery } from 'dexie-react-hooks'
import { useAtomValue } from 'jotai'
import { ArrowLeftRight } from 'lucide-react'
import { useEffect, useId, useState } from 'react'
import { Link } from 'wouter'
import type { PairIds, PairReport } from '../../../../workers/api'
import { readCoins } from '../../../db/database'
import type { CoinView, PairView, WidgetView } from '../../../db/view'
import { dayEnd } from '../../../domain/daily-matrix'
import type { CoinId } from '../../../domain/ids'
import { pairLabel, pairTitle } from '../../../domain/pair'
import type { StatisticWindow } from '../../../domain/pair-statistics'
import type { Period } from '../../../domain/period'
import { proposedThresholds } from '../../../domain/proposed-thresholds'
import { visibleBoardAtom } from '../../../state/optimistic-patches'
import { useServices } from '../../../state/services'
import { Button, buttonClass } from '../../../ui/button'
import { FigureLink } from '../../../ui/figure-link'
import { formatShortDay } from '../../../ui/format-time'
import { Segmented } from '../../../ui/segmented'
import { Skeleton } from '../../../ui/skeleton'
import { ChartFrame, ChartWaiting } from '../chart-frame'
import { PairChart } from '../pair-chart'
import { AddPairCard } from './add-pair-card'
import { pairSentences } from './pair-sentences'
import styles from './pair-sheet.module.css'

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
  const widgets = useAtomValue(visibleBoardAtom)?.widgets ?? []
  if (list === null) return <ChartWaiting onClose={onClose} />
  const viewOf = (id: CoinId): CoinView | null => {
    const own = widgets.flatMap((widget) => [widget.coinA, widget.coinB]).find((coin) => coin.id === id)
    const listed = list?.find((coin) => coin.id === id)
    if (listed !== undefined) return { ...listed, symbol: listed.symbol.toUpperCase() }
    if (own !== undefined) return own
    return list === undefined ? { id, symbol: id.toUpperCase(), name: id, image: null } : null
  }
  const [a, b] = [viewOf(coinA), viewOf(coinB)]
  if (a === null || b === null || coinA === coinB) {
    return (
      <ChartFrame heading="No such pair" onClose={onClose}>
        <div className={styles.unknown}>
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
  const report = usePairReport({ coinA: pair.coinA.id, coinB: pair.coinB.id })
  const isThisWay = widget?.coinA.id === pair.coinA.id
  const shown = report?.windows.find((one) => one.window === window) ?? null
  return (
    <PairChart pair={pair} widget={isThisWay ? widget : null} period={period} onPeriod={onPeriod} onClose={onClose}>
      <div className={styles.sheet}>
        <Statistics pair={pair} report={report} window={window} onWindow={onWindow} turnedAround={turnedAround} />
        <AddPairCard
          pair={pair}
          widget={widget}
          proposal={shown === null || !report ? null : proposedThresholds(shown, report.ratio)}
          window={window}
        />
      </div>
    </PairChart>
  )
}

const WINDOWS = [
  { value: '30', label: '30 d' },
  { value: '90', label: '90 d' },
  { value: '180', label: '180 d' },
  { value: '365', label: '1 y' },
] as const

interface StatisticsProps extends Pick<PairSheetProps, 'window' | 'onWindow' | 'turnedAround'> {
  readonly pair: PairView
  /** Undefined: not yet computed; null: no closes are stored. */
  readonly report: PairReport | null | undefined
}

/** The figures of a window in sentences. */
function Statistics({ pair, report, window, onWindow, turnedAround }: StatisticsProps) {
  const headingId = useId()
  const shown = report?.windows.find((one) => one.window === window)
  return (
    <section className={styles.statistics} aria-labelledby={headingId} aria-busy={report === undefined}>
      <header className={styles.head}>
        <h2 id={headingId}>{pairTitle(pair)} in the days before</h2>
        <Segmented
          label="Window"
          options={WINDOWS}
          value={String(window) as (typeof WINDOWS)[number]['value']}
          onChange={(value) => onWindow(Number(value) as StatisticWindow)}
        />
      </header>
      {report === undefined && <Skeleton height="8rem" />}
      {report === null && (
        <p>No daily closes of both coins are stored on this device. They come with the next connection.</p>
      )}
      {report && shown && (
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
              ? `The current ratio beside daily closes up to ${formatShortDay(dayEnd(report.lastDay) - 1)}.`
              : `The close of ${formatShortDay(dayEnd(report.lastDay) - 1)} beside those of the days before.`}{' '}
            Past swings promise nothing.
          </p>
        </>
      )}
      <Link href={turnedAround} replace className={buttonClass({ size: 'sm' })}>
        <ArrowLeftRight aria-hidden="true" />
        Turn around: {pairLabel(pair.coinB.symbol, pair.coinA.symbol)}
      </Link>
    </section>
  )
}

/** Milliseconds after which a report is computed again: current prices have moved on. */
const REPORT_AGE_MS = 20_000

/** Undefined: not yet computed; null: no closes of both coins are stored. */
function usePairReport({ coinA, coinB }: PairIds): PairReport | null | undefined {
  const { commands, worker } = useServices()
  const [report, setReport] = useState<PairReport | null>()
  useEffect(() => {
    let isEnded = false
    const ask = async () => {
      try {
        const answer = await worker().pairReport({ coinA, coinB })
        if (!isEnded) setReport(answer)
      } catch (error) {
        reportError(error)
      }
    }
    // The first result comes at once, each later one with another matrix.
    const closes = liveQuery(() => commands.db.daily_closes.get('usd')).subscribe({
      next: () => void ask(),
      error: (error: unknown) => reportError(error),
    })
    const timer = setInterval(() => {
      if (document.visibilityState === 'visible') void ask()
    }, REPORT_AGE_MS)
    return () => {
      isEnded = true
      closes.unsubscribe()
      clearInterval(timer)
    }
  }, [coinA, coinB, worker, commands])
  return report
}
