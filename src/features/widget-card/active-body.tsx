import { useSetAtom } from 'jotai'
import { useEffect, useReducer } from 'react'
import type { CoinView, WidgetView } from '../../db/view'
import { type AlertSide, hasThreshold } from '../../domain/alerts'
import { formatPrice } from '../../domain/format-number'
import type { WidgetId } from '../../domain/ids'
import { reportMissingChunkAtom } from '../../state/toasts'
import { CoinIcon } from '../../ui/coin-icon'
import { lateComponent } from '../../ui/late-component'
import text from '../../ui/text.module.css'
import styles from './active-body.module.css'
import { CheckpointField, useDefaultCheckpoint } from './checkpoint-field'
import { Figure, type PairFigures, usePriceAtom } from './figure'
import { RatioPanel } from './ratio-panel'
import { ThresholdBoxes } from './threshold-boxes'

/** One coin of the pair with its price in USD. */
function CoinRow({ coin }: { readonly coin: CoinView }) {
  const price = usePriceAtom(coin.id)
  return (
    <li className={styles.row}>
      <CoinIcon image={coin.image} />
      <span className={text.ellipsis} title={coin.name}>
        {coin.name}
      </span>
      <span className={styles.symbol}>{coin.symbol}</span>
      <Figure className={styles.price} source={price} format={formatPrice} />
    </li>
  )
}

/** Decides the meaning of a click on the card. */
type CardMode =
  | { readonly kind: 'view' }
  /** The next click on the ratio saves it as the default checkpoint. */
  | { readonly kind: 'arming_checkpoint' }
  | { readonly kind: 'editing_threshold'; readonly side: AlertSide }

type CardEvent =
  | { readonly kind: 'checkpoint-clicked' }
  | { readonly kind: 'ratio-saved' }
  | { readonly kind: 'threshold-clicked'; readonly side: AlertSide }
  | { readonly kind: 'threshold-closed' }
  | { readonly kind: 'escaped' }

const VIEW: CardMode = { kind: 'view' }

/** The mode after an event; the same object where the event means nothing in this mode. */
function nextMode(mode: CardMode, event: CardEvent): CardMode {
  switch (mode.kind) {
    case 'view':
      if (event.kind === 'checkpoint-clicked') return { kind: 'arming_checkpoint' }
      if (event.kind === 'threshold-clicked') return { kind: 'editing_threshold', side: event.side }
      return mode
    case 'arming_checkpoint':
      if (event.kind === 'threshold-clicked') return { kind: 'editing_threshold', side: event.side }
      return event.kind === 'threshold-closed' ? mode : VIEW
    case 'editing_threshold':
      return event.kind === 'threshold-closed' ? VIEW : mode
  }
}

const ThresholdDialog = lateComponent(async () => (await import('./threshold-dialog')).ThresholdDialog, {
  onFailure: 'notice',
})
const DeliveryLine = lateComponent(async () => (await import('./delivery-line')).DeliveryLine)

interface ActiveBodyProps {
  readonly widget: WidgetView
  readonly figures: PairFigures
  /** The sides whose thresholds the ratio is beyond. */
  readonly beyond: readonly AlertSide[]
  readonly switchAlerts: (on: boolean) => void
  readonly onOpenChart: (id: WidgetId) => void
}

/** The figures of a pair and all of its settings. */
export function ActiveBody({ widget, figures, beyond, switchAlerts, onOpenChart }: ActiveBodyProps) {
  const [mode, happen] = useReducer(nextMode, VIEW)
  const missing = useSetAtom(reportMissingChunkAtom)
  const checkpoint = useDefaultCheckpoint(widget)
  const alertsOn = widget.notificationsEnabled
  const arming = mode.kind === 'arming_checkpoint'
  useEscape(arming, () => happen({ kind: 'escaped' }))
  const closeThreshold = () => happen({ kind: 'threshold-closed' })
  return (
    <div className={styles.body}>
      <RatioPanel
        widget={widget}
        figures={figures}
        extreme={beyond[0] ?? null}
        arming={arming}
        onSave={() => {
          if (checkpoint.save()) happen({ kind: 'ratio-saved' })
        }}
        onOpenChart={() => onOpenChart(widget.id)}
      />
      <ThresholdBoxes widget={widget} crossed={beyond} onEdit={(side) => happen({ kind: 'threshold-clicked', side })} />
      {(alertsOn || hasThreshold(widget.alerts)) && (
        <p className={styles.alertLine} data-on={alertsOn}>
          <DeliveryLine widget={widget} onSwitchOn={() => switchAlerts(true)} />
        </p>
      )}
      <CheckpointField
        widget={widget}
        arming={arming}
        onArm={() => happen({ kind: 'checkpoint-clicked' })}
        onDelete={checkpoint.remove}
      />
      <ul className={styles.coins}>
        <CoinRow coin={widget.coinA} />
        <CoinRow coin={widget.coinB} />
      </ul>
      {mode.kind === 'editing_threshold' && (
        <ThresholdDialog
          widget={widget}
          side={mode.side}
          onClose={closeThreshold}
          onSwitchOn={() => switchAlerts(true)}
          onMissing={() => missing(closeThreshold)}
        />
      )}
    </div>
  )
}

/** Listens on the document: not every browser focuses a button that was clicked. */
function useEscape(listening: boolean, onEscape: () => void): void {
  useEffect(() => {
    if (!listening) return undefined
    const escape = (event: KeyboardEvent) => {
      // An open menu, for instance, has handled the key itself.
      if (event.key === 'Escape' && !event.defaultPrevented) onEscape()
    }
    document.addEventListener('keydown', escape)
    return () => document.removeEventListener('keydown', escape)
  })
}
