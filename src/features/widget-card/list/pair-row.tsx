import { memo } from 'react'
import type { WidgetView } from '../../../db/view'
import { formatRatio } from '../../../domain/format-ratio'
import { pairTitle } from '../../../domain/pair'
import type { CardSlot } from '../../../state/card-slot'
import { CoinIcon } from '../../../ui/coin-icon'
import type { DragRegistry } from '../../../ui/drag-registry'
import { ChangeFigure } from '../change-stat'
import { ChartLink } from '../chart-link'
import { defaultOf } from '../checkpoint-view'
import { Figure } from '../figure'
import { RangeTrack, useRangeMarks } from '../range-bar'
import { useBeyond, usePairFigures } from '../slices'
import { useCardFocus } from '../use-card-focus'
import styles from './pair-row.module.css'
import { RowDistance } from './row-distance'
import { RowMarks } from './row-marks'
import { RowMenu } from './row-menu'

export interface PairRowProps extends Pick<CardSlot, 'onOpenChart' | 'onMove' | 'onRemove'> {
  readonly widget: WidgetView
  /** Place in the order by hand, from 0, and the number of pairs; null while another order is shown. */
  readonly place: number | null
  readonly count: number
  readonly registry: DragRegistry
  /** Its chart stands beside the list. */
  readonly shown: boolean
}

/** One pair as a row of the list. Its figures subscribe to their own slices, so that a poll renders no row. */
export const PairRow = memo(function PairRow(props: PairRowProps) {
  const { widget, place, count, registry, shown, onOpenChart, onMove, onRemove } = props
  const { key, highThreshold: high, lowThreshold: low } = widget
  const link = useCardFocus<HTMLAnchorElement>(key, widget.id)
  const figures = usePairFigures(widget.coinA.id, widget.coinB.id)
  const extreme = useBeyond(widget, figures)[0] ?? null
  const checkpoint = defaultOf(widget.checkpoints)?.ratio ?? null
  const marks = useRangeMarks({ figures, high, low, checkpoint })
  return (
    <div
      role="row"
      ref={registry.slotRef(key)}
      className={styles.row}
      data-extreme={extreme ?? undefined}
      aria-busy={widget.isPending}
      aria-current={shown || undefined}
    >
      <div role="rowheader" className={styles.pair}>
        <span className={styles.icons} aria-hidden="true">
          <CoinIcon image={widget.coinA.image} />
          <CoinIcon image={widget.coinB.image} />
        </span>
        <span className={styles.name}>
          <ChartLink ref={link} widget={widget} title={pairTitle(widget)} onOpenChart={onOpenChart} />
        </span>
        <RowMarks widget={widget} extreme={extreme} />
      </div>
      <div role="cell" className={styles.ratio}>
        <Figure source={figures.ratio} format={formatRatio} />
      </div>
      <div role="cell" className={styles.range}>
        <RangeTrack marks={marks} />
        <RowDistance figures={figures} high={high} low={low} />
      </div>
      <div role="cell" className={styles.change}>
        <ChangeFigure change={figures.change24h} />
      </div>
      <div role="cell" className={styles.actions}>
        <RowMenu
          widget={widget}
          move={
            place === null
              ? null
              : {
                  index: place,
                  count,
                  onPointerDown: (event) => registry.start.pointerDown(key, event),
                  onKeyDown: (event) => registry.start.keyDown(key, event),
                  onMove: (to) => onMove(key, to),
                }
          }
          onRemove={() => onRemove(key)}
        />
      </div>
    </div>
  )
})
