import type { ChanceRequest } from '../../../workers/api'
import { thresholdsOf } from '../../domain/alerts'
import { chartPath } from '../../domain/app-paths'
import type { ChanceCount } from '../../domain/chance-of-extremes'
import type { CoinId } from '../../domain/ids'
import { pairTitle, ratioOf } from '../../domain/pair'
import { byExtremity, crossedSide } from '../../domain/pair-order'
import { STANDING_WINDOW } from '../../domain/pair-statistics'
import type { RangeEnd } from '../../domain/extreme'
import { placeWords } from '../../domain/format-number'
import { type PairStanding, standingDays, standingSentence } from '../../domain/standing'
import { steadyAtom } from '../../state/keep-identity'
import { boardAtom, pairKey, pricesAtom, summariesAtom } from '../../state/live-data'

/** A pair that the line names: beyond a threshold, at an extreme, or both. */
interface NamedPair {
  readonly key: string
  readonly title: string
  readonly path: string
  readonly side: RangeEnd
  /** Such as "crossed high, 97th". */
  readonly words: string
  readonly sentence: string | undefined
}

export interface BoardExtremes {
  readonly count: number
  /** Pairs whose place is not known. */
  readonly unknown: number
  readonly extremes: number
  /** Days by which the closes are behind, where they name no extreme for that; else null. */
  readonly closesAge: number | null
  /** Those beyond a threshold first, of either kind the most extreme first. */
  readonly named: readonly NamedPair[]
  /** Of each pair its coins and the median of its days, which changes with the closes alone. */
  readonly pairs: readonly (readonly [coinA: CoinId, coinB: CoinId, median: number | undefined])[]
}

/** Null until all pairs have been summarised. */
export const extremesAtom = steadyAtom((get): BoardExtremes | null => {
  const summaries = get(summariesAtom)
  const prices = get(pricesAtom)?.prices
  const widgets = (get(boardAtom)?.widgets ?? []).filter(({ isActive }) => isActive)
  const found = widgets.flatMap((widget) => {
    const [coinA, coinB] = [widget.coinA.id, widget.coinB.id]
    const summary = summaries.get(pairKey({ coinA, coinB }))
    const crossed = crossedSide(ratioOf(prices?.[coinA]?.usd, prices?.[coinB]?.usd), thresholdsOf(widget.alerts))
    return summary === undefined ? [] : [{ ...summary, widget, crossed }]
  })
  if (widgets.length === 0 || found.length < widgets.length) return null
  const named = found
    .toSorted((a, b) => Number(a.crossed === null) - Number(b.crossed === null) || byExtremity(a.standing, b.standing))
    .flatMap(({ widget, crossed, standing }): readonly NamedPair[] => {
      const extreme = standing?.extreme ?? null
      const side = crossed ?? extreme
      if (side === null) return []
      return [
        {
          key: widget.key,
          title: pairTitle(widget),
          path: chartPath(widget.id),
          side,
          words: pairWords(crossed, standing),
          sentence: standing ? standingSentence(standing) : undefined,
        },
      ]
    })
  return {
    count: widgets.length,
    unknown: found.filter(({ standing }) => standing === null).length,
    extremes: found.filter(({ standing }) => standing?.extreme).length,
    closesAge: found.find(({ closesAge }) => closesAge !== null)?.closesAge ?? null,
    named,
    pairs: found.map(({ coinA, coinB, standing }) => [coinA, coinB, standing?.median]),
  }
})

/** A user may set a low threshold above the days: "crossed low, yet high for its 90 days (99th)". */
function pairWords(crossed: RangeEnd | null, standing: PairStanding | null): string {
  const side = crossed === null ? '' : `crossed ${crossed}`
  if (!standing?.extreme) return side
  const { extreme, percentile } = standing
  if (crossed === null || crossed === extreme) return `${side || extreme}, ${shortPlace(standing)}`
  return `${side}, yet ${extreme} for its ${standingDays(standing)} (${placeWords(percentile)})`
}

/** Such as "97th", or "lowest of 62 days". */
const shortPlace = (standing: PairStanding): string => {
  const place = placeWords(standing.percentile)
  return place === 'lowest' || place === 'highest' ? `${place} of ${standingDays(standing)}` : place
}

export function chanceRequestOf(pairs: BoardExtremes['pairs']): ChanceRequest {
  const coins = [...new Set(pairs.flatMap(([coinA, coinB]) => [coinA, coinB]))]
  return {
    coins,
    a: pairs.map(([coinA]) => coins.indexOf(coinA)),
    b: pairs.map(([, coinB]) => coins.indexOf(coinB)),
    window: STANDING_WINDOW,
    line: 'extreme',
  }
}

/** How many stand at an extreme; "none" is said only once all are known. */
export function headWords({
  count,
  unknown,
  extremes,
  closesAge,
}: BoardExtremes): readonly [strong: string, rest: string] {
  if (closesAge !== null) return ['', `The daily closes are ${closesAge} days old: no extremes are named.`]
  if (unknown === count) return ['', 'Too few days are known yet to say which pairs are at an extreme.']
  if (unknown > 0) {
    if (extremes === 0) return ['', `${count - unknown} of ${count} known, none at an extreme; ${unknown} follow`]
    return [`${extremes} of ${count}`, ` at an extreme of 90 days · ${unknown} not known yet`]
  }
  if (extremes === 0 && count === 1) return ['', 'Your pair is not at an extreme of its 90 days']
  if (extremes === 0) return ['', `None of your ${count} pairs is at an extreme of its 90 days`]
  return [`${extremes} of ${count}`, ' at an extreme of 90 days']
}

/**
 * Beside the count once all pairs are known, such as "by chance 5 (2 to 9)". Only a count above 95 % of the orders
 * is more than chance.
 */
export function chanceWords({ unknown, extremes, closesAge }: BoardExtremes, chance: ChanceCount | null): string {
  if (chance === null || unknown > 0 || closesAge !== null) return ''
  const range = `${chance.low} to ${chance.high}`
  return extremes > chance.high ? `more than chance (${range})` : `by chance ${chance.median} (${range})`
}
