import { GripHorizontal, Plus } from 'lucide-react'
import {
  type KeyboardEvent,
  type PointerEvent,
  type Ref,
  type RefObject,
  useImperativeHandle,
  useLayoutEffect,
  useRef,
} from 'react'
import type { RatioHistory } from '../../../../workers/api'
import { ALERT_SIDES, type AlertSide, SIDE_LOOKS } from '../../../domain/alerts'
import { formatRatio } from '../../../domain/format-number'
import { movedThreshold, steppedThreshold } from '../../../domain/moved-threshold'
import { distanceFromNow } from '../../../domain/threshold-entry'
import { presetThreshold } from '../../../domain/preset-thresholds'
import { pastInShort } from '../../../domain/threshold-past'
import { usePairRatio } from '../../../state/live-data'
import { useRatioHistory } from '../../../state/ratio-history'
import type { PlotControls } from '../plot/plot'
import styles from './threshold-handles.module.css'
import { type ThresholdMoves, useKeepThreshold } from './use-moved-threshold'

interface ThresholdHandlesProps {
  readonly moves: ThresholdMoves
  readonly plot: RefObject<PlotControls | null>
  readonly ref: Ref<HandlesControls>
}

/** To be called after every drawing of the plot. */
export interface HandlesControls {
  /** Puts the handles in their places. */
  readonly place: () => void
}

const NOT_STORED = ', not stored: Enter keeps it, Escape does not'
const NOT_YET = ', not stored yet'

/** Handles at the right edge of the plot, which move its alert lines by mouse, finger or keys. */
export function ThresholdHandles({ moves, plot, ref }: ThresholdHandlesProps) {
  const { widget, moved, thresholds } = moves
  const keep = useKeepThreshold(moves)
  const ratio = usePairRatio(widget.coinA.id, widget.coinB.id)
  const history = useRatioHistory({ coinA: widget.coinA.id, coinB: widget.coinB.id }, moved !== null)
  const handles = useRef<Partial<Record<AlertSide, HTMLDivElement | null>>>({})
  /** Of a side without a threshold: the one that is preset there. */
  const valueOf = (side: AlertSide): number | null =>
    thresholds[side] ?? (ratio === null ? null : presetThreshold(side, ratio))

  const place = () => {
    const axis = plot.current?.valueAxis() ?? null
    for (const side of ALERT_SIDES) {
      const handle = handles.current[side]
      const value = valueOf(side)
      if (handle == null) continue
      handle.hidden = axis === null || value === null
      if (axis === null || value === null) continue
      const y = Math.max(axis.top, axis.toPixels(value))
      // Half a grip above the plot's end, below which the times stand.
      handle.style.transform = `translate(${axis.right}px, min(${y}px, ${axis.bottom}px - 0.625rem))`
    }
  }
  useImperativeHandle(ref, () => ({ place }))
  useLayoutEffect(place)

  return (
    <>
      {ALERT_SIDES.map((side) => (
        <ThresholdHandle
          key={side}
          ref={(element) => {
            handles.current[side] = element
          }}
          side={side}
          value={valueOf(side)}
          ratio={ratio}
          history={history}
          moves={moves}
          keep={keep}
          plot={plot}
        />
      ))}
    </>
  )
}

interface ThresholdHandleProps extends DragDeps {
  readonly ref: Ref<HTMLDivElement>
  /** The handle's place; null: not known. */
  readonly value: number | null
  readonly ratio: number | null
  readonly history: RatioHistory | null
}

