import { RotateCw, Trash2 } from 'lucide-react'
import { useId } from 'react'
import type { ChangeView } from '../../db/view'
import { Badge } from '../../ui/badge'
import { Button } from '../../ui/button'
import { changeStatus } from './change-status'
import styles from './change-row.module.css'

interface ChangeRowProps {
  readonly change: ChangeView
  /** Milliseconds. */
  readonly now: number
  readonly onRetry: () => void
  readonly onDiscard: () => void
}

export function ChangeRow({ change, now, onRetry, onDiscard }: ChangeRowProps) {
  const id = useId()
  const canRetry = change.state === 'failed' || change.state === 'waiting'
  return (
    <li className={styles.row}>
      <div className={styles.text}>
        <p id={id} className={styles.title}>
          {change.title}
          {change.state === 'failed' && <Badge tone="danger">Refused</Badge>}
        </p>
        <p className={styles.status}>{changeStatus(change, now)}</p>
        {change.state === 'waiting' && change.problem !== null && (
          <p className={styles.status}>Last try: {change.problem}</p>
        )}
      </div>
      <div className={styles.actions}>
        {canRetry && (
          <Button size="sm" icon={<RotateCw aria-hidden="true" />} aria-describedby={id} onClick={onRetry}>
            Retry
          </Button>
        )}
        <Button
          size="sm"
          variant="ghost"
          icon={<Trash2 aria-hidden="true" />}
          aria-describedby={id}
          disabled={!change.canDiscard}
          onClick={onDiscard}
        >
          Discard
        </Button>
      </div>
    </li>
  )
}
