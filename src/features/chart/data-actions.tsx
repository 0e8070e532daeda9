import { Download, Table2 } from 'lucide-react'
import { useState } from 'react'
import type { WidgetView } from '../../db/view'
import type { Period } from '../../domain/period'
import { useServices } from '../../state/services'
import { Button } from '../../ui/button'
import styles from './data-actions.module.css'

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
    <div className={styles['actions']}>
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
