import { useSetAtom } from 'jotai'
import { EllipsisVertical, GripVertical } from 'lucide-react'
import { useRef, useState, type KeyboardEvent, type PointerEvent } from 'react'
import type { WidgetView } from '../../../db/view'
import type { AlertSide } from '../../../domain/alerts'
import { pairTitle } from '../../../domain/pair'
import { MOVE_HELP_ID } from '../../../state/card-slot'
import { reportMissingChunkAtom } from '../../../state/toasts'
import { useAlertSwitch } from '../../../state/use-widget-mutation'
import { IconButton } from '../../../ui/button'
import { optionalComponent } from '../../../ui/deferred-component'
import { Menu } from '../../../ui/menu'
import { moveItems } from '../../../ui/move-choices'
import { useHandle } from '../../../ui/move-menu'
import { RemoveConfirmation } from '../remove-confirmation'
import styles from './pair-row.module.css'

const ThresholdDialog = optionalComponent(async () => (await import('../threshold-dialog')).ThresholdDialog)

interface RowMove {
  /** Place in the order by hand, from 0, and the number of pairs. */
  readonly index: number
  readonly count: number
  readonly onPointerDown: (event: PointerEvent) => void
  readonly onKeyDown: (event: KeyboardEvent) => void
  readonly onMove: (to: number) => void
}

interface RowMenuProps {
  readonly widget: WidgetView
  /** Null while the order is not the user's own. */
  readonly move: RowMove | null
  readonly onRemove: () => void
}

type Asking = 'menu' | 'remove' | AlertSide

/** Actions on a pair in the list. In the order by hand its button is the handle to drag by. */
export function RowMenu({ widget, move, onRemove }: RowMenuProps) {
  const [asking, setAsking] = useState<Asking | null>(null)
  const handle = useRef<HTMLButtonElement>(null)
  const listeners = useHandle({
    onPointerDown: move?.onPointerDown,
    onKeyDown: move?.onKeyDown,
    onPress: () => setAsking(asking === null ? 'menu' : null),
  })
  const switchAlerts = useAlertSwitch(widget)
  const missing = useSetAtom(reportMissingChunkAtom)
  const title = pairTitle(widget)
  const label = `Actions for ${title}`
  const close = () => setAsking(null)

  return (
    <>
      <IconButton
        ref={handle}
        size="sm"
        label={label}
        className={move === null ? undefined : styles.handle}
        aria-haspopup="menu"
        aria-expanded={asking === 'menu'}
        aria-describedby={move === null ? undefined : MOVE_HELP_ID}
        {...listeners}
      >
        {move === null ? <EllipsisVertical aria-hidden="true" /> : <GripVertical aria-hidden="true" />}
      </IconButton>
      {asking === 'menu' && (
        <Menu
          label={label}
          handle={handle}
          // The focus that a dialog has taken from the menu closes the menu only.
          onClose={() => setAsking((now) => (now === 'menu' ? null : now))}
          items={[
            {
              label: 'Alerts',
              checked: widget.notificationsEnabled,
              onChoose: () => switchAlerts(!widget.notificationsEnabled),
            },
            { label: 'High threshold…', onChoose: () => setAsking('high') },
            { label: 'Low threshold…', onChoose: () => setAsking('low') },
            ...(move === null ? [] : moveItems(move.index, move.count, move.onMove)).map((item, index) => ({
              ...item,
              apart: index === 0,
            })),
            { label: 'Remove pair…', apart: true, onChoose: () => setAsking('remove') },
          ]}
        />
      )}
      {(asking === 'high' || asking === 'low') && (
        <ThresholdDialog
          widget={widget}
          side={asking}
          onClose={close}
          onSwitchOn={() => switchAlerts(true)}
          onMissing={() => missing(close)}
        />
      )}
      {asking === 'remove' && (
        <RemoveConfirmation
          pair={title}
          onCancel={close}
          onRemove={() => {
            close()
            onRemove()
          }}
        />
      )}
    </>
  )
}
