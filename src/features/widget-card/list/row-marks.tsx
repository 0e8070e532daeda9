import { Bell, BellOff, CloudUpload, History } from 'lucide-react'
import type { ReactNode } from 'react'
import type { WidgetView } from '../../../db/view'
import { ALERT_SIDES, type AlertSide, type Armed, hasThreshold } from '../../../domain/alerts'
import { Badge } from '../../../ui/badge'
import { Direction } from '../../../ui/direction'
import { VisuallyHidden } from '../../../ui/visually-hidden'
import { EXTREMES, useArmed, useStaleAge } from '../figure'
import styles from './row-marks.module.css'

/** A row's words about a pair's alerts; null: no threshold is set. */
export function alertState(
  { alerts, notificationsEnabled }: Pick<WidgetView, 'alerts' | 'notificationsEnabled'>,
  armed: Armed,
): { readonly on: boolean; readonly words: string } | null {
  if (!hasThreshold(alerts)) return null
  if (!notificationsEnabled) return { on: false, words: 'Alerts are off' }
  const isArmed = ALERT_SIDES.some((side) => alerts[side].threshold !== null && armed[side])
  return { on: isArmed, words: isArmed ? 'Armed' : 'Disarmed until the ratio comes back' }
}

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
        <Badge tone={EXTREMES[extreme].tone} className={styles.crossed}>
          <Direction direction={EXTREMES[extreme].tone} />
          <span className={styles.words}>{EXTREMES[extreme].words}</span>
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
