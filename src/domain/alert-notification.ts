import { type AlertSide, EXTREME_KINDS, type Sides, SIDES, UNJUDGED } from './alerts'
import { sinceCheckpointWords } from './coin-moves'
import type { CoinPrices } from './coin-prices'
import { isRuleKind, RULE_EXPIRED, ruleWords } from './rule-words'
import { formatRatio, percentileWords } from './format-number'
import { formatAge, formatClock } from './format-time'
import { MINUTE } from './granularity'
import type { OwnerId, WidgetId } from './ids'
import { unjudgedWords } from './unjudged-words'
import { WAY_TITLE, wayWords } from './way-alerts'

/** Facts of a crossing, as a device stores them. */
export interface StoredAlertFacts {
  /** Such as `BTC / ETH`. */
  readonly pair: string
  readonly side: AlertSide
  /** Absent: the threshold of `side`. */
  readonly kind?: string
  readonly ratio: number
  readonly threshold: number
  /** Of an extreme: share of the days with a ratio below, and how many days those are. Of an unjudged pair: minutes. */
  readonly measure?: number
  readonly days?: number
  /** Of a rule: `measure` is in its level's unit, and the note is its owner's. */
  readonly window?: string | number
  readonly note?: string
  /** `buzz`: with a sound; `log`: not announced at all. */
  readonly loudness?: 'buzz' | 'quiet' | 'log'
  /** Milliseconds: when the ratio was seen beyond the threshold. */
  readonly at: number
  /** Milliseconds: when the ratio came back; absent: not yet, or unknown. */
  readonly back_at?: number
}

interface AlertFacts extends StoredAlertFacts {
  /** Moves of both coins since the pair's checkpoint, fractions; absent: not known. */
  readonly since_checkpoint?: CoinPrices | undefined
}

/** Milliseconds after which the text says how long ago a crossing was. */
const LATE = 2 * MINUTE
/** Characters that a lock screen shows of a title. */
const TITLE_LENGTH = 40

/** Of an alert of a kind that this version does not know, or a push that it cannot read. */
const UNKNOWN_TITLE = 'A ratio alert fired'

const isExtreme = ({ kind = '' }: Pick<AlertFacts, 'kind'>): boolean => EXTREME_KINDS.includes(kind)

const isOfWay = ({ kind = '' }: Pick<AlertFacts, 'kind'>): boolean => wayWords({ kind }) !== undefined

/** Such as "at a high of 90 days: 97th percentile", in the words of badge and line. */
const extremeWords = ({ side, measure, days }: Pick<AlertFacts, 'side' | 'measure' | 'days'>): string =>
  `at a ${side}${days === undefined ? '' : ` of ${days} days`}${measure === undefined ? '' : `: ${percentileWords(measure)}`}`

/** Time for a holder of the pair's first coin. */
export const TRADES = { high: 'Sell', low: 'Buy' } as const satisfies Sides<string>

/** "Sell alert: BTC / ETH"; as much of a long pair as a lock screen shows. */
function alertTitle(alert: Pick<AlertFacts, 'kind' | 'side' | 'pair'>): string {
  const title = titleOf(alert)
  return title.length <= TITLE_LENGTH ? title : `${title.slice(0, TITLE_LENGTH - 1).trimEnd()}…`
}

const titleOf = ({ kind, side, pair }: Pick<AlertFacts, 'kind' | 'side' | 'pair'>): string =>
  kind === undefined
    ? `${TRADES[side]} alert: ${pair}`
    : isOfWay({ kind })
      ? WAY_TITLE
      : isExtreme({ kind })
        ? `Extreme: ${pair}`
        : isKnownRule(kind)
          ? `Alert: ${pair}`
          : UNKNOWN_TITLE

const isKnownRule = (kind: string): boolean => kind === RULE_EXPIRED || kind === UNJUDGED || isRuleKind(kind)

const position = ({ side, ratio, threshold, back_at }: AlertFacts): string => {
  const beyond = `${SIDES[side].kind} ${formatRatio(threshold)}`
  return back_at === undefined
    ? `${formatRatio(ratio)} is ${beyond}`
    : `${formatRatio(ratio)} was ${beyond}, back at ${formatClock(back_at)}`
}

/**
 * "Ratio 21.5000 is above 21.4200. 10:42", with the age of a late alert; on a second line which coin moved, if known.
 * @param now milliseconds
 */
function alertBody(crossing: AlertFacts, now: number): string {
  const age = now - crossing.at
  const late = age > LATE ? `, ${formatAge(age)}` : ''
  return `${facts(crossing)}. ${formatClock(crossing.at)}${late}${sinceCheckpoint(crossing)}`
}

const facts = (alert: AlertFacts): string =>
  wayWords(alert) ??
  (alert.kind === undefined
    ? `Ratio ${position(alert)}`
    : isExtreme(alert)
      ? `${alert.pair} is ${extremeWords(alert)}`
      : isKnownRule(alert.kind)
        ? `${alert.pair} ${kindWords(alert)}`
        : `${alert.pair}: ${kindWords(alert)}`)

/** Of an alert that is of no threshold, what follows its pair, with its owner's note. */
export function kindWords(alert: StoredAlertFacts): string {
  const { kind = '', note } = alert
  if (isExtreme(alert)) return extremeWords(alert)
  const ofWay = wayWords(alert)
  if (ofWay !== undefined) return ofWay
  if (kind === UNJUDGED) return unjudgedPair(alert)
  const words =
    kind === RULE_EXPIRED ? 'has an alert that is over' : isRuleKind(kind) ? ruleWords(kind, alert) : NEWER_WORDS
  return note === undefined ? words : `${words}: ${note}`
}

