import { describe, expect, it } from 'vitest'
import type { Price } from '../../../../src/db/rows'
import type { WidgetView } from '../../../../src/db/view'
import type { CoinId, WidgetId } from '../../../../src/domain/ids'
import { checkBoard, toldOf } from '../../../../src/app/alerts/check'
import { armedNow, type LocalArming } from '../../../../src/state/local-arming'
import { priceRow } from '../../../support/price-row'
import { widgetView } from '../../../support/widget-view'

const NOW = 1_000_000_000
const MINUTE = 60_000
const coin = (id: string) => ({ id: id as CoinId, symbol: id, name: id, image: null })
const widget = (change: Partial<WidgetView> = {}): WidgetView =>
  widgetView({
    id: 'w' as WidgetId,
    key: 'w',
    coinA: coin('a'),
    coinB: coin('b'),
    highThreshold: 3,
    lowThreshold: 1,
    notificationsEnabled: true,
    ...change,
  })
const prices = (a: number, seen = NOW): Record<CoinId, Price> => ({
  ['a' as CoinId]: priceRow({ usd: a, at: 0, seen_until: NOW }),
  ['b' as CoinId]: priceRow({ usd: 1, at: 0, seen_until: seen }),
})
const NOTHING: ReadonlyMap<string, LocalArming> = new Map()
const look = (
  widgets: readonly WidgetView[],
  ticks: Record<CoinId, Price>,
  known: ReadonlyMap<string, LocalArming> = NOTHING,
  told: readonly (readonly ['high' | 'low', number])[] = [],
  polledAt = NOW + 1,
) => {
  const alerts = told.map(([side, epoch]) => ({ event_id: `w:${side}:${epoch}`, widget_id: 'w' as WidgetId, side }))
  return checkBoard(known, { widgets, prices: ticks, polledAt, told: toldOf(alerts), now: NOW })
}
const BOTH = { high: true, low: true }

describe('alert check of the open app', () => {
  it('the alert check disarms a side whose threshold is crossed, and re-arms the side when the ratio is back', () => {
    const one = widget()
    const crossed = look([one], prices(4), NOTHING).arming
    expect(armedNow(crossed, one)).toEqual({ high: false, low: true })
    const back = look([one], prices(2), crossed).arming
    expect(armedNow(back, one)).toEqual(BOTH)
  })

  it('the alert check returns the same state object when nothing has changed', () => {
    const one = widget()
    const first = look([one], prices(4), NOTHING).arming
    expect(look([one], prices(5), first).arming).toBe(first)
    expect(look([], prices(5), NOTHING).arming).toBe(NOTHING)
  })

  it('the alert check leaves pairs alone that are inactive or have their alerts switched off', () => {
    for (const one of [widget({ isActive: false }), widget({ notificationsEnabled: false })]) {
      expect(armedNow(look([one], prices(4), NOTHING).arming, one)).toEqual(BOTH)
    }
  })

  it('the alert check judges a price confirmed ten minutes ago, but no older price', () => {
    const one = widget()
    expect(armedNow(look([one], prices(4, NOW - 10 * MINUTE), NOTHING).arming, one).high).toBe(false)
    expect(armedNow(look([one], prices(4, NOW - 10 * MINUTE - 1), NOTHING).arming, one)).toEqual(BOTH)
  })

  it.each<Partial<WidgetView>>([
    { highThreshold: 3.5 },
    { lowThreshold: null },
    { lowThresholdActive: false },
    { highEpoch: 1 },
    { lowEpoch: 1 },
  ])('the alert check starts again from the widget’s own flags when the widget changes to %o', (change) => {
    const before = look([widget()], prices(4), NOTHING).arming
    const after = widget(change)
    expect(armedNow(before, after)).toEqual({ high: true, low: change.lowThresholdActive ?? true })
    // Prices too old to judge keep what is said now, not what was found before.
    const unjudged = look([after], prices(4, 0), before).arming
    expect(armedNow(unjudged, after).high).toBe(true)
  })

  it('the alert check forgets a pair whose alerts are switched off', () => {
    const before = look([widget()], prices(4), NOTHING).arming
    expect(look([widget({ notificationsEnabled: false })], prices(4), before).arming.size).toBe(0)
  })

  it('the alert check fires a crossing once, and gives the next crossing of that side the next epoch', () => {
    const one = widget({ highEpoch: 7 })
    const crossed = look([one], prices(4))
    expect(crossed.fired).toEqual([{ eventId: 'w:high:7', widget: one, side: 'high', ratio: 4, threshold: 3 }])
    expect(look([one], prices(5), crossed.arming).fired).toEqual([])
    const back = look([one], prices(2), crossed.arming)
    expect(back.fired).toEqual([])
    expect(look([one], prices(4), back.arming).fired.map(({ eventId }) => eventId)).toEqual(['w:high:8'])
    // The other side is in the arming that it was in.
    expect(look([one], prices(0.5), back.arming).fired.map(({ eventId }) => eventId)).toEqual(['w:low:0'])
  })

  it('a crossing already in the alert log is not fired again, even if the widget’s flags still say armed', () => {
    const one = widget({ highEpoch: 7 })
    const told = look([one], prices(4), NOTHING, [['high', 7]])
    expect(told.fired).toEqual([])
    expect(armedNow(told.arming, one)).toEqual({ high: false, low: true })
    const back = look([one], prices(2), told.arming, [['high', 7]])
    expect(look([one], prices(4), back.arming, [['high', 7]]).fired.map(({ eventId }) => eventId)).toEqual(['w:high:8'])
  })

  it('a logged alert with a later epoch than the widget’s counts as the present crossing, not as a new one', () => {
    const one = widget({ highEpoch: 3 })
    const known = look([one], prices(2)).arming
    // The server fired 3 and 4 while nobody looked; the row here is older than both.
    const told = look([one], prices(4), known, [
      ['high', 4],
      ['high', 2],
    ])
    expect(told.fired).toEqual([])
    expect(armedNow(told.arming, one).high).toBe(false)
    const back = look([one], prices(2), told.arming, [['high', 4]])
    expect(look([one], prices(4), back.arming, [['high', 4]]).fired.map(({ eventId }) => eventId)).toEqual(['w:high:5'])
  })

  it('the alert check judges a re-armed side only by prices polled after this device learned of the re-arming', () => {
    const fired = widget({ highThresholdActive: false, highEpoch: 3 })
    const before = look([fired], prices(4), NOTHING, [['high', 3]], NOW - 70_000)
    const again = widget({ highEpoch: 4 })
    const old = look([again], prices(4), before.arming, [['high', 3]], NOW - 70_000)
    expect(old.fired).toEqual([])
    expect(armedNow(old.arming, again).high).toBe(true)
    expect(look([again], prices(4), old.arming, [['high', 3]]).fired.map(({ eventId }) => eventId)).toEqual([
      'w:high:4',
    ])
  })

  it('the alert check fires nothing for a pair without thresholds, without a ratio, or exactly at its threshold', () => {
    expect(look([widget({ highThreshold: null, lowThreshold: null })], prices(4)).fired).toEqual([])
    expect(look([widget()], {}).fired).toEqual([])
    expect(look([widget()], prices(3)).fired).toEqual([])
  })
})
