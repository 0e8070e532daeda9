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
import { checksOf, isWatched, type LocalEpochs, startEpochs } from '../../state/local-epochs'

/** A side that this device takes for armed, and whose threshold the ratio is now beyond. */
export interface FiredSide {
  readonly eventId: string
  readonly widget: WidgetView
  readonly side: AlertSide
  readonly ratio: number
  readonly threshold: number
}

/** By `sideKey`: the newest epoch whose crossing is in this device's alert log. */
export type NewestEpochs = ReadonlyMap<string, number>

const sideKey = (widget: WidgetId, side: AlertSide): string => `${widget}:${side}`

export function newestEpochs(alerts: readonly Pick<AlertRow, 'event_id' | 'widget_id' | 'side'>[]): NewestEpochs {
  const newest = new Map<string, number>()
  for (const { event_id, widget_id, side } of alerts) {
    const key = sideKey(widget_id, side)
    const epoch = Number(event_id.slice(event_id.lastIndexOf(':') + 1))
    newest.set(key, Math.max(epoch, newest.get(key) ?? epoch))
  }
  return newest
}

interface CheckInputs {
  readonly widgets: readonly WidgetView[]
  readonly prices: PricesRow['prices']
  /** Milliseconds of the poll that brought the prices. */
  readonly polledAt: number
  readonly newest: NewestEpochs
  /** Milliseconds. */
  readonly now: number
}

/**
 * Checks all pairs whose alerts are on.
 * @returns epochs by widget key, `known` itself if no side was armed or disarmed
 */
export function checkBoard(known: ReadonlyMap<string, LocalEpochs>, inputs: CheckInputs) {
  const epochs = new Map<string, LocalEpochs>()
  const fired: FiredSide[] = []
  for (const widget of inputs.widgets.filter(isWatched)) {
    const before = currentEpochs(known, widget, inputs)
    // Only prices polled since the side was armed may fire it: earlier ones have been judged.
    const ratio = inputs.polledAt > before.since ? freshRatio(widget, inputs) : null
    const armed = armedOf(before.alerts)
    const check = checkAlerts(ratio, thresholdsOf(widget.alerts), armed)
    for (const side of check.fired) {
      const { threshold, epoch } = before.alerts[side]
      if (ratio === null || threshold === null) continue
      fired.push({ eventId: alertEventId(widget.id, side, epoch), widget, side, ratio, threshold })
    }
    epochs.set(widget.key, check.armed === armed ? before : nextEpochs(before, check.armed))
  }
  const same = epochs.size === known.size && [...epochs].every(([key, one]) => known.get(key) === one)
  return { epochs: same ? known : epochs, fired }
}

/** Null if a price is unknown or too old for an alert. */
function freshRatio({ coinA, coinB }: WidgetView, { prices, now }: CheckInputs): number | null {
  const [a, b] = [prices[coinA.id], prices[coinB.id]]
  if (a === undefined || b === undefined) return null
  return [a, b].every((price) => isFreshForAlerts(price.provider_time, now)) ? ratioOf(a.usd, b.usd) : null
}

/** This device's epochs of a widget, begun anew when the server's have changed. A side whose crossing is logged has fired. */
function currentEpochs(
  known: ReadonlyMap<string, LocalEpochs>,
  widget: WidgetView,
  { newest, now }: CheckInputs,
): LocalEpochs {
  const base = checksOf(known, widget) ?? startEpochs(widget, now)
  return ALERT_SIDES.reduce((epochs, side) => {
    const logged = newest.get(sideKey(widget.id, side)) ?? -1
    const { epoch, armed } = epochs.alerts[side]
    if (logged < epoch || (logged === epoch && !armed)) return epochs
    const fired = { ...epochs.alerts[side], armed: false, epoch: logged }
    return { ...epochs, alerts: { ...epochs.alerts, [side]: fired } }
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
