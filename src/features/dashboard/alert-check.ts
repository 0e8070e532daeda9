import type { PricesRow } from '../../db/rows'
import type { WidgetView } from '../../db/view'
import { checkAlerts } from '../../domain/alerts'
import { ratioOf } from '../../domain/ratio'
import { PRICES_STALE_AFTER } from '../../state/live-data'
import { armedNow, type LocalArming, saidOf, thresholdsOf } from '../../state/local-arming'

/** The ratio as far as it may be judged: of prices that are too old for an alert there is none. */
function freshRatio({ coinA, coinB }: WidgetView, prices: PricesRow['prices'], now: number): number | null {
  const a = prices[coinA.id]
  const b = prices[coinB.id]
  if (a === undefined || b === undefined) return null
  return now - Math.min(a.seen_until, b.seen_until) > PRICES_STALE_AFTER ? null : ratioOf(a.usd, b.usd)
}

/**
 * One look at all pairs whose alerts are on; returns `known` itself where nothing was armed or disarmed by it.
 * @param now milliseconds
 */
export function checkBoard(
  widgets: readonly WidgetView[],
  prices: PricesRow['prices'],
  known: ReadonlyMap<string, LocalArming>,
  now: number,
): ReadonlyMap<string, LocalArming> {
  const watched = widgets.filter((widget) => widget.isActive && widget.notificationsEnabled)
  const checked = new Map<string, LocalArming>()
  for (const widget of watched) {
    const before = known.get(widget.key)
    const said = saidOf(widget)
    const { armed } = checkAlerts(freshRatio(widget, prices, now), thresholdsOf(widget), armedNow(known, widget))
    checked.set(widget.key, before?.said === said && before.armed === armed ? before : { said, armed })
  }
  const same = checked.size === known.size && [...checked].every(([key, arming]) => known.get(key) === arming)
  return same ? known : checked
}
