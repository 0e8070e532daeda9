import { atom } from 'jotai'
import { memo, useMemo } from 'react'
import type { AlertsView, WidgetView } from '../../../db/view'
import { hasThreshold, type Thresholds, thresholdsOf } from '../../../domain/alerts'
import { formatPercent, formatRatio } from '../../../domain/format-number'
import { pairTitle } from '../../../domain/pair'
import { nearestThreshold } from '../../../domain/pair-order'
import type { CardSlot } from '../../../state/card-slot'
import { CoinIcon } from '../../../ui/coin-icon'
import type { DragRegistry } from '../../../ui/drag-registry'
import { ChartLink, useCardFocus } from '../widget-card'
import { defaultOf } from '../checkpoint-field'
import { Figure, type PairFigures, useBeyond, useFollow, usePairFigures } from '../figure'
import { RangeTrack, useRangeMarks } from '../range-bar'
import { ChangeFigure } from '../stat'
import styles from './pair-row.module.css'
import { RowMarks } from './row-marks'
import { RowMenu } from './row-menu'

interface RowDistanceProps {
  readonly figures: PairFigures
  readonly alerts: AlertsView
}

/** How far the ratio is from the nearer threshold; without thresholds what the bar above spans. */
function RowDistance({ figures, alerts }: RowDistanceProps) {
  const words = useMemo(
    () => atom((get) => (hasThreshold(alerts) ? inWords(get(figures.ratio), thresholdsOf(alerts)) : '24h range')),
    [figures, alerts],
  )
  const ref = useFollow(words, write)
  return <span ref={ref} className={styles.distance} />
}

function write(element: HTMLSpanElement, words: string): void {
  element.textContent = words
}

const BEYOND_WORDS = { high: 'above high', low: 'below low' } as const

function inWords(ratio: number | null, thresholds: Thresholds): string {
  const nearest = nearestThreshold(ratio, thresholds)
  if (nearest === null) return ''
  const share = formatPercent(Math.abs(nearest.move)).replace('+', '')
  const { side, move } = nearest
  return move < 0 ? `${share} ${BEYOND_WORDS[side]}` : `${share} to ${side}`
}

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
  const { key, alerts } = widget
  const link = useCardFocus<HTMLAnchorElement>(key, widget.id)
  const figures = usePairFigures(widget.coinA.id, widget.coinB.id)
  const extreme = useBeyond(widget, figures)[0] ?? null
  const checkpoint = defaultOf(widget.checkpoints)?.ratio ?? null
  const marks = useRangeMarks({ figures, alerts, checkpoint })
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
        <RowDistance figures={figures} alerts={alerts} />
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
