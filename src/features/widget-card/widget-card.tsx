import { useSetAtom } from 'jotai'
import { Bell, BellOff, X } from 'lucide-react'
import { memo, useId, useState } from 'react'
import { pairTitle } from '../../domain/pair'
import { MOVE_HELP_ID, type CardSlot } from '../../state/card-slot'
import { reportMissingChunkAtom } from '../../state/toasts'
import { IconButton } from '../../ui/button'
import { deferredComponent, optionalComponent } from '../../ui/deferred-component'
import { MoveMenu } from '../../ui/move-menu'
import { ActiveBody } from './active-body'
import { ChartLink, useCardFocus } from './chart-link'
import { SavingLabel } from './card-notes'
import { useBeyond, usePairFigures } from './slices'
import { useCardActions } from './use-card-actions'
import styles from './widget-card.module.css'

const RemoveConfirmation = optionalComponent(async () => (await import('./remove-confirmation')).RemoveConfirmation)

/** Asks first; the dialog's code is fetched when a card is first asked to go. */
function RemoveButton({ pair, onRemove }: { readonly pair: string; readonly onRemove: () => void }) {
  const [asking, setAsking] = useState(false)
  const missing = useSetAtom(reportMissingChunkAtom)
  const close = () => setAsking(false)
  return (
    <>
      <IconButton size="sm" label="Remove pair" onClick={() => setAsking(true)}>
        <X aria-hidden="true" />
      </IconButton>
      {asking && (
        <RemoveConfirmation
          pair={pair}
          onCancel={close}
          onRemove={() => {
            close()
            onRemove()
          }}
          onMissing={() => missing(close)}
        />
      )}
    </>
  )
}

/** Whether the pair's thresholds are watched. */
function AlertSwitch({ on, onSwitch }: { readonly on: boolean; readonly onSwitch: (on: boolean) => void }) {
  return (
    <button
      type="button"
      role="switch"
      aria-checked={on}
      aria-label="Alerts"
      title={on ? 'Alerts are on' : 'Alerts are off'}
      className={styles.switch}
      onClick={() => onSwitch(!on)}
    >
      <span className={styles.thumb}>{on ? <Bell aria-hidden="true" /> : <BellOff aria-hidden="true" />}</span>
    </button>
  )
}

const InactivePanel = deferredComponent(async () => (await import('./inactive-panel')).InactivePanel)

/** One pair. Its figures subscribe to their own slices, so that a poll renders them and not the card. */
export const WidgetCard = memo(function WidgetCard(props: CardSlot) {
  const { widget, index, count, inactive, drag, onOpenChart, onMove, onRemove } = props
  const actions = useCardActions(widget)
  const titleId = useId()
  const article = useCardFocus(widget.key, widget.id)
  const missing = useSetAtom(reportMissingChunkAtom)
  const figures = usePairFigures(widget.coinA.id, widget.coinB.id)
  const beyond = useBeyond(widget, figures)
  const title = pairTitle(widget)

  return (
    <article
      ref={article}
      tabIndex={-1}
      aria-labelledby={titleId}
      aria-busy={widget.isPending}
      className={styles.card}
      data-extreme={inactive === null ? beyond[0] : undefined}
    >
      <header className={styles.header}>
        <h3 id={titleId} className={styles.title} title={title}>
          {inactive === null ? <ChartLink widget={widget} title={title} onOpenChart={onOpenChart} /> : title}
        </h3>
        {inactive !== null && widget.isPending && <SavingLabel />}
        {inactive === null && <AlertSwitch on={widget.notificationsEnabled} onSwitch={actions.switchAlerts} />}
        {count > 1 && (
          <MoveMenu
            label="Move pair"
            describedBy={MOVE_HELP_ID}
            index={index}
            count={count}
            onHandlePointerDown={(event) => drag.pointerDown(widget.key, event)}
            onHandleKeyDown={(event) => drag.keyDown(widget.key, event)}
            onMove={(to) => onMove(widget.key, to)}
            onMissing={missing}
          />
        )}
        <RemoveButton pair={title} onRemove={() => onRemove(widget.key)} />
      </header>
      {inactive === null ? (
        <ActiveBody widget={widget} figures={figures} beyond={beyond} actions={actions} onOpenChart={onOpenChart} />
      ) : (
        <div className={styles.inactive}>
          <InactivePanel widget={widget} figures={figures} notice={inactive} />
        </div>
      )}
    </article>
  )
})
