import type { AlertRow, PricesRow } from '../../db/rows'
import type { WidgetView } from '../../db/view'
import {
  ALERT_SIDES,
  alertEventId,
  type AlertSide,
  type Armed,
  armedOf,
  checkAlerts,
  isFreshForAlerts,
  thresholdsOf,
} from '../../domain/alerts'
import type { WidgetId } from '../../domain/ids'
import { ratioOf } from '../../domain/pair'
import { isWatched, type LocalEpochs, startEpochs, serverFingerprint } from '../../state/local-epochs'

/** A side that was armed as far as this device can tell, and whose threshold the ratio is now beyond. */
export interface FiredSide {
  readonly eventId: string
  readonly widget: WidgetView
  readonly side: AlertSide
  readonly ratio: number
  readonly threshold: number
}

export interface BoardCheck {
  /** By widget key; the same object where nothing was armed or disarmed. */
  readonly epochs: ReadonlyMap<string, LocalEpochs>
  readonly fired: readonly FiredSide[]
}

/** The newest arming whose crossing this device has been told of, by `sideKey`. */
export type NewestEpochs = ReadonlyMap<string, number>

const sideKey = (widget: WidgetId, side: AlertSide): string => `${widget}:${side}`

export function newestEpochs(alerts: readonly Pick<AlertRow, 'event_id' | 'widget_id' | 'side'>[]): NewestEpochs {
  const told = new Map<string, number>()
  for (const { event_id, widget_id, side } of alerts) {
    const key = sideKey(widget_id, side)
    const epoch = Number(event_id.slice(event_id.lastIndexOf(':') + 1))
    told.set(key, Math.max(epoch, told.get(key) ?? epoch))
  }
  return told
}

/** Inputs of one check. */
export interface Sight {
  readonly widgets: readonly WidgetView[]
  readonly prices: PricesRow['prices']
  /** Milliseconds of the poll that brought them. */
  readonly polledAt: number
  /** Crossings that this device knows of, from any source. */
  readonly told: NewestEpochs
  /** Milliseconds. */
  readonly now: number
}

/** The ratio as far as it may be judged: of prices that are too old for an alert there is none. */
function freshRatio({ coinA, coinB }: WidgetView, { prices, now }: Sight): number | null {
  const [a, b] = [prices[coinA.id], prices[coinB.id]]
  if (a === undefined || b === undefined) return null
  return [a, b].every((price) => isFreshForAlerts(price.provider_time, now)) ? ratioOf(a.usd, b.usd) : null
}

/** One look at all pairs whose alerts are on. */
export function checkBoard(known: ReadonlyMap<string, LocalEpochs>, sight: Sight): BoardCheck {
  const arming = new Map<string, LocalEpochs>()
  const fired: FiredSide[] = []
  for (const widget of sight.widgets.filter(isWatched)) {
    const before = currentEpochs(known, widget, sight)
    // An arming is judged by prices that came after it: those from before have been judged, and it is their end.
    const ratio = sight.polledAt > before.since ? freshRatio(widget, sight) : null
    const armed = armedOf(before.alerts)
    const check = checkAlerts(ratio, thresholdsOf(widget.alerts), armed)
    for (const side of check.fired) {
      const { threshold, epoch } = before.alerts[side]
      // A side fires by a ratio that is known, beyond a threshold that is set.
      if (ratio === null || threshold === null) continue
      fired.push({ eventId: alertEventId(widget.id, side, epoch), widget, side, ratio, threshold })
    }
    arming.set(widget.key, check.armed === armed ? before : nextEpochs(before, check.armed))
  }
  const same = arming.size === known.size && [...arming].every(([key, one]) => known.get(key) === one)
  return { epochs: same ? known : arming, fired }
}

/**
 * The widget's row, or else the last one seen; either may be older than a crossing that this device has
 * been told of meanwhile, and then that side has fired.
 */
function currentEpochs(known: ReadonlyMap<string, LocalEpochs>, widget: WidgetView, { told, now }: Sight): LocalEpochs {
  const before = known.get(widget.key)
  const base = before?.fingerprint === serverFingerprint(widget) ? before : startEpochs(widget, now)
  return ALERT_SIDES.reduce((arming, side) => {
    const newest = told.get(sideKey(widget.id, side)) ?? -1
    const { epoch, armed } = arming.alerts[side]
    const isPast = newest > epoch || (newest === epoch && armed)
    if (!isPast) return arming
    const fired = { ...arming.alerts[side], armed: false, epoch: newest }
    return { ...arming, alerts: { ...arming.alerts, [side]: fired } }
  }, base)
}

/** A side that is armed again has the next epoch, as it has on the server. */
function nextEpochs(before: LocalEpochs, armed: Armed): LocalEpochs {
  const sideOf = (side: AlertSide) => {
    const alert = before.alerts[side]
    return { ...alert, armed: armed[side], epoch: alert.epoch + (armed[side] && !alert.armed ? 1 : 0) }
  }
  return { ...before, alerts: { high: sideOf('high'), low: sideOf('low') } }
}