function ThresholdHandle({ ref, ratio, history, ...deps }: ThresholdHandleProps) {
  const { side, value, moves } = deps
  const { moved, thresholds } = moves
  const isSet = thresholds[side] !== null
  const isMoved = moved?.side === side
  const name = isSet ? `${SIDE_LOOKS[side].name} alert` : `Set ${side} alert here`
  // In per cent of the present ratio: a number of its own may take an exponent, which ARIA does not know.
  const share = value === null || !ratio ? 0 : Math.round((100 * value) / ratio)
  const words =
    value === null
      ? null
      : [formatRatio(value), distanceFromNow(value, ratio), history && pastInShort(history, side, value)]
          .filter((part) => part !== null)
          .join(', ')
  return (
    <div
      ref={ref}
      className={styles.handle}
      data-side={side}
      data-set={isSet}
      data-moved={isMoved}
      role="slider"
      tabIndex={0}
      aria-label={name}
      aria-orientation="vertical"
      aria-valuemin={0}
      aria-valuemax={Math.max(200, share)}
      aria-valuenow={share}
      aria-valuetext={words === null ? 'not known' : `${words}${isMoved ? (moved.isKept ? NOT_YET : NOT_STORED) : ''}`}
      title={isMoved ? undefined : `${name}: drag, or use the arrow keys`}
      onKeyDown={(event) => onHandleKey(event, deps)}
      onBlur={() => isMoved && moves.cancel()}
      {...dragHandlers(deps)}
    >
      <span className={styles.grip} aria-hidden="true">
        {isSet ? <GripHorizontal /> : <Plus />}
        {SIDE_LOOKS[side].name}
      </span>
      {isMoved && words !== null && (
        <span className={styles.readout} aria-hidden="true">
          {words}
        </span>
      )}
    </div>
  )
}

/** The keys' part: arrows move the line, Enter keeps it, Escape does not. */
function onHandleKey(
  event: KeyboardEvent,
  { side, value, moves, keep }: Pick<ThresholdHandleProps, 'side' | 'value' | 'moves' | 'keep'>,
): void {
  const { moved, thresholds } = moves
  if (value === null) return
  if (event.key === 'Escape' && moved !== null) {
    // The chart's own Escape would close it.
    event.preventDefault()
    moves.cancel()
    return
  }
  if (event.key === 'Enter') {
    event.preventDefault()
    if (moved === null) moves.move({ side, value: movedThreshold(side, value, thresholds) })
    else keep()
    return
  }
  const next = steppedThreshold(value, event.key, event.shiftKey)
  if (next === null) return
  event.preventDefault()
  moves.move({ side, value: movedThreshold(side, next, thresholds) })
}

interface DragDeps extends Pick<ThresholdHandlesProps, 'moves' | 'plot'> {
  readonly side: AlertSide
  readonly keep: () => void
}

/** Pixels that a pressed pointer must travel before it moves the threshold. */
const TRAVEL = 3

/** The pointer's part: pressed on the handle it moves the line, released it keeps it. */
function dragHandlers({ side, moves, keep, plot }: DragDeps) {
  const start = (event: PointerEvent<HTMLDivElement>) => {
    if (event.button !== 0) return
    const { currentTarget: handle, pointerId, clientY } = event
    const corner = handle.parentElement?.getBoundingClientRect().top ?? 0
    // The plot beside the handle would zoom.
    event.stopPropagation()
    event.preventDefault()
    handle.focus({ preventScroll: true })
    handle.setPointerCapture(pointerId)
    handle.dataset['from'] = String(clientY)
    handle.dataset['corner'] = String(corner)
  }
  const follow = (event: PointerEvent<HTMLDivElement>) => {
    const { from, corner } = event.currentTarget.dataset
    if (from === undefined) return
    const isBegun = moves.moved?.side === side
    if (!isBegun && Math.abs(event.clientY - Number(from)) < TRAVEL) return
    const axis = plot.current?.valueAxis()
    if (axis == null) return
    const y = Math.min(axis.bottom, Math.max(axis.top, event.clientY - Number(corner)))
    moves.move({ side, value: movedThreshold(side, axis.toRatio(y), moves.thresholds) })
  }
  const end = (event: PointerEvent<HTMLDivElement>) => {
    if (event.currentTarget.dataset['from'] === undefined) return
    delete event.currentTarget.dataset['from']
    if (moves.moved?.side === side) keep()
  }
  const cancel = (event: PointerEvent<HTMLDivElement>) => {
    if (event.currentTarget.dataset['from'] === undefined) return
    delete event.currentTarget.dataset['from']
    moves.cancel()
  }
  return { onPointerDown: start, onPointerMove: follow, onPointerUp: end, onPointerCancel: cancel }
}
