import { useSetAtom } from 'jotai'
import { useEffect, useReducer, useId } from 'react'
import type { CoinView, RuleView, WidgetView } from '../../db/view'
import { ALERT_SIDES, type AlertSide, backLevel, hasThreshold, SIDE_LOOKS } from '../../domain/alerts'
import { minutesWords } from '../../domain/alert-words'
import { formatPrice, formatRatio } from '../../domain/format-number'
import type { WidgetId } from '../../domain/ids'
import { pairTitle } from '../../domain/pair'
import { CoinIcon } from '../../ui/coin-icon'
import { lateComponent, lateDialog } from '../../ui/late-component'
import text from '../../ui/text.module.css'
import styles from './active-body.module.css'
import { CheckpointField } from './checkpoint-field'
import { useDefaultCheckpoint } from '../../state/use-default-checkpoint'
import { Figure, type PairFigures, usePriceAtom } from './figure'
import { RatioPanel } from './ratio-panel'
import { Bell, BellOff, BellPlus, Plus } from 'lucide-react'
import { openDialogAtom } from '../../state/open-dialogs'
import { useAlertFeature } from '../../state/server-settings'
import { isJudged, isWatched } from '../../state/watched-pairs'
import { useSnooze } from '../../state/use-snooze'
import { useStalePrices } from '../../state/stale-prices'
import { Direction } from '../../ui/direction'
import { VisuallyHidden } from '../../ui/visually-hidden'
import { SettingBox, SettingValue } from './setting-value'

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

