import { useRoute, useSearch } from 'wouter'
import { navigate, useHistoryState } from 'wouter/use-browser-location'
import type { CoinId } from '../domain/ids'
import { STANDING_WINDOW, STATISTIC_WINDOWS, type StatisticWindow } from '../domain/pair-statistics'
import { isPeriod, type Period } from '../domain/chart-periods'
import { PairSheet } from '../features/chart/sheet/pair-sheet'
import { type FROM_RADAR, PAIR_SHEET, RADAR, sheetAddress } from './addresses'
import { useTitle } from './screen'

/** The period of the chart whose window the sheet begins with. */
const FIRST_PERIOD: Period = '3m'

/** The sheet of the pair in the address, which names the chart's period and the statistics' window too. */
export function PairSheetRoute() {
  const [, address] = useRoute<{ coinA: CoinId; coinB: CoinId; period?: string }>(PAIR_SHEET)
  const search = useSearch()
  const state = useHistoryState<typeof FROM_RADAR | null>()
  const asked = Number(new URLSearchParams(search).get('window'))
  const window = STATISTIC_WINDOWS.find((days) => days === asked) ?? STANDING_WINDOW
  useTitle(address === null ? undefined : `${address.coinA} / ${address.coinB}`)
  if (address === null) return null
  const { coinA, coinB } = address
  const period = isPeriod(address.period ?? '') ? (address.period as Period) : FIRST_PERIOD
  const show = (to: { period?: Period; window?: StatisticWindow }) =>
    navigate(sheetAddress(coinA, coinB, { period, window, ...to }), { replace: true, state })
  const close = () => {
    if (state?.from === 'radar') history.back()
    else navigate(RADAR, { replace: true })
  }
  return (
    <PairSheet
      coinA={coinA}
      coinB={coinB}
      period={period}
      onPeriod={(next) => show({ period: next })}
      window={window}
      onWindow={(next) => show({ window: next })}
      onClose={close}
      turnedAround={sheetAddress(coinB, coinA, { period, window })}
    />
  )
}
