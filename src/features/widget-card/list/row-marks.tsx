import { Bell, BellOff, CloudUpload, History } from 'lucide-react'
import type { ReactNode } from 'react'
import type { WidgetView } from '../../../db/view'
import type { AlertSide } from '../../../domain/alerts'
import { Badge } from '../../../ui/badge'
import { Direction } from '../../../ui/direction'
import { VisuallyHidden } from '../../../ui/visually-hidden'
import { useArmed, useStaleAge } from '../slices'
import { alertState } from './alert-state'
import styles from './row-marks.module.css'

interface RowMarksProps {
  readonly widget: WidgetView
  /** The threshold that the ratio is beyond. */
  readonly extreme: AlertSide | null
}

/** A pair's states besides its figures, in as little room as there is. */
export function RowMarks({ widget, extreme }: RowMarksProps) {
  const age = useStaleAge(widget.coinA.id, widget.coinB.id)
  const alerts = alertState(widget, useArmed(widget))
  const { waiting, isPending } = widget
  return (
    <span className={styles.marks}>
      {extreme !== null && (
        <Badge tone={extreme === 'high' ? 'up' : 'down'} className={styles.crossed}>
          <Direction direction={extreme === 'high' ? 'up' : 'down'} />
          <span className={styles.words}>{extreme === 'high' ? 'Above high' : 'Below low'}</span>
        </Badge>
      )}
      {alerts !== null && (
        <Mark words={alerts.words} tone={alerts.on ? 'on' : 'quiet'}>
          {alerts.on ? <Bell /> : <BellOff />}
        </Mark>
      )}
      {age !== null && (
        <Mark words={`Prices from ${age}`} tone="stale">
          <History />
        </Mark>
      )}
      {(isPending || waiting > 0) && (
        <Mark words={isPending ? 'Saving...' : waiting === 1 ? '1 change waits' : `${waiting} changes wait`} tone="on">
          <CloudUpload />
        </Mark>
      )}
    </span>
  )
}

interface MarkProps {
  readonly words: string
  readonly tone: 'on' | 'quiet' | 'stale'
  readonly children: ReactNode
}

function Mark({ words, tone, children }: MarkProps) {
  return (
    <span className={styles.mark} data-tone={tone} title={words}>
      <span aria-hidden="true">{children}</span>
      <VisuallyHidden>{words}</VisuallyHidden>
    </span>
  )
}
