import { useLiveQuery } from 'dexie-react-hooks'
import { useAtomValue } from 'jotai'
import type { PairIds } from '../../../../workers/api'
import { readCoins } from '../../../db/database'
import { type CoinView, coinView, type WidgetView } from '../../../db/view'
import type { Period } from '../../../domain/chart-periods'
import type { CoinId } from '../../../domain/ids'
import type { StatisticWindow } from '../../../domain/pair-statistics'
import { boardAtom } from '../../../state/live-data'
import { useServices } from '../../../state/services'
import { Button } from '../../../ui/button'
import frame from '../chart-frame.module.css'
import { ChartFrame, ChartWaiting } from '../chart-frame'
import { PairPage } from '../pair-page'

interface PairSheetProps extends PairIds {
  readonly period: Period
  readonly onPeriod: (period: Period) => void
  readonly window: StatisticWindow
  readonly onWindow: (window: StatisticWindow) => void
  readonly onClose: () => void
  /** Address of the sheet of the pair turned around. */
  readonly turnedAround: string
}

/** The page of any two coins. */
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
  return (
    <PairPage
      key={`${coinA}/${coinB}`}
      {...props}
      pair={{ coinA: a, coinB: b }}
      onDashboard={ownWidget(widgets, coinA, coinB)}
    />
  )
}

/** The user's pair of these coins, this way round if there are both. */
const ownWidget = (widgets: readonly WidgetView[], coinA: CoinId, coinB: CoinId): WidgetView | null =>
  widgets.find((widget) => widget.coinA.id === coinA && widget.coinB.id === coinB) ??
  widgets.find((widget) => widget.coinA.id === coinB && widget.coinB.id === coinA) ??
  null
