import { STANDING_WINDOW } from '../../domain/pair-statistics'
import { hasLostPeg, isPegged, PEG_WIDTH } from '../../domain/peg'
import { columnsOf, frozenCoins, isOwn, isShort, type RadarMarket, rowsOf } from './radar-market'
import { RANKED_IN, type RadarOrder, type RadarQuery, type Scope } from './radar-query'

/** Keys of rows without the figure, and of those with too few days: at the end, the latter last. */
const MISSING_KEY = 1e300
const SHORT_KEY = 1e301

/**
 * The pairs that the filters leave, in the order of the query; as many as there are, in a few milliseconds.
 * @returns indices of pairs
 */
export function radarRows(market: RadarMarket, query: RadarQuery): Uint32Array {
  const keyOf = orderKey(market, query)
  const keep = filterOf(market, query)
  const { a } = market
  const rows = new Uint32Array(a.length)
  const keys = new Float64Array(a.length)
  let count = 0
  for (let pair = 0; pair < a.length; pair++) {
    if (!keep(pair)) continue
    rows[count++] = pair
    keys[pair] = isShort(market, pair, query.window) ? SHORT_KEY : keyOf(pair)
  }
  // oxlint-disable-next-line unicorn/no-array-sort -- of its own array
  return rows.subarray(0, count).sort((one, other) => keys[one]! - keys[other]!)
}

type Filter = (pair: number) => boolean

function filterOf(market: RadarMarket, query: RadarQuery): Filter {
  const hiddenFor = reasonToHide(market, query)
  const { correlation } = columnsOf(market, query.window)
  const filters = [
    inScope(market, query),
    (pair: number) => isOwn(market, pair) || frozenCoins(market, pair).length === 0,
    ...(query.pegged ? [] : [(pair: number) => hiddenFor(pair) === null]),
    ...(query.correlation > 0 ? [(pair: number) => correlation[pair]! >= query.correlation] : []),
    ...(query.term.trim() === '' ? [] : [matching(market, query.term)]),
  ]
  return (pair) => filters.every((filter) => filter(pair))
}

/** Why a pair is not listed unless it is asked for: a peg that is held, or another coin of the same money is listed. */
type Hidden = 'pegged' | 'same money'

/** @returns by pair; null: it is listed */
function reasonToHide(market: RadarMarket, { scope, window }: RadarQuery): (pair: number) => Hidden | null {
  const { a, b } = market
  const { deviation } = columnsOf(market, window)
  const { distance } = columnsOf(market, STANDING_WINDOW)
  const best = bestOfMoney(market, scope)
  return (pair) => {
    if (isOwn(market, pair)) return null
    if (isPegged(deviation[pair]!) && !hasLostPeg(distance[pair]!)) return 'pegged'
    return best[a[pair]!] === a[pair] && best[b[pair]!] === b[pair] ? null : 'same money'
  }
}

/** By row: the best coin of the same money, among the user's own where those alone are listed. */
function bestOfMoney({ money, own }: RadarMarket, scope: Scope): Uint16Array {
  if (scope !== 'coins') return money
  const best = new Map<number, number>()
  for (const row of money.keys()) if (own.has(row) && !best.has(money[row]!)) best.set(money[row]!, row)
  return money.map((first) => best.get(first) ?? first)
}

/** Pairs that the list would have if pegged ones and other coins of the same money were asked for. */
export function hiddenPairs(market: RadarMarket, query: RadarQuery): Readonly<Record<Hidden, number>> {
  const keep = filterOf(market, { ...query, pegged: true })
  const hiddenFor = reasonToHide(market, query)
  const count = { pegged: 0, 'same money': 0 }
  for (let pair = 0; pair < market.a.length; pair++) {
    const reason = hiddenFor(pair)
    if (reason !== null && keep(pair)) count[reason]++
  }
  return count
}

function inScope(market: RadarMarket, query: RadarQuery): Filter {
  const { a, b } = market
  const isListed = coinsInScope(market, query)
  return query.scope === 'pairs' ? (pair) => isOwn(market, pair) : (pair) => isListed(a[pair]!) && isListed(b[pair]!)
}

/** @returns by row: the coin is one of the scope's */
function coinsInScope({ own, ranked }: RadarMarket, { scope }: RadarQuery): (row: number) => boolean {
  const count = RANKED_IN[scope]
  return count === null ? (row) => own.has(row) : (row) => row < Math.min(ranked, count)
}

/** Rows of the scope's coins in which no trading is seen. */
export const frozenInScope = (market: RadarMarket, query: RadarQuery): readonly number[] =>
  [...market.frozenSince.keys()].filter(coinsInScope(market, query))

/** Each word of the term occurs in one of the pair's symbols or names, in whatever case; "sol/btc" are two words. */
function matching({ a, b, labels }: RadarMarket, term: string): Filter {
  const words = term
    .toLowerCase()
    .split(/[\s/]+/)
    .filter((word) => word !== '')
  const texts = labels.map(({ symbol, name }) => `${symbol} ${name}`.toLowerCase())
  // Words by coin as bits: thousands of pairs share a hundred coins.
  const found = texts.map((text) =>
    words.reduce((bits, word, bit) => (text.includes(word) ? bits | (1 << bit) : bits), 0),
  )
  const all = (1 << words.length) - 1
  return (pair) => (found[a[pair]!]! | found[b[pair]!]!) === all
}

const known = (key: number): number => (Number.isNaN(key) ? MISSING_KEY : key)

/** A number by which the pairs stand in ascending order; equal ones stay as the market cap has them. */
function orderKey(market: RadarMarket, { order, window }: RadarQuery): (pair: number) => number {
  const { z, percentile, deviation, distance, correlation } = columnsOf(market, window)
  /** A peg's distance in widths of a peg: its own deviations would put it first at a distance below the cost of a swap. */
  const widths = (pair: number): number =>
    isPegged(deviation[pair]!) ? Math.log1p(distance[pair]!) / PEG_WIDTH : z[pair]!
  const keys: Readonly<Record<RadarOrder, (pair: number) => number>> = {
    z: (pair) => known(-Math.abs(widths(pair))),
    percentile: (pair) => known(-Math.abs(percentile[pair]! - 0.5)),
    correlation: (pair) => known(-correlation[pair]!),
    name: nameKey(market),
  }
  return keys[order]
}

function nameKey(market: RadarMarket): (pair: number) => number {
  const { labels } = market
  const sorted = [...labels.keys()].toSorted((one, other) => labels[one]!.symbol.localeCompare(labels[other]!.symbol))
  const place = new Float64Array(labels.length)
  for (const [index, row] of sorted.entries()) place[row] = index
  return (pair) => {
    const [rowA, rowB] = rowsOf(market, pair)
    return place[rowA]! * labels.length + place[rowB]!
  }
}

/** A filter that the user can give up, and how many pairs there are without it. */
export interface Loosening {
  readonly filter: 'term' | 'correlation' | 'pegged'
  readonly without: RadarQuery
  readonly count: number
}

/** For an empty list: each filter without which it is not empty; with several in the way, all of them given up together. */
export function loosenings(market: RadarMarket, query: RadarQuery): readonly Loosening[] {
  const changes = [
    { filter: 'term', change: { term: '' } },
    { filter: 'correlation', change: { correlation: 0 } },
    { filter: 'pegged', change: { pegged: true } },
  ] as const
  return changes
    .map(({ filter, change }) => {
      const without = { ...query, ...change }
      return { filter, without, count: radarRows(market, without).length }
    })
    .filter(({ count }) => count > 0)
}
