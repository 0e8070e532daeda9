import { useLiveQuery } from 'dexie-react-hooks'
import { useAtomValue } from 'jotai'
import type { ChartReady, PairIds } from '../../../../workers/api'
import { readCoins } from '../../../db/database'
import { type CoinView, coinView, type PairView, type WidgetView } from '../../../db/view'
import type { CoinId } from '../../../domain/ids'
import type { StatisticWindow } from '../../../domain/pair-statistics'
import type { Period } from '../../../domain/chart-periods'
import { proposedThresholds } from '../../../domain/proposed-thresholds'
import { useServices } from '../../../state/services'
import { Button } from '../../../ui/button'
import { lastRatio } from '../../../domain/chart-facts'
import { ChartFrame, ChartWaiting } from '../chart-frame'
import { PairChart } from '../pair-chart'
import { AddPairCard, type Proposal } from './add-pair-card'
import frame from '../chart-frame.module.css'
import styles from './pair-sheet.module.css'
import { Statistics } from './statistics'
import { boardAtom } from '../../../state/live-data'
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
          <AddPairCard pair={pair} widget={widget} proposal={proposalOf(state, window, chart)} window={window} />
        </div>
      )}
    </PairChart>
  )
}

/** Undefined: the figures are not known; null: they give no thresholds. */
function proposalOf(state: ReportState, window: StatisticWindow, chart: ChartReady | null): Proposal {
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
      return shown === undefined ? null : proposedThresholds(shown, ratio)
    }
  }
}
