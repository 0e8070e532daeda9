import { agedPair } from '../../../src/domain/ages'
import { type DailyMatrix, utcDayOf } from '../../../src/domain/daily-matrix'
import type { CoinId } from '../../../src/domain/ids'
import { ratioOf } from '../../../src/domain/pair'
import type { DayWindow, MoveWindow } from '../../../src/domain/rule-kinds'
import { type Extent, extentOf, MEASURES, type PairSight, readMeasure } from '../../../src/domain/rule-measures'
import { daysOfStanding, type StandingDays } from '../../../src/domain/standing'
import { freshPrice, type StoredPrice } from '../market/prices/stored-prices'
import type { movePoints } from './move-points'

/** A row of `pairs`. */
export interface CoinsOfPair {
  readonly id: number
  readonly coin_a_id: CoinId
  readonly coin_b_id: CoinId
}

interface KeptDays {
  readonly priceDay: number
  readonly today: number
  readonly days: StandingDays | null
}

/** Mean and deviation of pairs' days, by window; kept as long as closes and days are the same. */
export function daysKeeper() {
  let kept: { readonly of: DailyMatrix; readonly days: Map<string, KeptDays> } | null = null

  return (
    matrix: DailyMatrix,
    pair: CoinsOfPair,
    window: DayWindow,
    live: LivePair,
    now: number,
  ): StandingDays | null => {
    if (kept?.of !== matrix) kept = { of: matrix, days: new Map() }
    const name = `${pair.id} ${window}`
    const [priceDay, today] = [utcDayOf(live.providerTime), utcDayOf(now)]
    const known = kept.days.get(name)
    if (known?.priceDay === priceDay && known.today === today) return known.days
    const aged = agedPair(matrix, pair.coin_a_id, pair.coin_b_id, { ...live, source: matrix.source }, now)
    // Closes that are behind, or newer than the price, say nothing of now.
    const isUsable = aged !== null && aged.age.closes === 'newest' && aged.age.pricedAt !== null
    const days = isUsable ? daysOfStanding(aged.closes, window) : null
    kept.days.set(name, { priceDay, today, days })
    return days
  }
}

interface LivePair {
  readonly providerTime: number
  readonly priceA: number
  readonly priceB: number
}

export interface MeasureSources {
  /** Null: none were read. */
  readonly matrix: DailyMatrix | null
  readonly prices: ReadonlyMap<string, StoredPrice>
  readonly points: Pick<ReturnType<typeof movePoints>, 'of'>
  readonly daysOf: ReturnType<typeof daysKeeper>
  /** Milliseconds since 1970. */
  readonly now: number
}

/** Reads a pair's measures by their names; null: the pair has no ratio of two fresh prices. */
export function measuresOf(
  { matrix, prices, points, daysOf, now }: MeasureSources,
  pair: CoinsOfPair,
): { readonly ratio: number; readonly sight: PairSight; readonly read: (name: string) => number | null } | null {
  const [a, b] = [freshPrice(prices, pair.coin_a_id, now), freshPrice(prices, pair.coin_b_id, now)]
  const ratio = ratioOf(a?.usd ?? null, b?.usd ?? null)
  if (a === null || b === null || ratio === null) return null
  const extents = new Map<MoveWindow, Extent | null>()
  const extent = (window: MoveWindow): Extent | null => {
    let found = extents.get(window)
    if (found === undefined) {
      const [ofA, ofB] = [points.of(pair.coin_a_id, window), points.of(pair.coin_b_id, window)]
      found = ofA === undefined || ofB === undefined ? null : extentOf(ofA, ofB, window, now)
      extents.set(window, found)
    }
    return found
  }
  const live = { providerTime: Math.min(a.providerTime, b.providerTime), priceA: a.usd, priceB: b.usd }
  const sight: PairSight = {
    ratio,
    extent,
    days: (window) => matrix && daysOf(matrix, pair, window, live, now),
  }
  return {
    ratio,
    sight,
    read: (name) => {
      const measure = MEASURES.get(name)
      return measure === undefined ? null : readMeasure(measure, sight)
    },
  }
}
