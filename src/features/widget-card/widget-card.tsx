import { ChartLine } from 'lucide-react'
import { memo, useId } from 'react'
import type { CardSlot } from '../../state/card-slot'
import { Button } from '../../ui/button'
import { CardNotes } from './card-notes'
import { CoinIcon } from '../../ui/coin-icon'
import { CoinRow } from './coin-row'
import { InactivePanel } from './inactive-panel'
import { MoveMenu } from './move-menu'
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

  return (
    <article ref={article} tabIndex={-1} aria-labelledby={titleId} aria-busy={isPending} className={styles.card}>
      <header className={styles.header}>
        <span className={styles.icons}>
          <CoinIcon image={coinA.image} />
          <CoinIcon image={coinB.image} />
        </span>
        <h3 id={titleId} className={styles.title}>
          {title}
        </h3>
        {count > 1 && <MoveMenu widgetKey={widget.key} index={index} count={count} drag={drag} onMove={onMove} />}
        <RemoveButton pair={title} onRemove={() => onRemove(widget.key)} />
      </header>
      <div className={styles.body} data-pending={isPending}>
        {inactive === null ? (
          <RatioPanel coinA={coinA.id} coinB={coinB.id} />
        ) : (
          <InactivePanel title={inactive.title} reason={inactive.reason} />
        )}
        {inactive === null && (
          <ul className={styles.coins}>
            <CoinRow coin={coinA} />
            <CoinRow coin={coinB} />
          </ul>
        )}
      </div>
      {isPending && <p className={styles.saving}>Saving...</p>}
      <footer className={styles.footer}>
        <CardNotes coinA={coinA.id} coinB={coinB.id} waiting={isPending ? widget.waiting - 1 : widget.waiting} />
        {inactive === null && (
          <Button
            size="sm"
            className={styles.chart}
            icon={<ChartLine aria-hidden="true" />}
            onClick={() => onOpenChart(widget.id)}
          >
            Open chart
          </Button>
        )}
      </footer>
    </article>
  )
})
