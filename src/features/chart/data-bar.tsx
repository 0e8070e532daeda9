import { useAtomValue } from 'jotai'
import { Download, Table2 } from 'lucide-react'
import { useState } from 'react'
import type { Config } from '../../contract/settings'
import type { WidgetView } from '../../db/view'
import type { Period } from '../../domain/period'
import { pricesAtom } from '../../state/live-data'
import { useServices } from '../../state/services'
import { Badge } from '../../ui/badge'
import { Button } from '../../ui/button'
import { useFetchWords } from './chart-card'
import type { ChartState } from './chart-machine'
import styles from './data-bar.module.css'
import { shortSince } from './chart-figures'
import { formatDate } from './plot/chart-time'

interface DataActionsProps {
  readonly widget: WidgetView
  readonly period: Period
  /** False while loading, without data or on error. */
  readonly hasData: boolean
  readonly isTableOpen: boolean
  readonly onTable: (open: boolean) => void
}

/** The data itself: as a table, or as a file. */
export function DataActions({ widget, period, hasData, isTableOpen, onTable }: DataActionsProps) {
  const { commands, worker } = useServices()
  const [exporting, setExporting] = useState(false)

  const save = async () => {
    if (exporting) return
    const { coinA, coinB } = widget
    setExporting(true)
    try {
      // Nothing that drawing needs: fetched when it is asked for.
      const { exportCsv } = await import('./export-csv')
      const ids = { coinA: coinA.id, coinB: coinB.id, symbolA: coinA.symbol, symbolB: coinB.symbol }
      await exportCsv(worker(), { ...ids, period, now: commands.now() })
    } catch (error) {
      // The specification's way: an export that failed is only logged.
      reportError(error)
    } finally {
      setExporting(false)
    }
  }

  return (
    <div className={styles.actions}>
      <Button
        size="sm"
        variant="ghost"
        icon={<Table2 aria-hidden="true" />}
        disabled={!hasData}
        onClick={() => onTable(!isTableOpen)}
      >
        {isTableOpen ? 'Hide table' : 'Show table'}
      </Button>
      <Button
        size="sm"
        variant="ghost"
        icon={<Download aria-hidden="true" />}
        // Disabled, it would lose the focus to nothing.
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
  readonly state: ChartState
  /** Undefined before it has been loaded once. */
  readonly config: Config | undefined
  /** Asks the server again. */
  readonly onRetry: () => void
}

/** Beside the data: how far back it reaches, why no further, and that it is simulated; the footer credits the provider. */
export function DataNote({ state, config, onRetry }: DataNoteProps) {
  const source = useAtomValue(pricesAtom)?.source
  const chart = state.kind === 'ready' ? state.chart : null
  // A failed fetch takes nothing away from data that is whole.
  const failure = useFetchWords(state.fetch.kind === 'ended' ? state.fetch.failure : null)
  const since = chart === null ? null : shortSince(chart)
  return (
    <div className={styles.note}>
      {since !== null && failure !== null && (
        <span className={styles.failure}>
          {failure}{' '}
          <button type="button" className={styles.retry} onClick={onRetry}>
            Try again
          </button>
        </span>
      )}
      {since !== null && <span>Prices reach back to {formatDate(since)}</span>}
      {(config?.market_data.source ?? source) === 'simulated' && <Badge tone="warn">Simulated prices</Badge>}
    </div>
  )
}
