import { expect, it } from 'vitest'
import type { Price } from '../../../../src/db/rows'
import type { WidgetView } from '../../../../src/db/view'
import type { CoinId, WidgetId } from '../../../../src/domain/ids'
import { checkBoard, newestEpochs } from '../../../../src/app/alerts/check'
import { armedNow, type LocalEpochs } from '../../../../src/state/local-epochs'
import { priceRow } from '../../../support/price-row'
import { alertsView, widgetView } from '../../../support/widget-view'

const NOW = 1_000_000_000
const MINUTE = 60_000
type Sides = NonNullable<Parameters<typeof alertsView>[0]>
const coin = (id: string) => ({ id: id as CoinId, symbol: id, name: id, image: null })
const widget = ({ high, low }: Sides = {}, fields: Partial<WidgetView> = {}): WidgetView =>
  widgetView({
    id: 'w' as WidgetId,
    key: 'w',
    coinA: coin('a'),
    coinB: coin('b'),
    alerts: alertsView({ high: { threshold: 3, ...high }, low: { threshold: 1, ...low } }),
    notificationsEnabled: true,
    ...fields,
  })
const prices = (a: number, seen = NOW): Record<CoinId, Price> => ({
  ['a' as CoinId]: priceRow({ usd: a, first_seen_at: 0, provider_time: NOW }),
  ['b' as CoinId]: priceRow({ usd: 1, first_seen_at: 0, provider_time: seen }),
})
const NOTHING: ReadonlyMap<string, LocalEpochs> = new Map()
const look = (
  widgets: readonly WidgetView[],
  ticks: Record<CoinId, Price>,
  known: ReadonlyMap<string, LocalEpochs> = NOTHING,
  logged: readonly (readonly ['high' | 'low', number])[] = [],
  polledAt = NOW + 1,
) => {
  const alerts = logged.map(([side, epoch]) => ({ event_id: `w:${side}:${epoch}`, widget_id: 'w' as WidgetId, side }))
  return checkBoard(known, { widgets, prices: ticks, polledAt, newest: newestEpochs(alerts), now: NOW })
}
const BOTH = { high: true, low: true }

it('the alert check disarms a side whose threshold is crossed, and re-arms the side when the ratio is back', () => {
  const one = widget()
  const crossed = look([one], prices(4), NOTHING).epochs
  expect(armedNow(crossed, one)).toEqual({ high: false, low: true })
  const back = look([one], prices(2), crossed).epochs
  expect(armedNow(back, one)).toEqual(BOTH)
})

it('the alert check returns the same state object when nothing has changed', () => {
  const one = widget()
  const first = look([one], prices(4), NOTHING).epochs
  expect(look([one], prices(5), first).epochs).toBe(first)
  expect(look([], prices(5), NOTHING).epochs).toBe(NOTHING)
})

it('the alert check leaves pairs alone that are inactive or have their alerts switched off', () => {
  for (const one of [widget({}, { isActive: false }), widget({}, { notificationsEnabled: false })]) {
    expect(armedNow(look([one], prices(4), NOTHING).epochs, one)).toEqual(BOTH)
  }
})

it('the alert check judges a price confirmed ten minutes ago, but no older price', () => {
  const one = widget()
  expect(armedNow(look([one], prices(4, NOW - 10 * MINUTE), NOTHING).epochs, one).high).toBe(false)
  expect(armedNow(look([one], prices(4, NOW - 10 * MINUTE - 1), NOTHING).epochs, one)).toEqual(BOTH)
})

it.each<Sides>([
  { high: { threshold: 3.5 } },
  { low: { threshold: null } },
  { low: { armed: false } },
  { high: { epoch: 1 } },
  { low: { epoch: 1 } },
])('the alert check starts again from the widget’s own flags when the widget changes to %o', (change) => {
  const before = look([widget()], prices(4), NOTHING).epochs
  const after = widget(change)
  expect(armedNow(before, after)).toEqual({ high: true, low: change.low?.armed ?? true })
  // Prices too old to judge keep what is said now, not what was found before.
  const unjudged = look([after], prices(4, 0), before).epochs
  expect(armedNow(unjudged, after).high).toBe(true)
})

it('the alert check forgets a pair whose alerts are switched off', () => {
  const before = look([widget()], prices(4), NOTHING).epochs
  expect(look([widget({}, { notificationsEnabled: false })], prices(4), before).epochs.size).toBe(0)
})

it('the alert check fires a crossing once, and gives the next crossing of that side the next epoch', () => {
  const one = widget({ high: { epoch: 7 } })
  const crossed = look([one], prices(4))
  expect(crossed.fired).toEqual([{ eventId: 'w:high:7', widget: one, side: 'high', ratio: 4, threshold: 3 }])
  expect(look([one], prices(5), crossed.epochs).fired).toEqual([])
  const back = look([one], prices(2), crossed.epochs)
  expect(back.fired).toEqual([])
  expect(look([one], prices(4), back.epochs).fired.map(({ eventId }) => eventId)).toEqual(['w:high:8'])
  // The other side keeps its epoch.
  expect(look([one], prices(0.5), back.epochs).fired.map(({ eventId }) => eventId)).toEqual(['w:low:0'])
})

it('a crossing already in the alert log is not fired again, even if the widget’s flags still say armed', () => {
  const one = widget({ high: { epoch: 7 } })
  const logged = look([one], prices(4), NOTHING, [['high', 7]])
  expect(logged.fired).toEqual([])
  expect(armedNow(logged.epochs, one)).toEqual({ high: false, low: true })
  const back = look([one], prices(2), logged.epochs, [['high', 7]])
  expect(look([one], prices(4), back.epochs, [['high', 7]]).fired.map(({ eventId }) => eventId)).toEqual(['w:high:8'])
})

it('a logged alert with a later epoch than the widget’s counts as the present crossing, not as a new one', () => {
  const one = widget({ high: { epoch: 3 } })
  const known = look([one], prices(2)).epochs
  // The server fired 3 and 4 while nobody looked; the row here is older than both.
  const logged = look([one], prices(4), known, [
    ['high', 4],
    ['high', 2],
  ])
  expect(logged.fired).toEqual([])
  expect(armedNow(logged.epochs, one).high).toBe(false)
  const back = look([one], prices(2), logged.epochs, [['high', 4]])
  expect(look([one], prices(4), back.epochs, [['high', 4]]).fired.map(({ eventId }) => eventId)).toEqual(['w:high:5'])
})

it('the alert check judges a re-armed side only by prices polled after this device learned of the re-arming', () => {
  const fired = widget({ high: { armed: false, epoch: 3 } })
  const before = look([fired], prices(4), NOTHING, [['high', 3]], NOW - 70_000)
  const again = widget({ high: { epoch: 4 } })
  const old = look([again], prices(4), before.epochs, [['high', 3]], NOW - 70_000)
  expect(old.fired).toEqual([])
  expect(armedNow(old.epochs, again).high).toBe(true)
  expect(look([again], prices(4), old.epochs, [['high', 3]]).fired.map(({ eventId }) => eventId)).toEqual(['w:high:4'])
})

it('the alert check fires nothing for a pair without thresholds, without a ratio, or exactly at its threshold', () => {
  expect(look([widget({ high: { threshold: null }, low: { threshold: null } })], prices(4)).fired).toEqual([])
  expect(look([widget()], {}).fired).toEqual([])
  expect(look([widget()], prices(3)).fired).toEqual([])
})
