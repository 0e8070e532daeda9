import { useLiveQuery } from 'dexie-react-hooks'
import { useCallback, useEffect, useState } from 'react'
import { markAlertsSeen } from '../../db/commands/mark-alerts'
import { type AlertLogView, readAlertLog } from '../../db/queries/alerts'
import type { AlertRow } from '../../db/rows'
import { useServices } from '../../state/services'
import { usePageVisible } from '../../ui/use-page-visible'

export interface AlertLog {
  /** Undefined until it has been read. */
  readonly log: AlertLogView | undefined
  /** Whether nobody had seen it before this visit. */
  readonly isNew: (row: AlertRow) => boolean
}

/** What this device knows of alerts. Whatever is on the visible page has been seen, and is new until the page is left. */
export function useAlertLog(): AlertLog {
  const { commands } = useServices()
  const visible = usePageVisible()
  const log = useLiveQuery(() => readAlertLog(commands.db), [commands.db])
  const [openedAt] = useState(commands.now)

  useEffect(() => {
    const unseen = log?.rows.filter(({ seen_at }) => seen_at === null).map(({ event_id }) => event_id) ?? []
    if (visible && unseen.length > 0) markAlertsSeen(commands, unseen).catch(reportError)
  }, [commands, log, visible])

  const isNew = useCallback(({ seen_at }: AlertRow) => seen_at === null || seen_at >= openedAt, [openedAt])
  return { log, isNew }
}
