/** Quotes that count as USD, the best first. A stablecoin that loses its peg takes its markets out of the tolerance. */
const QUOTES = ['USD', 'USDT', 'USDC'] as const

interface ListedSymbol {
  readonly id: string
  readonly symbol: string
}

/**
 * The market of each watched coin that the exchange has, as coin id by market. Symbols are not unique: of several coins with
 * one symbol the first is meant, and the others have no market.
 * @param coins all that are known, best rank first
 * @param markets the exchange's, such as BTC/USD
 */
export function matchMarkets(
  coins: readonly ListedSymbol[],
  watched: ReadonlySet<string>,
  markets: ReadonlySet<string>,
): ReadonlyMap<string, string> {
  const taken = new Set<string>()
  const found = new Map<string, string>()
  for (const { id, symbol } of coins) {
    const base = symbol.toUpperCase()
    if (taken.has(base)) continue
    taken.add(base)
    const market = QUOTES.map((quote) => `${base}/${quote}`).find((name) => markets.has(name))
    if (market !== undefined && watched.has(id)) found.set(market, id)
  }
  return found
}
