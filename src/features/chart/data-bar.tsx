import { useAtomValue } from 'jotai'
import { Download, Table2 } from 'lucide-react'
import { useMemo, useState } from 'react'
import type { Config } from '../../contract/settings'
import type { PairView } from '../../db/view'
import type { Period } from '../../domain/chart-periods'
import { pricesAtom } from '../../state/live-data'
import { liveExchangesAtom } from '../../state/price-origin'
import { useServices } from '../../state/services'
import { Badge } from '../../ui/badge'
import { Button } from '../../ui/button'
import { saveFile } from '../../ui/save-file'
import { useFetchWords } from './chart-card'
import type { ChartState } from './chart-state'
import styles from './data-bar.module.css'
import { shortSince } from '../../domain/chart-facts'
import { formatDate } from '../../domain/chart-time'
import { csvFileName } from '../../domain/csv'

interface DataActionsProps {
  readonly pair: PairView
  readonly period: Period
  /** False while loading, without data or on error. */
  readonly hasData: boolean
  readonly isTableOpen: boolean
  readonly onTable: (open: boolean) => void
}

/** The data itself: as a table, or as a file. */
export function DataActions({ pair, period, hasData, isTableOpen, onTable }: DataActionsProps) {
  const { commands, worker } = useServices()
  const [exporting, setExporting] = useState(false)

  const save = async () => {
    if (exporting) return
    const { coinA, coinB } = pair
    setExporting(true)
    try {
      const ids = { coinA: coinA.id, coinB: coinB.id, symbolA: coinA.symbol, symbolB: coinB.symbol }
      const csv = await worker().csv({ ...ids, period, now: commands.now() })
      saveFile(csv, csvFileName(coinA.symbol, coinB.symbol))
    } catch (error) {
      // As the specification says, a failed export is only logged.
      reportError(error)
    } finally {
      setExporting(false)
    }
  }

  return (
    <div className={styles.actions}>
      <Button size="sm" variant="ghost" icon={Table2} disabled={!hasData} onClick={() => onTable(!isTableOpen)}>
        {isTableOpen ? 'Hide table' : 'Show table'}
      </Button>
      <Button
        size="sm"
        variant="ghost"
        icon={Download}
        // A disabled button would lose the focus.
        aria-busy={exporting}
        disabled={!hasData}
        onClick={() => void save()}
      >
        Export CSV
      </Button>
    </div>
  )
}

interface DataNoteProps {
  readonly pair: PairView
  readonly state: ChartState
  /** Undefined before it has been loaded once. */
  readonly config: Config | undefined
  /** Asks the server again. */
  readonly onRetry: () => void
}

/** Which exchange gives the newest prices, how far back the data reaches, why no further, and whether it is simulated; the footer credits the provider. */
export function DataNote({ pair: { coinA, coinB }, state, config, onRetry }: DataNoteProps) {
  const source = useAtomValue(pricesAtom)?.source
  const exchanges = useAtomValue(useMemo(() => liveExchangesAtom([coinA.id, coinB.id]), [coinA.id, coinB.id]))
  const isPreliminary = state.kind === 'preliminary'
  const chart = isPreliminary || state.kind === 'ready' ? state.chart : null
  // A failed fetch shows only where the data does not reach back to the period's start, or is that of other periods.
  const failure = useFetchWords(state.fetch)
  const since = chart === null ? null : shortSince(chart)
  return (
    <div className={styles.note}>
      {(since !== null || isPreliminary) && failure !== null && (
        <span className={styles.failure}>
          {failure}{' '}
          <button type="button" className={styles.retry} onClick={onRetry}>
            Try again
          </button>
        </span>
      )}
      {exchanges !== '' && <span>Live: {exchanges}</span>}
      {since !== null && <span>Prices reach back to {formatDate(since)}</span>}
      {isPreliminary && (
        <span>Preliminary: the prices of this period have not been loaded, and no figure is made of it</span>
      )}
      {chart?.hasCloses === true && <span>Drawn from daily closes where no finer history has been loaded</span>}
      {(config?.market_data.source ?? source) === 'simulated' && <Badge tone="warn">Simulated prices</Badge>}
    </div>
  )
}
