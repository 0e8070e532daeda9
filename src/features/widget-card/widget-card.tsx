import { memo, useId } from 'react'
import { MOVE_HELP_ID, type CardSlot } from '../../state/card-slot'
import { MoveMenu } from '../../ui/move-menu'
import { CardNotes } from './card-notes'
import { ChartButton } from './chart-button'
import { CoinRow } from './coin-row'
import { InactivePanel } from './inactive-panel'
import { RatioPanel } from './ratio-panel'
import { RemoveButton } from './remove-button'
import { useCardFocus } from './use-card-focus'
import styles from './widget-card.module.css'

/** One pair. Its figures subscribe to their own slices, so that a poll renders them and not the card. */
export const WidgetCard = memo(function WidgetCard(props: CardSlot) {
  const { widget, index, count, inactive, drag, onOpenChart, onMove, onRemove } = props
  const { coinA, coinB, isPending } = widget
  const titleId = useId()
  const article = useCardFocus(widget.key, widget.id)
  const title = `${coinA.symbol} / ${coinB.symbol}`
  // Its own creation is what "Saving..." says already.
  const waiting = isPending ? widget.waiting - 1 : widget.waiting

  return (
    <article ref={article} tabIndex={-1} aria-labelledby={titleId} aria-busy={isPending} className={styles.card}>
      <header className={styles.header}>
        <h3 id={titleId} className={styles.title} title={title}>
          {title}
        </h3>
        {count > 1 && (
          <MoveMenu
            label="Move pair"
            describedBy={MOVE_HELP_ID}
            index={index}
            count={count}
            onHandlePointerDown={(event) => drag.pointerDown(widget.key, event)}
            onHandleKeyDown={(event) => drag.keyDown(widget.key, event)}
            onMove={(to) => onMove(widget.key, to)}
          />
        )}
        <RemoveButton pair={title} onRemove={() => onRemove(widget.key)} />
      </header>
      {inactive === null ? (
        <div className={styles.body}>
          <RatioPanel
            coinA={coinA.id}
            coinB={coinB.id}
            notes={<CardNotes coinA={coinA.id} coinB={coinB.id} waiting={waiting} />}
            action={<ChartButton onClick={() => onOpenChart(widget.id)} />}
          />
          <ul className={styles.coins}>
            <CoinRow coin={coinA} />
            <CoinRow coin={coinB} />
          </ul>
        </div>
      ) : (
        <InactivePanel title={inactive.title} reason={inactive.reason} />
      )}
      {isPending && <p className={styles.saving}>Saving...</p>}
    </article>
  )
})
