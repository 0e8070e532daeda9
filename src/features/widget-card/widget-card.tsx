import { useSetAtom } from 'jotai'
import { memo, useId } from 'react'
import { pairTitle } from '../../domain/pair'
import { MOVE_HELP_ID, type CardSlot } from '../../state/card-slot'
import { partMissingAtom } from '../../state/toasts'
import { lastingPart } from '../../ui/lasting-part'
import { MoveMenu } from '../../ui/move-menu'
import { ActiveBody } from './active-body'
import { AlertSwitch } from './alert-switch'
import { ChartLink } from './chart-link'
import { RemoveButton } from './remove-button'
import { SavingLabel } from './saving-label'
import { useBeyond, usePairFigures } from './slices'
import { useCardActions } from './use-card-actions'
import { useCardFocus } from './use-card-focus'
import styles from './widget-card.module.css'

const InactivePanel = lastingPart(async () => (await import('./inactive-panel')).InactivePanel)

/** One pair. Its figures subscribe to their own slices, so that a poll renders them and not the card. */
export const WidgetCard = memo(function WidgetCard(props: CardSlot) {
  const { widget, index, count, inactive, drag, onOpenChart, onMove, onRemove } = props
  const actions = useCardActions(widget)
  const titleId = useId()
  const article = useCardFocus(widget.key, widget.id)
  const missing = useSetAtom(partMissingAtom)
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
