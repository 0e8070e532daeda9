import type { FastifyBaseLogger } from 'fastify'
import type { ReportOddCoin } from '../../adapters/market-data/coingecko/answers'

/** Coins that are remembered as told, and how much of an id is told. */
const MOST_TOLD = 1_000
const ID_LENGTH = 128

/** Logs each odd coin of a provider once in the life of this process: lists and prices come again and again. */
export function logOddCoins(logger: FastifyBaseLogger | undefined): ReportOddCoin {
  const told = new Set<string>()
  return (given, what) => {
    const id = given.slice(0, ID_LENGTH)
    if (told.has(id) || told.size >= MOST_TOLD) return
    told.add(id)
    logger?.warn({ coin: id, what }, 'the provider names an odd coin')
  }
}