/** By the coin of the older price. */
function unjudgedPair({ pair, side, at, measure }: StoredAlertFacts): string {
  const coin = pair.split(' / ')[side === 'high' ? 0 : 1] ?? pair
  return `is ${unjudgedWords({ coin, at: measure === undefined ? null : at - measure * MINUTE }, at, false)}`
}

const NEWER_WORDS = 'an alert of a newer version'

/** The line that follows the specification's; with its break. */
function sinceCheckpoint({ pair, since_checkpoint: moves }: AlertFacts): string {
  const [a, b] = pair.split(' / ')
  if (moves === undefined || a === undefined || b === undefined || !(moves.b > -1)) return ''
  return `\n${sinceCheckpointWords([a, b], { a: 1, b: 1 }, { a: 1 + moves.a, b: 1 + moves.b })}`
}

/** The one line of a toast: "Sell alert: BTC / ETH. Ratio 21.5000 is above 21.4200." */
export const alertSentence = (alert: AlertFacts): string =>
  alert.kind === undefined ? `${titleOf(alert)}. ${facts(alert)}.` : `${facts(alert)}.`

/** Action of a notification's button; a click on the notification itself has an empty action. */
export const REARM_LATER = 'rearm-later'

/** Actions that snooze the pair; a browser shows the first two. An extreme comes once a day at most. */
const snoozeActions = ({ kind }: Pick<AlertFacts, 'kind'>) =>
  kind === undefined || isRuleKind(kind)
    ? [
        { action: 'snooze-hour', title: 'Snooze 1 h' },
        { action: 'snooze-back', title: 'Until it is back' },
      ]
    : isExtreme({ kind })
      ? [{ action: 'snooze-hour', title: 'Snooze 1 h' }]
      : []

/** Travels with a notification and comes back with a click on it. */
export interface AlertData {
  readonly event_id: string
  readonly owner: OwnerId
  readonly widget_id: WidgetId
}

/** Travels with a notification that lists several alerts. */
export interface DigestData {
  readonly owner: OwnerId
  /** Of the alerts that it lists. */
  readonly event_ids: readonly string[]
  /** Screen that a click leads to; absent: the list of alerts. */
  readonly path?: string
  readonly event_id?: never
}

/** More alerts than this at once are listed in one notification. */
export const MOST_ALONE = 3

/** Options of `ServiceWorkerRegistration.showNotification` (Notifications API). */
export interface AlertNotification {
  readonly title: string
  readonly options: {
    readonly body: string
    readonly tag: string
    readonly icon: string
    readonly timestamp: number
    /** Null: it tells of nothing. */
    readonly data: AlertData | DigestData | null
    /** Without a sound: this device has announced the crossing already. */
    readonly silent: boolean
    /** The device sounds even if an older notification of the same tag is still shown. */
    readonly renotify: boolean
    /** Browsers without buttons ignore them. */
    readonly actions: readonly { readonly action: string; readonly title: string }[]
  }
}

const ICON = '/icons/icon-192.png'

/**
 * The notification of a crossing, by a page and by the service worker: one tag, so that the second replaces the first.
 * @param now milliseconds
 * @param silent true: this device has announced the crossing already
 * @param canSnooze the server takes snoozes
 */
export const alertNotification = (
  alert: AlertFacts & AlertData,
  now: number,
  silent = false,
  canSnooze = false,
): AlertNotification => ({
  title: alertTitle(alert),
  options: {
    body: alertBody(alert, now),
    tag: alert.event_id,
    icon: ICON,
    timestamp: alert.at,
    data: isOfWay(alert)
      ? { owner: alert.owner, event_ids: [alert.event_id], path: '/settings' }
      : { event_id: alert.event_id, owner: alert.owner, widget_id: alert.widget_id },
    silent: silent || alert.loudness === 'quiet',
    renotify: !silent && alert.loudness !== 'quiet',
    actions: [
      ...(canSnooze ? snoozeActions(alert) : []),
      ...(isOfWay(alert) ? [] : [{ action: 'open-chart', title: 'Open chart' }]),
      ...(alert.kind === undefined ? [{ action: REARM_LATER, title: 'Re-arm later' }] : []),
    ],
  },
})

/**
 * One notification of several alerts, the newest first.
 * @param alerts oldest first; at least one
 * @param count how many there are
 * @param silent true: this device has announced all of them already
 */
export function digestNotification(
  alerts: readonly (AlertFacts & AlertData)[],
  count: number,
  silent = false,
): AlertNotification {
  const newest = alerts.at(-1)!
  const lines = alerts.toReversed().map(alertSentence)
  const more = count - alerts.length
  return {
    title: `${count} ratio alerts`,
    options: {
      body: [...lines, ...(more > 0 ? [`and ${more} more`] : [])].join('\n'),
      tag: `digest:${newest.event_id}`,
      icon: ICON,
      timestamp: newest.at,
      data: { owner: newest.owner, event_ids: alerts.map(({ event_id }) => event_id) },
      silent,
      renotify: !silent,
      actions: [],
    },
  }
}

/**
 * For a push of another owner, or one that cannot be read: browsers demand that every push is shown.
 * @param at milliseconds
 */
export const neutralNotification = (tag: string, at: number): AlertNotification => ({
  title: UNKNOWN_TITLE,
  options: {
    body: 'Open the app to see your pairs.',
    tag,
    icon: ICON,
    timestamp: at,
    data: null,
    silent: false,
    renotify: true,
    actions: [],
  },
})
