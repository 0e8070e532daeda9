import { EllipsisVertical, GripVertical } from 'lucide-react'
import { useRef, useState } from 'react'
import { ALERT_SIDES, type AlertSide, SIDE_LOOKS } from '../../../domain/alerts'
import { pairTitle } from '../../../domain/pair'
import { MOVE_HELP_ID, type CardSlot } from '../../../state/card-slot'
import { useAlertSwitch } from '../../../state/use-command'
import { IconButton } from '../../../ui/button'
import { lateDialog } from '../../../ui/late-component'
import { Menu, moveItems } from '../../../ui/menu'
import { useHandle } from '../../../ui/move-menu'
import { RemoveConfirmation } from '../remove-confirmation'
import type { DragRegistry } from '../../../ui/drag-registry'
import type { WidgetView } from '../../../db/view'
import styles from './pair-row.module.css'

const ThresholdDialog = lateDialog(async () => (await import('../threshold-dialog')).ThresholdDialog)

type Asking = 'menu' | 'remove' | AlertSide

export interface RowMenuProps extends Pick<CardSlot, 'onMove' | 'onRemove'> {
  readonly widget: WidgetView
  /** Place in the order by hand, from 0, and the number of pairs; null while another order is shown. */
  readonly place: number | null
  readonly count: number
  readonly registry: DragRegistry
}

/** Actions on a pair in the list. In the order by hand its button is the handle to drag by. */
export function RowMenu({ widget, place, count, registry, onMove, onRemove }: RowMenuProps) {
  const { key } = widget
  const [asking, setAsking] = useState<Asking | null>(null)
  const handle = useRef<HTMLButtonElement>(null)
  const listeners = useHandle({
    onPointerDown: place === null ? undefined : (event) => registry.start.pointerDown(key, event),
    onKeyDown: place === null ? undefined : (event) => registry.start.keyDown(key, event),
    onPress: () => setAsking(asking === null ? 'menu' : null),
  })
  const { isOn, switchAlerts } = useAlertSwitch(widget)
  const label = `Actions for ${pairTitle(widget)}`
  const moves = place === null ? [] : moveItems(place, count, (to) => void onMove(key, to))

  return (
    <>
      <IconButton
        ref={handle}
        size="sm"
        label={label}
        icon={place === null ? EllipsisVertical : GripVertical}
        className={place === null ? undefined : styles.handle}
        aria-haspopup="menu"
        aria-expanded={asking === 'menu'}
        aria-describedby={place === null ? undefined : MOVE_HELP_ID}
        {...listeners}
      />
      {asking === 'menu' && (
        <Menu
          label={label}
          handle={handle}
          // A dialog that takes the focus from the menu closes the menu only.
          onClose={() => setAsking((now) => (now === 'menu' ? null : now))}
          items={[
            { label: 'Alerts', checked: isOn, onChoose: () => switchAlerts(!isOn) },
            ...ALERT_SIDES.map((side) => ({
              label: `${SIDE_LOOKS[side].name} threshold…`,
              onChoose: () => setAsking(side),
            })),
            ...moves.map((item, index) => ({ ...item, apart: index === 0 })),
            { label: 'Remove pair…', apart: true, onChoose: () => setAsking('remove') },
          ]}
        />
      )}
      {asking !== null && asking !== 'menu' && (
        <RowDialog
          widget={widget}
          asking={asking}
          onClose={() => setAsking(null)}
          onSwitchOn={() => switchAlerts(true)}
          onRemove={onRemove}
        />
      )}
    </>
  )
}

interface RowDialogProps extends Pick<RowMenuProps, 'widget' | 'onRemove'> {
  readonly asking: Exclude<Asking, 'menu'>
  readonly onClose: () => void
  readonly onSwitchOn: () => void
}

function RowDialog({ widget, asking, onClose, onSwitchOn, onRemove }: RowDialogProps) {
  if (asking === 'remove') {
    return (
      <RemoveConfirmation
        pair={pairTitle(widget)}
        onClose={onClose}
        onRemove={() => {
          onClose()
          onRemove(widget.key)
        }}
      />
    )
  }
  return <ThresholdDialog widget={widget} side={asking} onClose={onClose} onSwitchOn={onSwitchOn} />
}
