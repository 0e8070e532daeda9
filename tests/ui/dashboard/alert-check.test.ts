import { describe, expect, it } from 'vitest'
import type { Price } from '../../../src/db/rows'
import type { WidgetView } from '../../../src/db/view'
import type { CoinId, WidgetId } from '../../../src/domain/ids'
import { checkBoard } from '../../../src/features/dashboard/alert-check'
import { armedNow, type LocalArming } from '../../../src/state/local-arming'

const NOW = 1_000_000_000
const MINUTE = 60_000
const coin = (id: string) => ({ id: id as CoinId, symbol: id, name: id, image: null })
const widget = (change: Partial<WidgetView> = {}): WidgetView => ({
  id: 'w' as WidgetId,
  key: 'w',
  coinA: coin('a'),
  coinB: coin('b'),
  highThreshold: 3,
  lowThreshold: 1,
  notificationsEnabled: true,
  highThresholdActive: true,
  lowThresholdActive: true,
  highEpoch: 0,
  lowEpoch: 0,
  isActive: true,
  checkpoints: [],
  isPending: false,
  waiting: 0,
  ...change,
})
const prices = (a: number, seen = NOW): Record<CoinId, Price> => ({
  ['a' as CoinId]: { usd: a, at: 0, seen_until: NOW },
  ['b' as CoinId]: { usd: 1, at: 0, seen_until: seen },
})
const NOTHING: ReadonlyMap<string, LocalArming> = new Map()
const BOTH = { high: true, low: true }

describe('a look at the board', () => {
  it('disarms what is crossed, and arms it again', () => {
    const one = widget()
    const crossed = checkBoard([one], prices(4), NOTHING, NOW)
    expect(armedNow(crossed, one)).toEqual({ high: false, low: true })
    const back = checkBoard([one], prices(2), crossed, NOW)
    expect(armedNow(back, one)).toEqual(BOTH)
  })

  it('says the same as before where nothing has changed', () => {
    const one = widget()
    const first = checkBoard([one], prices(4), NOTHING, NOW)
    expect(checkBoard([one], prices(5), first, NOW)).toBe(first)
    expect(checkBoard([], prices(5), NOTHING, NOW)).toBe(NOTHING)
  })

  it('leaves alone pairs that are inactive or whose alerts are off', () => {
    for (const one of [widget({ isActive: false }), widget({ notificationsEnabled: false })]) {
      expect(armedNow(checkBoard([one], prices(4), NOTHING, NOW), one)).toEqual(BOTH)
    }
  })

  it('judges no price that is older than ten minutes', () => {
    const one = widget()
    expect(armedNow(checkBoard([one], prices(4, NOW - 10 * MINUTE), NOTHING, NOW), one).high).toBe(false)
    expect(armedNow(checkBoard([one], prices(4, NOW - 10 * MINUTE - 1), NOTHING, NOW), one)).toEqual(BOTH)
  })

  it.each<Partial<WidgetView>>([
    { highThreshold: 3.5 },
    { lowThreshold: null },
    { lowThresholdActive: false },
    { highEpoch: 1 },
    { lowEpoch: 1 },
  ])('starts anew from what is said when that changes: %o', (change) => {
    const before = checkBoard([widget()], prices(4), NOTHING, NOW)
    const after = widget(change)
    expect(armedNow(before, after)).toEqual({ high: true, low: change.lowThresholdActive ?? true })
    // Prices too old to judge keep what is said now, not what was found before.
    const unjudged = checkBoard([after], prices(4, 0), before, NOW)
    expect(armedNow(unjudged, after).high).toBe(true)
  })

  it('forgets a pair whose alerts were switched off', () => {
    const before = checkBoard([widget()], prices(4), NOTHING, NOW)
    expect(checkBoard([widget({ notificationsEnabled: false })], prices(4), before, NOW).size).toBe(0)
  })
})
