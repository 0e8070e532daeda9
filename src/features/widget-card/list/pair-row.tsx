import { atom } from 'jotai'
import { Bell, BellOff, CloudUpload, History } from 'lucide-react'
import { memo, type ReactNode, useMemo } from 'react'
import type { AlertsView, WidgetView } from '../../../db/view'
import {
  type AlertSide,
  armedOf,
  hasThreshold,
  SIDE_LOOKS,
  SIDES,
  type Thresholds,
  thresholdsOf,
} from '../../../domain/alerts'
import { formatPercent, formatRatio } from '../../../domain/format-number'
import { pairTitle } from '../../../domain/pair'
import { nearestThreshold } from '../../../domain/pair-order'
import type { CardSlot } from '../../../state/card-slot'
import { Badge } from '../../../ui/badge'
import { CoinIcon } from '../../../ui/coin-icon'
import { Direction } from '../../../ui/direction'
import { VisuallyHidden } from '../../../ui/visually-hidden'
import { ChartLink, useCardFocus } from '../widget-card'
import { defaultOf } from '../../../state/use-default-checkpoint'
import { Figure, type PairFigures, useBeyond, useFollow, usePairFigures } from '../figure'
import { RangeTrack, useRangeMarks, useRangeScale } from '../range-bar'
import { SPAN_WORDS } from '../../../domain/range-marks'
import { StandingBand, StandingMark } from '../standing'
import { ChangeFigure } from '../stat'
import { useSnooze } from '../../../state/use-snooze'
import { useStalePrices } from '../../../state/stale-prices'
import styles from './pair-row.module.css'
import { RowMenu, type RowMenuProps } from './row-menu'
import { alertState } from '../../../domain/alert-words'

/** How far the ratio is from the nearer threshold; without thresholds, the span of the bar above. */
function RowDistance({ figures, alerts }: { readonly figures: PairFigures; readonly alerts: AlertsView }) {
  const words = useMemo(
    () =>
      atom((get) => {
        if (hasThreshold(alerts)) return inWords(get(figures.ratio), thresholdsOf(alerts))
        return SPAN_WORDS[get(figures.summary)?.standing ? 'days' : 'day']
      }),
    [figures, alerts],
  )
  const ref = useFollow(words, write)
  return <span ref={ref} className={styles.distance} />
}

function write(element: HTMLSpanElement, words: string): void {
  element.textContent = words
}

function inWords(ratio: number | null, thresholds: Thresholds): string {
  const nearest = nearestThreshold(ratio, thresholds)
  if (nearest === null) return ''
  const share = formatPercent(Math.abs(nearest.move)).replace('+', '')
  const { side, move } = nearest
  return move < 0 ? `${share} ${SIDES[side].kind} ${side}` : `${share} to ${side}`
}

interface PairRowProps extends RowMenuProps, Pick<CardSlot, 'onOpenChart'> {
  /** Its chart stands beside the list. */
  readonly shown: boolean
}

/** One pair as a row of the list. Its figures subscribe to their own slices, so that a poll renders no row. */
export const PairRow = memo(function PairRow(props: PairRowProps) {
  const { widget, registry, shown, onOpenChart, ...menu } = props
  const { key, alerts } = widget
  const link = useCardFocus<HTMLAnchorElement>(key, widget.id)
  const figures = usePairFigures(widget.coinA.id, widget.coinB.id)
  const extreme = useBeyond(widget, figures)[0] ?? null
  const checkpoint = defaultOf(widget.checkpoints)?.ratio ?? null
  const scale = useRangeScale(figures)
  const marks = useRangeMarks(figures, scale, alerts, checkpoint)
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
        <StandingBand figures={figures} scale={scale} />
        <RowDistance figures={figures} alerts={alerts} />
      </div>
      <div role="cell" className={styles.change}>
        <ChangeFigure change={figures.change24h} />
      </div>
      <div role="cell" className={styles.standing}>
        <StandingMark figures={figures} className={styles.place} />
      </div>
      <div role="cell" className={styles.actions}>
        <RowMenu {...menu} widget={widget} registry={registry} />
      </div>
    </div>
  )
})

/** A pair's states beside its figures, in little space. @param extreme the threshold that the ratio is beyond */
function RowMarks({ widget, extreme }: { readonly widget: WidgetView; readonly extreme: AlertSide | null }) {
  const stale = useStalePrices(widget)
  const snooze = useSnooze(widget)
  const alerts = alertState(widget, armedOf(widget.alerts), stale !== null, snooze !== null)
  const { isPending } = widget
  const waiting = widget.waiting - widget.held
  return (
    <span className={styles.marks}>
      {extreme !== null && (
        <Badge tone={SIDE_LOOKS[extreme].direction} className={styles.crossed}>
          <Direction direction={SIDE_LOOKS[extreme].direction} />
          <span className={styles.words}>{SIDE_LOOKS[extreme].beyond}</span>
        </Badge>
      )}
      {alerts !== null && (
        <Mark words={alerts.words} tone={alerts.on ? 'on' : 'quiet'}>
          {alerts.on ? <Bell /> : <BellOff />}
        </Mark>
      )}
      {stale !== null && (
        <Mark words={stale.prefix + stale.text} tone="stale">
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

const Mark = ({ words, tone, children }: MarkProps) => (
  <span className={styles.mark} data-tone={tone} title={words}>
    <span aria-hidden="true">{children}</span>
    <VisuallyHidden>{words}</VisuallyHidden>
  </span>
)