const ThresholdDialog = lateDialog(async () => (await import('./threshold-dialog')).ThresholdDialog)
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
  const checkpoint = useDefaultCheckpoint(widget)
  const alertsOn = widget.notificationsEnabled
  const arming = mode.kind === 'arming_checkpoint'
  useEscape(arming, () => happen({ kind: 'escaped' }))
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
      {(alertsOn || isJudged(widget) || hasThreshold(widget.alerts) || widget.snooze) && (
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
          onClose={() => happen({ kind: 'threshold-closed' })}
          onSwitchOn={() => switchAlerts(true)}
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

interface ThresholdBoxesProps {
  readonly widget: WidgetView
  /** The sides whose thresholds the ratio is beyond. */
  readonly crossed: readonly AlertSide[]
  readonly onEdit: (side: AlertSide) => void
}

/** Low on the left, high on the right, as on the bar above. */
function ThresholdBoxes({ widget, crossed, onEdit }: ThresholdBoxesProps) {
  const isStale = useStalePrices(widget) !== null
  const isSnoozed = useSnooze(widget) !== null
  return (
    <div className={styles.boxes}>
      {ALERT_SIDES.toReversed().map((side) => (
        <ThresholdBox
          key={side}
          widget={widget}
          side={side}
          rule={widget.rules.find((rule) => rule.side === side) ?? null}
          idle={isStale ? 'Not judged' : isSnoozed ? 'Snoozed' : null}
          crossed={crossed.includes(side)}
          onEdit={() => onEdit(side)}
        />
      ))}
      <RulesButton widget={widget} />
    </div>
  )
}

/** Opens the pair's alerts beside its thresholds, and says how many there are. */
function RulesButton({ widget }: { readonly widget: WidgetView }) {
  const openDialog = useSetAtom(openDialogAtom)
  const isOffered = useAlertFeature('rules')
  const count = widget.serverRules.length
  if (!isOffered && count === 0) return null
  return (
    <button
      type="button"
      aria-label={`Alerts of ${pairTitle(widget)}`}
      className={styles.rules}
      {...(count > 0 && { 'data-count': count, title: count === 1 ? '1 alert' : `${count} alerts` })}
      onClick={() => openDialog({ kind: 'rules', widget: widget.id })}
    >
      <BellPlus aria-hidden="true" />
    </button>
  )
}

interface ThresholdBoxProps {
  readonly widget: WidgetView
  readonly side: AlertSide
  /** Null: no threshold is set. */
  readonly rule: RuleView | null
  /** A price is too old for an alert, so that the side is not judged; or the pair is snoozed. Null: neither. */
  readonly idle: keyof typeof IDLE | null
  /** The ratio is beyond the threshold. */
  readonly crossed: boolean
  readonly onEdit: () => void
}

const IDLE = {
  'Not judged': 'not judged while a price is old',
  Snoozed: 'snoozed',
} as const
const MEANINGS = { high: 'dear', low: 'cheap' } as const

interface SideState extends Pick<ThresholdBoxProps, 'crossed' | 'idle'> {
  readonly rule: RuleView
  readonly alertsOn: boolean
}

/** The ratio is beyond the threshold, and has not been for as long as it is to hold. */
const isHolding = ({ rule, crossed, idle, alertsOn }: SideState): boolean =>
  crossed && alertsOn && idle !== 'Not judged' && rule.armed && rule.holdMinutes > 0

const wordOf = (state: SideState): string => {
  const { rule, crossed, idle, alertsOn } = state
  if (isHolding(state)) return 'Holding'
  if (crossed) return 'Crossed'
  if (!rule.armed) return 'Disarmed'
  if (!alertsOn) return 'Alerts off'
  return idle ?? 'Armed'
}

const stateOf = ({ rule, idle, alertsOn }: SideState): string => {
  const { armed, margin, holdMinutes } = rule
  if (alertsOn && armed && idle !== null) return `armed, ${IDLE[idle]}`
  if (alertsOn && armed) return holdMinutes > 0 ? `armed, fires after ${minutesWords(holdMinutes)} beyond` : 'armed'
  if (alertsOn) return margin > 0 ? `disarmed, armed again at ${formatRatio(backLevel(rule))}` : 'disarmed'
  return armed ? 'alerts are off, armed once they are on' : 'disarmed, alerts are off'
}

/** One threshold and its state. A click edits it. */
function ThresholdBox({ widget, side, rule, idle, crossed, onEdit }: ThresholdBoxProps) {
  const id = useId()
  const threshold = rule?.level ?? null
  const alertsOn = isWatched(widget)
  const state = rule && { crossed, rule, idle, alertsOn }
  const isArmed = rule?.armed === true && alertsOn && idle === null
  const ArmedIcon = isArmed ? Bell : BellOff
  return (
    <div className={styles.cell}>
      {/* The button's values are text inside it, and its description: an aria-label would replace them. */}
      <VisuallyHidden>
        <label htmlFor={id}>{SIDE_LOOKS[side].name} threshold</label>
      </VisuallyHidden>
      <SettingBox
        id={id}
        aria-describedby={`${id}-state`}
        className={styles.box}
        data-side={side}
        data-state={threshold === null ? 'none' : crossed ? 'crossed' : isArmed ? 'watched' : 'quiet'}
        onClick={onEdit}
      >
        <span className={styles.top}>
          <span className={styles.label}>{SIDE_LOOKS[side].name}</span>
          {state !== null && (
            <span className={styles.state}>
              {crossed ? <Direction direction={SIDE_LOOKS[side].direction} /> : <ArmedIcon aria-hidden="true" />}
              {wordOf(state)}
            </span>
          )}
        </span>
        <span className={styles.bottom}>
          {threshold === null && (
            <span className={styles.set}>
              <Plus aria-hidden="true" />
              Set
            </span>
          )}
          <SettingValue waiting={widget.waiting} value={threshold} className={styles.value} />
          <span className={styles.meaning}>
            {widget.coinA.symbol} {MEANINGS[side]}
          </span>
        </span>
        <span id={`${id}-state`} hidden>
          {state === null
            ? 'not set'
            : [formatRatio(threshold), crossed && (isHolding(state) ? 'beyond' : 'crossed'), stateOf(state)]
                .filter(Boolean)
                .join(', ')}
        </span>
      </SettingBox>
    </div>
  )
}
