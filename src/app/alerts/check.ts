import type { AlertRow, PricesRow } from '../../db/rows'
import type { WidgetView } from '../../db/view'
import { ALERT_SIDES, alertEventId, type AlertSide, checkAlerts, isFreshForAlerts } from '../../domain/alerts'
import type { WidgetId } from '../../domain/ids'
import { ratioOf } from '../../domain/ratio'
import { type LocalArming, localArming, saidOf, thresholdsOf } from '../../state/local-arming'
import { isWatched } from '../../state/watched-pairs'

/** A side that was armed as far as this device can tell, and whose threshold the ratio is now beyond. */
export interface Fired {
  readonly eventId: string
  readonly widget: WidgetView
  readonly side: AlertSide
  readonly ratio: number
  readonly threshold: number
}

export interface BoardCheck {
  /** By widget key; the same object where nothing was armed or disarmed. */
  readonly arming: ReadonlyMap<string, LocalArming>
  readonly fired: readonly Fired[]
}

/** The newest arming whose crossing this device has been told of, by `sideKey`. */
export type Told = ReadonlyMap<string, number>

const sideKey = (widget: WidgetId, side: AlertSide): string => `${widget}:${side}`

export function toldOf(alerts: readonly Pick<AlertRow, 'event_id' | 'widget_id' | 'side'>[]): Told {
  const told = new Map<string, number>()
  for (const { event_id, widget_id, side } of alerts) {
    const key = sideKey(widget_id, side)
    const epoch = Number(event_id.slice(event_id.lastIndexOf(':') + 1))
    told.set(key, Math.max(epoch, told.get(key) ?? epoch))
  }
  return told
}

/** What one look has before it. */
export interface Sight {
  readonly widgets: readonly WidgetView[]
  readonly prices: PricesRow['prices']
  /** Milliseconds of the poll that brought them. */
  readonly polledAt: number
  /** What this device has been told of, by whomever. */
  readonly told: Told
  /** Milliseconds. */
  readonly now: number
}

/** The ratio as far as it may be judged: of prices that are too old for an alert there is none. */
function freshRatio({ coinA, coinB }: WidgetView, { prices, now }: Sight): number | null {
  const [a, b] = [prices[coinA.id], prices[coinB.id]]
  if (a === undefined || b === undefined) return null
  return [a, b].every((price) => isFreshForAlerts(price.seen_until, now)) ? ratioOf(a.usd, b.usd) : null
}

/** One look at all pairs whose alerts are on. */
export function checkBoard(known: ReadonlyMap<string, LocalArming>, sight: Sight): BoardCheck {
  const arming = new Map<string, LocalArming>()
  const fired: Fired[] = []
  for (const widget of sight.widgets.filter(isWatched)) {
    const before = present(known, widget, sight)
    // An arming is judged by prices that came after it: those from before have been judged, and it is their end.
    const ratio = sight.polledAt > before.since ? freshRatio(widget, sight) : null
    const check = checkAlerts(ratio, thresholdsOf(widget), before.armed)
    for (const side of check.fired) {
      const threshold = thresholdsOf(widget)[side]
      // A side fires by a ratio that is known, beyond a threshold that is set.
      if (ratio === null || threshold === null) continue
      fired.push({ eventId: alertEventId(widget.id, side, before.epochs[side]), widget, side, ratio, threshold })
    }
    arming.set(widget.key, check.armed === before.armed ? before : rearmed(before, check.armed))
  }
  const same = arming.size === known.size && [...arming].every(([key, one]) => known.get(key) === one)
  return { arming: same ? known : arming, fired }
}

/**
 * What is known of a widget, or else what was last said of it; either may be older than a crossing that this device has
 * been told of meanwhile, and then that side has fired.
 */
function present(known: ReadonlyMap<string, LocalArming>, widget: WidgetView, { told, now }: Sight): LocalArming {
  const before = known.get(widget.key)
  const base = before?.said === saidOf(widget) ? before : localArming(widget, now)
  return ALERT_SIDES.reduce((arming, side) => {
    const newest = told.get(sideKey(widget.id, side)) ?? -1
    const isPast = newest > arming.epochs[side] || (newest === arming.epochs[side] && arming.armed[side])
    if (!isPast) return arming
    const { armed, epochs } = arming
    return { ...arming, armed: { ...armed, [side]: false }, epochs: { ...epochs, [side]: newest } }
  }, base)
}

/** A side that is armed again is another arming, as it is to the server. */
function rearmed(before: LocalArming, armed: LocalArming['armed']): LocalArming {
  const epochOf = (side: AlertSide) => before.epochs[side] + (armed[side] && !before.armed[side] ? 1 : 0)
  return { ...before, armed, epochs: { high: epochOf('high'), low: epochOf('low') } }
}
