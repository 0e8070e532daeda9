import { atom, type Atom } from 'jotai'
import { ChartLine, CloudUpload, History } from 'lucide-react'
import { useId, useMemo } from 'react'
import type { WidgetView } from '../../db/view'
import { type AlertSide, SIDE_LOOKS } from '../../domain/alerts'
import { formatRatio } from '../../domain/format-number'
import { relativeChange } from '../../domain/pair'
import { Badge } from '../../ui/badge'
import { classNames } from '../../ui/class-names'
import { lateComponent } from '../../ui/late-component'
import { Direction } from '../../ui/direction'
import { VisuallyHidden } from '../../ui/visually-hidden'
import { defaultOf } from '../../state/use-default-checkpoint'
import { Figure, type PairFigures } from './figure'
import { useStalePrices } from '../../state/stale-prices'
import { RangeBar } from './range-bar'
import styles from './ratio-panel.module.css'
import lineStyles from './sparkline.module.css'
import { ChangeStat, TrendSteps } from './stat'

interface RatioButtonProps {
  readonly ratio: Atom<number | null>
  /** A click saves the ratio as a checkpoint; otherwise it does nothing. */
  readonly armed: boolean
  /** Id of the element that its label points at. */
  readonly id: string
  readonly onSave: () => void
}

/** The largest thing on the card. Always a button, so that nothing moves when the user arms it; acts only while armed. */
function RatioButton({ ratio, armed, id, onSave }: RatioButtonProps) {
  const valueId = `${id}-value`
  return (
    <button
      type="button"
      id={id}
      aria-describedby={valueId}
      title={armed ? 'Save as checkpoint' : undefined}
      className={classNames(styles.button, armed && styles.armed)}
      onClick={armed ? onSave : undefined}
    >
      <Figure id={valueId} source={ratio} format={formatRatio} />
    </button>
  )
}

interface RatioPanelProps {
  readonly widget: WidgetView
  readonly figures: PairFigures
  /** The threshold that the ratio is beyond. */
  readonly extreme: AlertSide | null
  /** A click on the ratio saves it. */
  readonly arming: boolean
  readonly onSave: () => void
  readonly onOpenChart: () => void
}

/** The answer to "is it at an extreme?": the ratio, how it moved, and where it stands between its thresholds. */
export function RatioPanel({ widget, figures, extreme, arming, onSave, onOpenChart }: RatioPanelProps) {
  const ratioId = useId()
  const checkpoint = defaultOf(widget.checkpoints)?.ratio ?? null
  const { ratio, summary, change24h, trend } = figures
  const sinceCheckpoint = useMemo(() => atom((get) => relativeChange(get(ratio), checkpoint)), [ratio, checkpoint])
  return (
    <div className={styles.panel}>
      <div className={styles.heading}>
        <label htmlFor={ratioId} className={styles.label}>
          Current ratio
        </label>
        <CardNotes widget={widget} extreme={extreme} />
      </div>
      <div className={styles.now}>
        <RatioButton ratio={ratio} armed={arming} id={ratioId} onSave={onSave} />
        <ChartButton summary={summary} onClick={onOpenChart} />
      </div>
      <dl className={styles.stats}>
        <ChangeStat label="24h change" change={change24h} />
        <TrendSteps trend={trend} />
        <ChangeStat label="Since checkpoint" change={sinceCheckpoint} />
      </dl>
      <RangeBar figures={figures} alerts={widget.alerts} checkpoint={checkpoint} />
    </div>
  )
}

/** The server has not answered the pair's creation; the user can work with the pair already. */
export function SavingLabel() {
  return <p className={styles.saving}>Saving...</p>
}

/** Notes for the user: the ratio is at an extreme, the prices are old, or mutations wait for the server's answer. */
function CardNotes({ widget, extreme }: Pick<RatioPanelProps, 'widget' | 'extreme'>) {
  const stale = useStalePrices(widget)
  const pending = widget.isPending
  // "Saving..." stands for the mutation that creates the pair.
  const waiting = widget.waiting - widget.held - Number(pending)
  const waitingText = waiting === 1 ? '1 change waits' : `${waiting} changes wait`
  const count = [pending, waiting > 0, stale !== null, extreme !== null].filter(Boolean).length
  return (
    <div className={styles.notes} data-count={count}>
      {pending && <SavingLabel />}
      {waiting > 0 && (
        <p className={styles.waiting} title={waitingText}>
          <CloudUpload aria-hidden="true" />
          <span className={styles.text}>{waitingText}</span>
        </p>
      )}
      {stale !== null && (
        <p className={styles.stale} title={stale.prefix + stale.text}>
          <History aria-hidden="true" />
          <VisuallyHidden>{stale.prefix}</VisuallyHidden>
          {stale.text}
        </p>
      )}
      {extreme !== null && (
        <Badge tone={SIDE_LOOKS[extreme].direction}>
          <Direction direction={SIDE_LOOKS[extreme].direction} />
          {SIDE_LOOKS[extreme].beyond}
        </Badge>
      )}
    </div>
  )
}

// The web worker answers later still.
const Sparkline = lateComponent(async () => (await import('./sparkline')).Sparkline)

/** The last 24 hours as a line; a click opens the whole chart. */
const ChartButton = ({
  summary,
  onClick,
}: {
  readonly summary: PairFigures['summary']
  readonly onClick: () => void
}) => (
  <button type="button" aria-label="Open chart" title="Open chart" className={lineStyles.button} onClick={onClick}>
    <Sparkline summary={summary} />
    <ChartLine aria-hidden="true" className={lineStyles.icon} />
  </button>
)
